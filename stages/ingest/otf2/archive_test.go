package otf2

import (
	"encoding/binary"
	"fmt"
	"testing/fstest"
)

// pen writes the bytes of an archive by the grammar in doc.go.
type pen struct {
	byteOrder
	bytes []byte
	mark  byte // of the order of bytes
	chunk int
}

// byteOrder is an order of bytes.
type byteOrder interface {
	binary.AppendByteOrder
	binary.ByteOrder
}

func newPen(big bool, chunk int) *pen {
	if big {
		return &pen{byteOrder: binary.BigEndian, mark: bigEndian, chunk: chunk}
	}
	return &pen{byteOrder: binary.LittleEndian, mark: littleEndian, chunk: chunk}
}

func (p *pen) raw(b ...byte) *pen { p.bytes = append(p.bytes, b...); return p }
func (p *pen) full(n uint64) *pen { p.bytes = p.AppendUint64(p.bytes, n); return p }

// compressed is a number with as few bytes as it needs; all ones is the undefined one.
func (p *pen) compressed(n uint64) []byte {
	if n == undefined {
		return []byte{0xff}
	}
	b := binary.BigEndian.AppendUint64(nil, n)
	for len(b) > 0 && b[0] == 0 {
		b = b[1:]
	}
	if p.mark == littleEndian {
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
	return append([]byte{byte(len(b))}, b...)
}

// record writes a record of a length: numbers are compressed, bytes and texts stand as they are.
func (p *pen) record(kind byte, attributes ...any) *pen {
	body := p.attributes(attributes...)
	if len(body) < 0xff {
		p.raw(kind, byte(len(body)))
	} else {
		p.raw(kind, 0xff).full(uint64(len(body)))
	}
	return p.raw(body...)
}

func (p *pen) attributes(attributes ...any) (body []byte) {
	for _, a := range attributes {
		switch a := a.(type) {
		case int:
			body = append(body, p.compressed(uint64(a))...)
		case uint64:
			body = append(body, p.compressed(a)...)
		case byte:
			body = append(body, a)
		case string:
			body = append(append(body, a...), 0)
		case [8]byte: // a full number, made by word
			body = append(body, a[:]...)
		default:
			panic(fmt.Sprintf("%T", a))
		}
	}
	return body
}

// word is a full number as an attribute.
func (p *pen) word(n uint64) (w [8]byte) { copy(w[:], p.AppendUint64(nil, n)); return w }

func (p *pen) header(first, last uint64) *pen {
	return p.raw(chunkHeader, p.mark).full(first).full(last)
}

// event is an event at a time; compressed numbers for those without a length.
func (p *pen) time(t uint64) *pen { return p.raw(evTime).full(t) }
func (p *pen) call(kind byte, region uint64) *pen {
	return p.raw(kind).raw(p.compressed(region)...)
}

// pad fills the chunk.
func (p *pen) pad() *pen {
	for len(p.bytes)%p.chunk != 0 {
		p.raw(endOfChunk)
	}
	return p
}

// testChunk is the chunk size of the archives made here.
const testChunk = 4096

func anchorBytes(big bool, substrate, compression byte) []byte {
	p := newPen(big, testChunk)
	p.raw(chunkHeader, p.mark).raw([]byte("OTF2\x00\x03\x02\x03\x00\x02")...).full(testChunk).full(testChunk)
	return p.raw(substrate, compression).full(2).full(9).raw([]byte("m\x00c\x00d\x00")...).raw(endOfFile).bytes
}

// rank names of the archives made here.
var texts = []string{"", "main", "MPI_Send", "main.c", "MPI", "rank 0", "rank 1", "thread", "world", "work"}

// global writes definitions of two processes of a thread each, and of regions 0 main, 1 MPI_Send, 2 work.
func global(big bool) *pen { return globalOf(big, 0) }

// globalOf is global where both locations have so many events by their definitions.
func globalOf(big bool, events int) *pen {
	p := newPen(big, testChunk).header(1, 0)
	p.record(defRegion, 0, 1, 0, byte(0), 3, 5, 80, 1, byte(0), byte(1), 0) // before its strings
	p.record(defRegion, 1, 2, 0, byte(0), 4, 0, 0, 2, byte(0), byte(4), 0)
	p.record(defRegion, 2, 9, 0, byte(0), undefined, 0, 0, 9, byte(0), byte(1), 0)
	for i, s := range texts {
		p.record(defString, i, s)
	}
	p.record(defClock, 1_000_000_000, 1000, 5000, undefined)
	p.record(defParadigm, byte(4), 4, byte(0))
	for i := range 2 {
		p.record(defLocationGroup, i, 5+i, byte(1), undefined, undefined)
		p.record(defLocation, i, 7, byte(1), events, i)
	}
	p.record(defGroup, 0, 0, byte(0), 2, 1, 0, byte(groupCommLocations), byte(4), 0)
	p.record(defGroup, 1, 0, byte(0), 2, 1, 0, byte(groupComm), byte(4), 0) // rank 0 is location 0 after all
	p.record(defGroup, 2, 0, byte(0), 0, byte(groupCommSelf), byte(4), 0)
	p.record(defComm, 0, 8, 1, undefined, 0)
	p.record(defComm, 1, 0, 2, undefined, 0)
	return p
}

// archive puts files together: local definitions may be nil.
func archive(big bool, global []byte, files map[string][]byte) fstest.MapFS {
	out := fstest.MapFS{
		"a.otf2": {Data: anchorBytes(big, substratePlain, uncompressed)},
		"a.def":  {Data: global},
	}
	for name, data := range files {
		out["a/"+name] = &fstest.MapFile{Data: data}
	}
	return out
}
