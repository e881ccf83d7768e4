package main

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// kiekerMap names the classes of records and strings of the logs made here.
const kiekerMap = `$0=kieker.common.record.misc.KiekerMetadataRecord
$1=kieker.common.record.flow.trace.TraceMetadata
$2=kieker.common.record.flow.trace.operation.BeforeOperationEvent
$3=kieker.common.record.flow.trace.operation.AfterOperationEvent
$4=host
$5=<no-session-id>
`

// flow is a trace of Kieker: the calls for one request, on one thread.
// It holds what is needed to write the next record: the trace, the order index of the next event, and the functions
// that are open, the innermost last.
type flow struct {
	trace int64 // number of the trace, from 1
	order int   // of the next event, from 0
	stack []int // numbers of functions
}

// flows calls visit for about so many events of traces of some 40 events, four of them at a time, each on its thread.
// Behind the last event all open calls end, so the log has no defect that a reader would count. The generator is
// seeded with constants: each call makes the same log.
func flows(events int, visit func(f *flow, thread int, ns int64, function int, enters bool)) {
	rng := rand.New(rand.NewPCG(1, 2))
	var all [threads]flow
	next, ns, open := int64(1), int64(1_500_000_000_000_000_000), 0
	for i := 0; i < events || open > 0; i++ {
		t := rng.IntN(threads)
		f := &all[t]
		if len(f.stack) == 0 {
			// A thread without a trace begins one, unless the events are enough.
			if i >= events {
				continue
			}
			*f = flow{trace: next, stack: f.stack}
			next++
		}
		// The first event enters; a trace grows to some 40 events and then only leaves.
		enters := len(f.stack) == 0 || i < events && f.order < 40 && len(f.stack) < deepest && rng.IntN(2) == 0
		if enters {
			f.stack = append(f.stack, rng.IntN(functions))
			open++
		}
		ns += 1 + rng.Int64N(2000)
		visit(f, t, ns, f.stack[len(f.stack)-1], enters)
		if f.order++; !enters {
			f.stack = f.stack[:len(f.stack)-1]
			open--
		}
	}
}

// kiekerClass names the class of a function, as long as names of classes in Java usually are.
func kiekerClass(function int) string {
	return fmt.Sprintf("org.example.shop.catalogue.Component%d", function%units)
}

// kiekerSignature names a function as Kieker writes it into each record, with its parameters.
func kiekerSignature(function int) string {
	return fmt.Sprintf("public void %s.operation%d(java.lang.String, int)", kiekerClass(function), function)
}

// makeKiekerText writes the log of events before and after operations, with the records that traces begin with.
// A record was logged 90 ns behind the event that it is of, which readers ignore.
func makeKiekerText(f *folder, events int) {
	f.create("kieker.map").say(kiekerMap)
	out := f.create("kieker-001.dat")
	out.say("$0;1500000000000000000;1.14;controller;host;1;false;0;NANOSECONDS;0\n")
	flows(events, func(w *flow, thread int, ns int64, function int, enters bool) {
		// Order 0 is the first event of a trace, before which its metadata stand.
		if w.order == 0 {
			out.say("$1;%d;%d;%d;<no-session-id>;host;-1;-1\n", ns, w.trace, thread+1)
		}
		kind := 3
		if enters {
			kind = 2
		}
		out.say("$%d;%d;%d;%d;%d;%s;%s\n", kind, ns+90, ns, w.trace, w.order, kiekerSignature(function), kiekerClass(function))
	})
}

// Numbers of strings: apart from those of kieker.map's own, so that none of them meets another.
const kiekerClasses, kiekerSignatures = 1000, 2000

// makeKiekerBinary writes the same as bytes; strings stand in the map.
func makeKiekerBinary(f *folder, events int) {
	table := f.create("kieker.map")
	table.say(kiekerMap)
	for i := range functions {
		table.say("$%d=%s\n$%d=%s\n", kiekerClasses+i, kiekerClass(i), kiekerSignatures+i, kiekerSignature(i))
	}
	makeKiekerRecords(f.create("kieker-001.bin"), events)
}

// makeKiekerStream writes what a TCP writer sends: the strings as entries of a registry, then the same records.
func makeKiekerStream(f *folder, events int) {
	out := f.create("trace")
	entry := func(number int, text string) {
		out.big(4, 1<<32-1)
		out.big(4, uint64(number))
		out.big(4, uint64(len(text)))
		out.say("%s", text)
	}
	for i, line := range strings.Split(strings.TrimSpace(kiekerMap), "\n") {
		_, text, _ := strings.Cut(line, "=")
		entry(i, text)
	}
	for i := range functions {
		entry(kiekerClasses+i, kiekerClass(i))
		entry(kiekerSignatures+i, kiekerSignature(i))
	}
	makeKiekerRecords(out, events)
}

// makeKiekerRecords writes records as bytes.
// Numbers are big-endian; parent trace and parent order of a trace are -1, which means none.
func makeKiekerRecords(out *file, events int) {
	flows(events, func(w *flow, thread int, ns int64, function int, enters bool) {
		// Metadata of a trace: its class, time, number, thread, session and host, and no parent.
		if w.order == 0 {
			out.big(4, 1)
			for _, n := range []int64{ns, w.trace, int64(thread + 1)} {
				out.big(8, uint64(n))
			}
			out.big(4, 5)
			out.big(4, 4)
			out.big(8, 1<<64-1)
			out.big(4, 1<<32-1)
		}
		kind := uint64(3)
		if enters {
			kind = 2
		}
		// The record: class, time of logging, time, trace, order, signature and class of the operation.
		out.big(4, kind)
		for _, n := range []int64{ns + 90, ns, w.trace} {
			out.big(8, uint64(n))
		}
		out.big(4, uint64(w.order))
		out.big(4, uint64(kiekerSignatures+function))
		out.big(4, uint64(kiekerClasses+function))
	})
}
