package skewed

import (
	"encoding/binary"
	"slices"
)

// Records of OTF2 3.0 that the archive has, as its library writes them.
const (
	otfTime, otfEnter, otfLeave, otfSend, otfReceive                                        = 5, 12, 13, 14, 18
	defClock, defParadigm, defString, defGroupOfLocations, defLocation, defRegion, defGroup = 5, 6, 10, 13, 14, 15, 18
	defComm                                                                                 = 22
	none                                                                                    = ^uint64(0)
	otfChunk                                                                                = 4096
	little                                                                                  = 0x42
)

// ArchiveZero is the start of the archive that OTF2 makes, ns since 1970, from which readers count times.
const ArchiveZero = Epoch - 1_000_000_000

// OTF2 is the trace as an OTF2 archive of three ranks, by the names of its files. Requests must not overlap, as a rank has one stack.
// Clock offsets are not in the archive.
func (t *Trace) OTF2() map[string][]byte {
	ranks := []string{"front-1", "back-1", "db-1"}
	functions := []string{"GET", "call", "handle", "query", "select"}
	files := map[string][]byte{"a.otf2": anchor(), "a.def": definitions(ranks, functions)}
	type event struct {
		ns       int64
		function int
		kind     byte
		peer     int // of a message before or behind it; -1: none
		sends    bool
	}
	events := make([][]event, len(ranks))
	for _, spans := range t.requests() {
		for i, s := range spans {
			rank, peer := slices.Index(ranks, s.instance), []int{-1, 1, 0, 2, 1}[i]
			asks := i == 1 || i == 3
			events[rank] = append(events[rank], event{t.shown(s.instance, s.from), i, otfEnter, peer, asks}, event{t.shown(s.instance, s.to), i, otfLeave, peer, !asks})
		}
	}
	for rank, list := range events {
		slices.SortStableFunc(list, func(a, b event) int { return int(a.ns - b.ns) })
		p := new(archivePen)
		for _, e := range list {
			p.room(64)
			p.bytes = binary.LittleEndian.AppendUint64(append(p.bytes, otfTime), uint64(e.ns))
			message := func() {
				kind := byte(otfReceive)
				if e.sends {
					kind = otfSend
				}
				if e.peer >= 0 {
					p.record(kind, uint64(e.peer), 0, 7, 64)
					p.count++
				}
			}
			if e.kind == otfLeave {
				message()
			}
			p.record(e.kind, uint64(e.function))
			p.count++
			if e.kind == otfEnter {
				message()
			}
		}
		files["a/"+string(rune('0'+rank))+".evt"] = p.file()
	}
	return files
}

// anchor is the file that names the archive.
func anchor() []byte {
	b := append([]byte{3, little}, "OTF2\x00\x03\x02\x03\x00\x02"...)
	b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, otfChunk), otfChunk)
	b = binary.LittleEndian.AppendUint64(append(b, 1, 1), 3)
	b = binary.LittleEndian.AppendUint64(b, 20)
	return append(append(b, "m\x00c\x00d\x00"...), 2)
}

// definitions are the global ones: a process of one location each, and regions of no file.
func definitions(ranks, functions []string) []byte {
	p := new(archivePen)
	p.room(otfChunk)
	texts := slices.Concat([]string{"", "world"}, ranks, functions)
	text := func(s string) uint64 { return uint64(slices.Index(texts, s)) }
	for i, s := range texts {
		p.whole(defString, append(number(uint64(i)), append([]byte(s), 0)...))
	}
	clock := append(number(1_000_000_000), number(ArchiveZero)...)
	p.whole(defClock, append(append(clock, number(1<<40)...), number(none)...))
	p.whole(defParadigm, append(append([]byte{4}, number(1)...), 0))
	var members []byte
	for i, r := range ranks {
		n := uint64(i)
		p.whole(defGroupOfLocations, slices.Concat(number(n), number(text(r)), []byte{1}, number(none), number(none)))
		p.whole(defLocation, slices.Concat(number(n), number(text(r)), []byte{1}, number(1<<20), number(n)))
		members = append(members, number(n)...)
	}
	for i, f := range functions {
		p.whole(defRegion, slices.Concat(number(uint64(i)), number(text(f)), number(0), []byte{0}, number(none), number(0), number(0), number(0), []byte{0, 1}, number(0)))
	}
	p.whole(defGroup, slices.Concat(number(0), number(0), []byte{0}, number(3), members, []byte{4, 4}, number(0)))
	p.whole(defGroup, slices.Concat(number(1), number(0), []byte{0}, number(3), members, []byte{5, 4}, number(0)))
	p.whole(defComm, slices.Concat(number(0), number(1), number(1), number(none), number(0)))
	return p.file()
}

// archivePen writes the records of one file in chunks.
type archivePen struct {
	bytes         []byte
	before, count uint64 // events before the chunk in hand, and up to here
}

// numberEvents writes the numbers of the events of the chunk in hand in its header; a chunk of definitions has those from 1 to 0.
func (p *archivePen) numberEvents() {
	at := (len(p.bytes) - 1) / otfChunk * otfChunk
	binary.LittleEndian.PutUint64(p.bytes[at+2:], p.before+1)
	binary.LittleEndian.PutUint64(p.bytes[at+10:], p.count)
	p.before = p.count
}

// room begins a chunk where the one in hand has not so much room left.
func (p *archivePen) room(bytes int) {
	if used := len(p.bytes) % otfChunk; len(p.bytes) > 0 && (used == 0 || used+bytes <= otfChunk) {
		return
	}
	if len(p.bytes) > 0 {
		p.numberEvents()
		p.bytes = append(p.bytes, 0)
		p.bytes = append(p.bytes, make([]byte, (otfChunk-len(p.bytes)%otfChunk)%otfChunk)...)
	}
	p.bytes = append(append(p.bytes, 3, little), make([]byte, 16)...)
}

// record writes a record of numbers, with its length.
func (p *archivePen) record(kind byte, numbers ...uint64) {
	var body []byte
	for _, n := range numbers {
		body = append(body, number(n)...)
	}
	if kind == otfEnter || kind == otfLeave { // these have no length
		p.bytes = append(append(p.bytes, kind), body...)
		return
	}
	p.whole(kind, body)
}

func (p *archivePen) whole(kind byte, body []byte) {
	p.bytes = append(append(p.bytes, kind, byte(len(body))), body...)
}

// file is the file once all is written.
func (p *archivePen) file() []byte {
	p.numberEvents()
	return append(p.bytes, 2)
}

// number is a compressed number.
func number(n uint64) []byte {
	if n == none {
		return []byte{0xff}
	}
	b := []byte{0}
	for ; n > 0; n >>= 8 {
		b = append(b, byte(n))
	}
	b[0] = byte(len(b) - 1)
	return b
}
