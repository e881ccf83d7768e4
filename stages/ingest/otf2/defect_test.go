package otf2

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// chunked is three chunks of two events each, at 10k+1000 for chunk k.
func chunked() []byte {
	p := newPen(false, testChunk)
	for k := range uint64(3) {
		p.pad().header(2*k+1, 2*k+2).time(1000+10*k).call(evEnter, 0)
		p.time(1005+10*k).call(evLeave, 0)
	}
	return p.raw(endOfFile).bytes
}

func times(o *told) string {
	var out []string
	for _, e := range o.Events {
		out = append(out, fmt.Sprint(e.Ns))
	}
	return strings.Join(out, " ")
}

// TestDamage damages one byte, or cuts the file, and says which events are left.
func TestDamage(t *testing.T) {
	const second = testChunk
	for _, c := range []struct {
		name  string
		at    int
		value byte
		want  string
		loss  string
	}{
		{"nothing", 0, chunkHeader, "0 5 10 15 20 25", ""},
		{"header", second, 7, "0 5 20 25", "bad_record 1 a/0.evt@0x1000: expected the header of a chunk"},
		{"order of bytes", second + 1, 7, "0 5 20 25", "bad_record 1 a/0.evt@0x1000: expected the header of a chunk"},
		{"no time", second + 18, evEnter, "0 5 20 25", "bad_record 1 a/0.evt@0x1013: an event before the first time of its chunk"},
		{"length of number", second + 28, 9, "0 5 20 25", "bad_record 1 a/0.evt@0x101c: a number of more than eight bytes"},
		{"type with length", second + 27, 99, "0 5 15 20 25", "unknown_record 1 a/0.evt@0x101b: record of type 99"},
		{"length beyond", second + 38, 14, "0 5 10 20 25", "torn"},
		{"count", second + 10, 9, "0 5 10 15 20 25", "bad_record 1 a/0.evt@0x1029: the chunk does not have as many events as it says"},
		{"early end", second + 29, endOfFile, "0 5 10", "bad_record 1 a/0.evt@0x101e: the chunk does not have as many events as it says"},
		{"end mark", 2*second + 40, 3, "0 5 10 15 20 25", "torn"},
	} {
		data := chunked()
		data[c.at] = c.value
		got := listen(archive(false, global(false).raw(endOfFile).bytes, map[string][]byte{"0.evt": data, "1.evt": nil}), "a.otf2", schema.ReadingOptions{}, false)
		losses := strings.Join(got.losses(), "; ")
		if c.loss == "torn" {
			c.loss = losses
		}
		t.Log(c.name, losses)
		if times(got) != c.want || !strings.Contains(losses, c.loss) {
			t.Errorf("%s: %s and %s, want %s and %s", c.name, times(got), losses, c.want, c.loss)
		}
	}
}

// TestCut cuts the file at every byte: the events that are whole are read, and the loss is counted once.
func TestCut(t *testing.T) {
	data := chunked()
	for cut := range data {
		if cut%testChunk > 60 && cut%97 != 0 { // padding
			continue
		}
		got := listen(archive(false, global(false).raw(endOfFile).bytes, map[string][]byte{"0.evt": data[:cut], "1.evt": data}), "a.otf2", schema.ReadingOptions{}, false)
		if n := got.Ledger.Count(schema.TornRecord); n != 1 || got.Err != nil || len(got.losses()) != 1 {
			t.Fatal(cut, got.losses(), got.Err)
		}
		whole := 0
		for k := range 3 {
			for _, end := range []int{29, 40} {
				if cut >= k*testChunk+end {
					whole++
				}
			}
		}
		if len(got.Events) != 6+whole {
			t.Fatal(cut, whole, got.lines())
		}
	}
}

