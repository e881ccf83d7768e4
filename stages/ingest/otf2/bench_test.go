package otf2

import (
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// large is an archive of calls, half of them in each of two locations, in chunks of 1 MiB as Score-P writes them.
func large(events int) (fstest.MapFS, int) {
	const chunk = 1 << 20
	anchor := newPen(false, chunk)
	anchor.raw(chunkHeader, anchor.mark).raw([]byte("OTF2\x00\x03\x02\x03\x00\x02")...).full(chunk).full(testChunk).raw(substratePlain, uncompressed)
	out := archive(false, global(false).raw(endOfFile).bytes, nil)
	out["a.otf2"].Data = anchor.bytes
	n := 0
	for _, name := range []string{"0.evt", "1.evt"} {
		p, t := newPen(false, chunk), uint64(1000)
		for written := 0; written < events/2; {
			p.pad()
			at, first := len(p.bytes), written
			p.header(0, 0)
			for len(p.bytes)-at < chunk-100 && written < events/2 {
				for depth := range 4 {
					p.time(t).call(evEnter, uint64(depth%3))
					t += 50 + uint64(written%7)
				}
				for depth := range 4 {
					p.time(t).call(evLeave, uint64((3-depth)%3))
					t += 60
				}
				written += 8
			}
			p.PutUint64(p.bytes[at+2:], uint64(first+1))
			p.PutUint64(p.bytes[at+10:], uint64(written))
		}
		out["a/"+name] = &fstest.MapFile{Data: p.raw(endOfFile).bytes}
		n += events / 2
	}
	return out, n
}

// BenchmarkRead reads calls of two locations in turns. Blocks are thrown away.
func BenchmarkRead(b *testing.B) {
	fsys, events := large(1 << 21)
	b.SetBytes(int64(len(fsys["a/0.evt"].Data) + len(fsys["a/1.evt"].Data)))
	readertest.Benchmark(b, Format(), func() *schema.Reading { return readertest.Reading(fsys, "a.otf2") }, events)
}
