package main

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// functionAt is the address of a function in traces that have addresses.
// Functions are 16 bytes apart from the usual start of the code of a program that is not relocated.
func functionAt(function int) uint64 { return 0x401000 + 16*uint64(function) }

// makeUftrace writes the data folder of uftrace: version 4 of the data, symbols relative to the module.
// The header of info is 40 bytes: magic, version, size, byte order and word size, features, kinds of information, and
// the greatest depth of the stack. A record of a thread is two words: the time, and from the lowest bit up the kind (2
// bits), a flag for more data (1), magic (3), depth (10) and address (48).
func makeUftrace(f *folder, events int) {
	for _, file := range uftraceFiles() {
		f.create(file.name).say("%s", file.text)
	}
	var data [threads]*file
	for t := range data {
		data[t] = f.create(fmt.Sprintf("%d.dat", 701+t))
	}
	uftraceRecords(events, func(thread int, record []byte) { data[thread].Write(record) })
}

// makeUftraceStream writes what uftrace record --host sends of the same: messages of 64 KiB of records, then the files, of which info has a header
// that is big-endian. A message has two bytes each of magic and type, and four of length.
func makeUftraceStream(f *folder, events int) {
	out := f.create("trace")
	message := func(kind uint64, pieces ...string) {
		out.big(2, 0xface)
		out.big(2, kind)
		all := strings.Join(pieces, "")
		out.big(4, uint64(len(all)))
		out.WriteString(all)
	}
	message(101, "uftrace.data")
	var data [threads][]byte
	flush := func(thread int) {
		message(102, string(binary.BigEndian.AppendUint32(nil, uint32(701+thread))), string(data[thread]))
		data[thread] = data[thread][:0]
	}
	uftraceRecords(events, func(thread int, record []byte) {
		if data[thread] = append(data[thread], record...); len(data[thread]) >= 1<<16 {
			flush(thread)
		}
	})
	for t := range data {
		flush(t)
	}
	for _, file := range uftraceFiles() {
		if file.name != "info" {
			message(106, string(binary.BigEndian.AppendUint32(nil, uint32(len(file.name)))), file.name, file.text)
			continue
		}
		head := []byte(file.text[:40])
		for _, field := range [][2]int{{8, 12}, {12, 14}, {16, 24}, {24, 32}, {32, 34}} {
			slices.Reverse(head[field[0]:field[1]])
		}
		message(105, string(head), file.text[40:])
	}
	message(107)
}

// uftraceFiles are the files beside the records.
func uftraceFiles() []struct{ name, text string } {
	// 1. The header and the lines of information, then the map of the module: symbols are relative to where it begins.
	info := []byte("Ftrace!\x00")
	info = binary.LittleEndian.AppendUint32(info, 4)
	info = append(binary.LittleEndian.AppendUint16(info, 40), 1, 2)
	info = binary.LittleEndian.AppendUint64(info, 1<<1|1<<5) // task.txt is there, symbols are relative
	info = binary.LittleEndian.AppendUint64(info, 1<<0|1<<7) // the lines below
	info = binary.LittleEndian.AppendUint64(info, 1024)
	info = fmt.Appendf(info, "exename:/bin/program\ntaskinfo:lines=2\ntaskinfo:nr_tid=%d\ntaskinfo:tids=701,702,703,704\n", threads)
	// 2. Symbols with their addresses in the module, up to the mark at the end.
	symbols := fmt.Appendf(nil, "# symbols: %d\n# path name: /bin/program\n# build-id: 00112233445566778899aabbccddeeff00112233\n", functions+1)
	for i := range functions {
		symbols = fmt.Appendf(symbols, "%016x T function_%d\n", functionAt(i)-0x400000, i)
	}
	symbols = fmt.Appendf(symbols, "%016x ? __sym_end\n", functionAt(functions)-0x400000)
	// 3. The session and its threads.
	tasks := "SESS timestamp=0.000000001 pid=701 sid=a exename=\"/bin/program\"\n"
	for t := range threads {
		tasks += fmt.Sprintf("TASK timestamp=0.000000002 tid=%d pid=701\n", 701+t)
	}
	return []struct{ name, text string }{
		{"info", string(info)}, {"program.sym", string(symbols)}, {"task.txt", tasks},
		{"sid-a.map", "00400000-00500000 r-xp 00000000 00:00 0                          /bin/program build-id:00112233445566778899aabbccddeeff00112233\n"},
	}
}

// uftraceRecords makes the records of the threads.
func uftraceRecords(events int, write func(thread int, record []byte)) {
	var record [16]byte
	walk(events, func(s step) {
		// Magic 5 marks a record that was written whole.
		word := functionAt(s.function)<<16 | uint64(s.depth)<<6 | 5<<3
		if !s.enters {
			word |= 1
		}
		binary.LittleEndian.PutUint64(record[:], uint64(s.ns))
		binary.LittleEndian.PutUint64(record[8:], word)
		write(s.thread, record[:])
	})
}

// makeRawBinary writes the binary log of our recorder: 32 bytes a record with time, function, call site, thread, and 0
// for an entry or 1 for an exit.
func makeRawBinary(f *folder, events int) {
	log := f.create("trace.log")
	// Times, addresses and threads are little-endian, as the recorder writes them on the machines it runs on.
	walk(events, func(s step) {
		kind := uint64(1)
		if s.enters {
			kind = 0
		}
		log.little(8, uint64(s.ns))
		log.little(8, functionAt(s.function))
		log.little(8, functionAt(s.function)+4)
		log.little(4, uint64(701+s.thread))
		log.little(4, kind)
	})
}

// makeRawText writes the same log as text, a line a record.
func makeRawText(f *folder, events int) {
	log := f.create("trace.log")
	// A line is the time in ns, the thread, E or X, the function and the call site.
	walk(events, func(s step) {
		kind := 'X'
		if s.enters {
			kind = 'E'
		}
		log.say("%d %d %c 0x%x 0x%x\n", s.ns, 701+s.thread, kind, functionAt(s.function), functionAt(s.function)+4)
	})
}

// makeUftraceDump writes what uftrace dump prints, for one thread after the other in the real text and by time here,
// which the reader sorts either way.
func makeUftraceDump(f *folder, events int) {
	out := f.create("trace.txt")
	walk(events, func(s step) {
		kind := "exit "
		if s.enters {
			kind = "entry"
		}
		// Seconds and nanoseconds are written apart, with a point.
		out.say("%d.%09d %d: [%s] function_%d(%x) depth: %d\n", s.ns/1e9, s.ns%1e9, 701+s.thread, kind, s.function, functionAt(s.function), s.depth)
	})
}

// makeBabeltrace writes what babeltrace2 prints of LTTng's events of functions.
// The names of the events and their fields are those of liblttng-ust-cyg-profile.so, which traces programs that are
// built with -finstrument-functions.
func makeBabeltrace(f *folder, events int) {
	out := f.create("trace.txt")
	walk(events, func(s step) {
		kind, at := "exit", functionAt(s.function)
		if s.enters {
			kind = "entry"
		}
		// The clock is that of the epoch, as LTTng corrects it; the walk's own times begin at 0.
		out.say("[%d.%09d] (+0.000000100) here lttng_ust_cyg_profile:func_%s: { cpu_id = %d }, { vtid = %d, vpid = 701, procname = \"program\" }, { addr = 0x%X, call_site = 0x%X }\n",
			1_700_000_000+s.ns/1e9, s.ns%1e9, kind, s.thread, 701+s.thread, at, at+4)
	})
}