// TestMissing sees that a location which has fewer events than its definition says is told, though its file is whole: one that was cut behind a chunk and
// closed, one that lacks a chunk in its middle, and one that is not there. What was given up of a damaged file is counted once.
func TestMissing(t *testing.T) {
	whole := chunked()
	closed := append(slices.Clone(whole[:2*testChunk+18]), endOfFile)
	closed[2*testChunk] = chunkHeader
	for k := range 16 {
		closed[2*testChunk+2+k] = 0
	}
	closed[2*testChunk+2] = 1 // from the first event to none: an empty chunk
	damaged := slices.Clone(whole)
	damaged[testChunk] = 7
	for name, c := range map[string]struct {
		file   []byte
		events int
		want   string
	}{
		"as many": {whole, 6, ""}, "more than defined": {whole, 5, ""}, "cut and closed": {closed, 6, "missing_record 2 a/0.evt@0x2013: location rank 0/thread has 4 events, and 6 by its definition"},
		"without the middle": {slices.Concat(whole[:testChunk], whole[2*testChunk:]), 6, "missing_record 2 a/0.evt@0x1029: location rank 0/thread has 4 events, and 6 by its definition"},
		"no file":            {nil, 6, "missing_record 6 a/0.evt@0x0: location rank 0/thread: file does not exist"},
		"damaged":            {damaged, 6, "bad_record 1 a/0.evt@0x1000: expected the header of a chunk"},
	} {
		files := map[string][]byte{"1.evt": whole}
		if c.file != nil {
			files["0.evt"] = c.file
		}
		definitions := globalOf(false, c.events).raw(endOfFile).bytes
		got := listen(archive(false, definitions, files), "a.otf2", schema.ReadingOptions{}, false)
		expect.Equal(t, strings.Join(got.losses(), "; "), c.want, "%s", name)
		strict := listen(archive(false, definitions, files), "a.otf2", schema.ReadingOptions{}, true)
		expect.Equal(t, strict.Err != nil, c.want != "", "%s: strict", name)
	}
}

// TestTimeless: a chunk that does not begin with the time is lost, even if it goes on with it.
func TestTimeless(t *testing.T) {
	p := newPen(false, testChunk).header(1, 3).time(1000).call(evEnter, 0).pad()
	p.header(2, 3).call(evLeave, 0).time(1001).call(evEnter, 0).time(1002).call(evLeave, 0)
	got := listen(archive(false, global(false).raw(endOfFile).bytes, map[string][]byte{"0.evt": p.raw(endOfFile).bytes}), "a.otf2", schema.ReadingOptions{}, false)
	if times(got) != "0" || got.Ledger.Count(schema.BadRecord) != 2 { // the first one says that it has three
		t.Error(got.lines(), got.losses())
	}
}

func TestStrict(t *testing.T) {
	data := chunked()
	data[testChunk] = 7
	got := listen(archive(false, global(false).raw(endOfFile).bytes, map[string][]byte{"0.evt": data}), "a.otf2", schema.ReadingOptions{}, true)
	var at *schema.SyntaxError
	if !errors.As(got.Err, &at) || at.File != "a/0.evt" || at.Offset != testChunk {
		t.Error(got.Err)
	}
}

// TestUndefined: locations, regions and ranks that nothing defines get numbers for names.
func TestUndefined(t *testing.T) {
	p := newPen(false, testChunk).header(1, 3)
	p.time(1000).call(evEnter, 77).record(evMpiSend, 5, 0, 1, 1).call(evLeave, 77)
	got := listen(archive(false, global(false).raw(endOfFile).bytes, map[string][]byte{"5.evt": p.raw(endOfFile).bytes, "0.evt": chunked(), "1.evt": chunked()}),
		"a.otf2", schema.ReadingOptions{}, false)
	var found []string
	for _, line := range got.lines() {
		if strings.Contains(line, "location 5") {
			found = append(found, line)
		}
	}
	same(t, "event", found, []string{
		"0 process -1/location 5 enter process -1.region 77", "0 process -1/location 5 message process -1.region 77 send m0 world",
		"0 process -1/location 5 exit process -1.region 77",
	})
	same(t, "loss", got.losses(), []string{"undefined_token 4 a.def: no location 5"})
}

