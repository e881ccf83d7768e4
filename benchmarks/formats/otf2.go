package main

import (
	"encoding/binary"
	"fmt"
)

// The archive that makeOTF2 writes is of four processes of one thread each; its chunks are as large as those of Score-P.
// Package ingest/otf2 has the grammar.
const (
	otf2Events      = 1 << 20 // bytes of a chunk of events
	otf2Definitions = 1 << 22 // of definitions, which are one chunk
	otf2Undefined   = 1<<64 - 1
)

// otf2End is what files end with: the mark, and one of a buffer behind it.
var otf2End = []byte{2, 1}

// attributes are the attributes of a record, or whole records.
// Its methods append and return the result, so that a record reads as one chain of its parts.
type attributes []byte

// number adds numbers, each with as few bytes as it needs.
// The first byte says how many follow, the lowest first; 0xff stands for undefined.
func (a attributes) number(all ...uint64) attributes {
	for _, n := range all {
		if n == otf2Undefined {
			a = append(a, 0xff)
			continue
		}
		at := len(a)
		// A place is kept for the number of bytes, which is known at the end.
		a = append(a, 0)
		for ; n > 0; n >>= 8 {
			a = append(a, byte(n))
			a[at]++
		}
	}
	return a
}

// raw adds bytes as they are.
func (a attributes) raw(all ...byte) attributes { return append(a, all...) }

// word adds a number of eight bytes, the lowest first.
func (a attributes) word(n uint64) attributes { return binary.LittleEndian.AppendUint64(a, n) }

// record adds a record with its length.
// All records here are shorter than 255 bytes, whose length is one byte.
func (a attributes) record(kind byte, of attributes) attributes {
	return append(append(a, kind, byte(len(of))), of...)
}

// header begins a chunk: the mark, the byte order, and the numbers of its first and last event.
func (a attributes) header(first, last uint64) attributes {
	return a.raw(3, 'B').word(first).word(last)
}

// location is the file of events of a thread.
// Its chunks are filled in memory and written whole, as their header says which events they hold.
type location struct {
	to      *file
	chunk   attributes // under way
	first   uint64     // event of the chunk, from 1
	written uint64     // events so far
}

// room completes the chunk where another event might not fit into it.
// Chunks have a fixed size and are padded with zeros.
func (l *location) room() {
	if len(l.chunk) > 0 && len(l.chunk) < otf2Events-64 {
		return
	}
	if len(l.chunk) > 0 {
		l.flush()
		l.to.Write(make([]byte, otf2Events-len(l.chunk)))
	}
	l.first = l.written + 1
	l.chunk = l.chunk[:0].header(0, 0)
}

// flush writes the chunk under way, with the numbers of its events in its header.
func (l *location) flush() {
	// Behind the mark and byte order stand the numbers of the first and last event.
	binary.LittleEndian.PutUint64(l.chunk[2:], l.first)
	binary.LittleEndian.PutUint64(l.chunk[10:], l.written)
	l.to.Write(l.chunk)
}

// step writes an event, and the message of it as a record of its own.
// A message names the thread at its other end, which is why the exchanges are known beforehand.
func (l *location) step(s step, all map[int64]exchange) {
	l.room()
	kind := byte(13) // LEAVE
	if s.enters {
		kind = 12
	}
	// 5 is the time stamp of what follows; the regions of functions have their numbers.
	l.chunk = l.chunk.raw(5).word(uint64(s.ns)).raw(kind).number(uint64(s.function))
	l.written++
	if message := s.sends + s.receives; message != 0 {
		kind := byte(14) // MPI_SEND
		if s.receives != 0 {
			kind = 18
		}
		l.chunk = l.chunk.record(kind, attributes(nil).number(uint64(all[message].peer(s).thread), 0, 1, 8))
		l.written++
	}
}

// makeOTF2 writes an archive: the anchor, the global definitions, and for each location a file of events and one of
// local definitions, which is empty. The anchor has the number of definitions, so it is written last.
func makeOTF2(f *folder, events int) {
	messages := exchanges(events)
	var all [threads]location
	// 1. A file for each location, and its empty definitions.
	for t := range all {
		all[t].to = f.create(fmt.Sprintf("trace/%d.evt", t))
		all[t].room()
		f.create(fmt.Sprintf("trace/%d.def", t)).Write(attributes(nil).header(1, 0).raw(otf2End...))
	}
	// 2. The events of all threads, in the order of time.
	walk(events, func(s step) { all[s.thread].step(s, messages) })
	// 3. Global definitions, which have the number of events of each location, and the anchor with their number.
	var counts [threads]uint64
	definitions := 0
	for t := range all {
		all[t].flush()
		all[t].to.Write(otf2End)
		counts[t] = all[t].written
	}
	body := globalDefinitions(counts, &definitions)
	f.create("trace.def").Write(attributes(nil).header(1, 0).raw(body...).raw(otf2End...))
	anchor := attributes(nil).raw(3, 'B').raw([]byte("OTF2\x00\x03\x02\x03\x00\x02")...).word(otf2Events).word(otf2Definitions)
	f.create("trace.otf2").Write(anchor.raw(1, 1).word(threads).word(uint64(definitions)).raw([]byte("m\x00c\x00d\x00")...).raw(0, 0, 0, 0).word(1).word(0).raw(otf2End...).raw(0))
}

// globalDefinitions writes what events refer to, and counts it.
// The kinds are those of OTF2: 5 clock properties, 10 string, 12 system tree node, 13 location group, 14 location, 15
// region, 18 group, 22 communicator. A string is defined before what refers to it.
func globalDefinitions(counts [threads]uint64, n *int) (out attributes) {
	names := uint64(0)
	add := func(kind byte, of attributes) { out = out.record(kind, of); *n++ }
	name := func(format string, values ...any) uint64 {
		add(10, attributes(nil).number(names).raw(fmt.Appendf(nil, format+"\x00", values...)...))
		names++
		return names - 1
	}
	none := attributes(nil)
	add(5, none.number(1e9, 0, 1<<40, otf2Undefined))
	// Names of things come before them: the machine, its ranks and threads, the units, the functions.
	nothing := name("")
	machine := name("machine")
	add(12, none.number(0, machine, nothing, otf2Undefined))
	for t := range uint64(threads) {
		rank, thread := name("rank %d", t), name("thread")
		add(13, none.number(t, rank).raw(1).number(0, otf2Undefined))
		add(14, none.number(t, thread).raw(1).number(counts[t], t))
		// A rank is a location group of its own, with one location.
	}
	for u := range units {
		name("unit_%d.c", u)
	}
	first := names - units
	for f := range uint64(functions) {
		function := name("function_%d", f)
		add(15, none.number(f, function, nothing).raw(1).number(first+f%units, f, f+9, function).raw(1, 2).number(0))
	}
	// The world: groups of locations, and the communicator that messages name.
	world := name("world")
	for kind := range uint64(2) { // the locations of MPI; all of them
		add(18, none.number(kind, world, 0, threads, 0, 1, 2, 3).raw(byte(4+kind), 4).number(0))
	}
	add(22, none.number(0, world, 1, otf2Undefined, 0))
	return out
}
