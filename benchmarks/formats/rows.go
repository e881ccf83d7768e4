package main

import (
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/export/chrome"
	"github.com/tracelake/tracelake/stages/export/etf"
	"github.com/tracelake/tracelake/stages/export/otf1"
)

// writer is one of the formats that runs are exported in.
type writer interface {
	Write(*schema.Events) error
	Close() error
}

// exported writes the walk as a run is exported.
// It takes the way of analyze export: columns in blocks, with names as codes. So the trace is what a user of the
// export gets, and a change of a writer shows in the measurement of its reader.
func exported(w writer, events int) error {
	// 1. Names come first: their codes are their positions, which the walk's numbers then are.
	names := new(schema.Names)
	for f := range functions {
		names.Functions.Code(fmt.Sprintf("function_%d", f))
	}
	for u := range units {
		names.Components.Code(fmt.Sprintf("unit_%d", u))
	}
	for t := range threads {
		names.Lifelines.Code(fmt.Sprintf("program/%d", t+1))
	}
	names.Series.Code("m")
	names.Messages.Code("m")
	ev := &schema.Events{Names: names}
	// 2. Rows go out in blocks of the size that an export uses.
	var failed error
	flush := func() {
		if err := w.Write(ev); failed == nil { // the first error is kept
			failed = err
		}
		empty(ev)
	}
	// 3. The walk. The peer is the other end of a message, which a pair of its ends tells.
	messages := exchanges(events)
	walk(events, func(s step) {
		addRow(ev, s)
		if number := s.sends + s.receives; number != 0 { // a step has one of both at most: the other is 0
			ev.Peer[len(ev.Peer)-1] = unitOf(messages[number].peer(s))
		}
		if len(ev.TimeNs) == schema.BlockEvents {
			flush()
		}
	})
	flush() // what the last block has
	if err := w.Close(); failed == nil {
		failed = err
	}
	return failed
}

// empty takes all rows out of the columns that addRow fills.
// Their memory is kept for the next block.
func empty(ev *schema.Events) {
	*ev = schema.Events{
		Names: ev.Names, Seq: ev.Seq[:0], TimeNs: ev.TimeNs[:0], Component: ev.Component[:0], Lifeline: ev.Lifeline[:0],
		Function: ev.Function[:0], Kind: ev.Kind[:0], Message: ev.Message[:0], Series: ev.Series[:0], MessageID: ev.MessageID[:0],
		Direction: ev.Direction[:0], Peer: ev.Peer[:0], ExecutionType: ev.ExecutionType[:0], Synthetic: ev.Synthetic[:0],
	}
}

// unitOf is the component of a call.
func unitOf(s step) schema.Code { return schema.Code(s.function % units) }

// addRow appends an event with all its columns. The peer of a message is set by the caller, who knows the other end.
// Where no message is, all columns of messages are empty by their own words for it.
func addRow(ev *schema.Events, s step) {
	kind, direction, message, id := schema.Exit, schema.NoMessage, schema.NoCode, schema.NoValue
	if s.enters {
		kind = schema.Enter
	}
	if s.sends != 0 {
		direction, message, id = schema.Send, 0, s.sends
	} else if s.receives != 0 {
		direction, message, id = schema.Receive, 0, s.receives
	}
	ev.Seq = append(ev.Seq, int64(len(ev.Seq))) // from 0 in every block
	ev.TimeNs = append(ev.TimeNs, s.ns)
	ev.Component = append(ev.Component, unitOf(s))
	ev.Lifeline = append(ev.Lifeline, schema.Code(s.thread))
	ev.Function = append(ev.Function, schema.Code(s.function))
	ev.Kind = append(ev.Kind, kind)
	ev.Message = append(ev.Message, message)
	ev.Series = append(ev.Series, message)
	ev.MessageID = append(ev.MessageID, id)
	ev.Direction = append(ev.Direction, direction)
	ev.Peer = append(ev.Peer, schema.NoCode)
	ev.ExecutionType = append(ev.ExecutionType, schema.NoCode)
	ev.Synthetic = append(ev.Synthetic, false)
}

// makeOTF1 writes a trace of OTF 1, which is several files that the writer asks for by name.
func makeOTF1(f *folder, events int) {
	create := func(name string) (io.WriteCloser, error) { return shut{f.create(name)}, f.err }
	f.fail(exported(otf1.NewWriter(create, "trace"), events))
}

// shut leaves closing to the folder.
type shut struct{ *file }

func (shut) Close() error { return nil }

// makeETF and makeChrome write a trace of one file.
func makeETF(f *folder, events int) { f.fail(exported(etf.NewWriter(f.create("trace.etf")), events)) }
func makeChrome(f *folder, events int) {
	f.fail(exported(chrome.NewWriter(f.create("trace.json")), events))
}