func TestRefused(t *testing.T) {
	fsys := archive(false, global(false).raw(endOfFile).bytes, nil)
	for name, c := range map[string]struct {
		anchor, global []byte
		want           string
	}{
		"sion":       {anchorBytes(true, substrateSION, 1), nil, "a.otf2@0x1e: the files of this archive are packed by SIONlib"},
		"none":       {anchorBytes(true, 3, 1), nil, "kept in way 3"},
		"compressed": {anchorBytes(false, 1, 2), nil, "compressed in way 2"},
		"short":      {anchorBytes(false, 1, 1)[:20], nil, "ends too soon"},
		"other":      {[]byte("OTF2"), nil, "expected the anchor file"},
		"clockless":  {anchorBytes(false, 1, 1), newPen(false, testChunk).header(1, 0).raw(endOfFile).bytes, "how long a tick"},
	} {
		fsys["a.otf2"] = &fstest.MapFile{Data: c.anchor}
		fsys["a.def"] = &fstest.MapFile{Data: c.global}
		if got := listen(fsys, "a.otf2", schema.ReadingOptions{}, false); got.Err == nil || !strings.Contains(got.Err.Error(), c.want) {
			t.Errorf("%s: %v", name, got.Err)
		}
	}
	delete(fsys, "a.def")
	fsys["a.otf2"] = &fstest.MapFile{Data: anchorBytes(false, 1, 1)}
	if got := listen(fsys, "a.otf2", schema.ReadingOptions{}, false); !errors.Is(got.Err, fs.ErrNotExist) {
		t.Error(got.Err)
	}
}

// TestNanoseconds compares with numbers of any size.
func TestNanoseconds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 100_000 {
		c := clock{resolution: random.Uint64()>>random.IntN(64) | 1, offset: random.Uint64() >> random.IntN(64)}
		at, offset := random.Uint64()>>random.IntN(64), int64(random.Uint64())>>random.IntN(64)
		ticks := new(big.Int).SetUint64(at)
		fitting := ticks.Sub(ticks, new(big.Int).SetUint64(c.offset)).IsInt64() // else it is given up early
		ticks.Add(ticks, big.NewInt(offset))
		want := new(big.Int).Mul(ticks, big.NewInt(second))
		divisor := new(big.Int).SetUint64(c.resolution)
		want.Div(want, divisor) // Euclidean: rounded down
		n, fits := c.since(at, offset)
		var ns int64
		if fits {
			ns, fits = c.nanoseconds(n)
		}
		if fits && (!want.IsInt64() || want.Int64() != ns) || !fits && fitting && ticks.IsInt64() && small(want) {
			t.Fatalf("%d + %d - %d at %d a second: %d %v, want %v", at, offset, c.offset, c.resolution, ns, fits, want)
		}
	}
}

// small reports whether a time is one that must be supported: neither it nor what it comes from is near the bounds.
func small(ns *big.Int) bool {
	return ns.IsInt64() && ns.Int64() < math.MaxInt64/4 && ns.Int64() > math.MinInt64/4
}

// TestOffset: 10 at 100, 30 at 200, -10 at 220; beyond both ends the lines go on.
func TestOffset(t *testing.T) {
	l := local{samples: []sample{{100, 10}, {200, 30}, {220, -10}}}
	interval := 0
	for _, c := range [][2]int64{{100, 10}, {150, 20}, {151, 20}, {152, 20}, {153, 21}, {200, 30}, {210, 10}, {220, -10}, {230, -30}, {50, 0}, {0, -10}, {199, 30}} {
		expect.Equal(t, l.offset(uint64(c[0]), &interval), c[1], "at %d", c[0])
	}
	l.samples = l.samples[:1]
	expect.Equal(t, l.offset(100, &interval), 0, "offset of a single record")
}

func TestTimeBeyond(t *testing.T) {
	p := newPen(false, testChunk).header(1, 4)
	p.time(1<<63+2000).call(evEnter, 0).record(evMpiSend, 0, 1, 1, 1).time(1<<63+2000).call(evLeave, 0)
	p.time(1007).call(evEnter, 0)
	got := listen(archive(false, global(false).raw(endOfFile).bytes, map[string][]byte{"0.evt": p.raw(endOfFile).bytes}), "a.otf2", schema.ReadingOptions{}, false)
	if times(got) != "7" || got.Ledger.Count(schema.UnsupportedTime) != 3 {
		t.Error(got.lines(), got.losses())
	}
}
