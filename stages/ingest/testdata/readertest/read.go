// Package readertest reads traces for the tests of readers and parsers: it shows what a reader gives out as events with
// their names, refuses what no reader may give out, and finds recorded traces (recordings.go). Only tests import it.
package readertest

import (
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Event is a row of a block with its key and mark looked up, so that rows of different readers compare.
type Event struct {
	Line int                // of the text, from 0; 0 for readers that do not tell
	Ns   int64              // time in ns, of the clock that the format names
	Key  schema.EventKey    // names of component, lifeline and function, and the kind
	Mark schema.MessageMark // direction, series and label; the zero value without a message
	ID   int64              // of the message, schema.NoValue without one
}

// String shows an event: time, lifeline, component, ">" for an enter, "<" for an exit or "=" for a further message,
// function, and the message with "!" for a send and "?" for a receive.
func (e Event) String() string {
	// The letters are indexed by schema.Kind and schema.Direction.
	text := fmt.Sprintf("%d %s %s %c %s", e.Ns, e.Key.Lifeline, e.Key.Component, "><="[e.Key.Kind], e.Key.Function)
	if e.Mark.Direction != schema.NoMessage {
		text += fmt.Sprintf(" %c%s%d (%s)", signs[e.Mark.Direction], e.Mark.Series, e.ID, e.Mark.Label)
	}
	return text
}

// Result is what became of a trace.
type Result struct {
	Events []Event
	Keys   []schema.EventKey // of the reader at its end, also those that no event has
	Ledger *schema.Ledger    // of the reading
	Said   []string          // sentences on the traces, of a ClockReader
	Notes  []schema.Note     // of all blocks
	Blocks int               // how many blocks the reader gave out
	Err    error             // of the reader, or what is wrong with a block
}

// Reading returns a reading of one trace with a megabyte of memory, scratch files and a ledger.
func Reading(fsys fs.FS, path string) *schema.Reading {
	return &schema.Reading{Traces: []schema.Trace{{FS: fsys, Path: path}}, Memory: 1 << 20, Ledger: new(schema.Ledger),
		Scratch: nameless}
}

// nameless opens a scratch file that nobody need remove: it is gone when it is closed, and when the process is killed.
func nameless() (schema.Scratch, error) {
	f, err := os.CreateTemp("", "scratch")
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

// Read reads the traces of a reading with a format and checks every block.
func Read(format schema.Format, reading *schema.Reading) *Result {
	reader := format.NewReader(reading)
	out := &Result{Ledger: reading.Ledger}
	// Keys are asked for at the end, since a reader adds them while it reads.
	out.Err = reader.Read(out.Collect(reader))
	for _, k := range schema.KeysSince(reader.Keys(), 0) {
		out.Keys = append(out.Keys, k)
	}
	if says, ok := reader.(schema.ClockReader); ok {
		_, out.Said = says.Clocks()
	}
	return out
}

// Collect returns what a reader is to be called with, so that the result gets its events.
func (r *Result) Collect(reader schema.Reader) func(*schema.Block) (*schema.Block, error) {
	return func(full *schema.Block) (*schema.Block, error) {
		if full == nil {
			return new(schema.Block), nil
		}
		if err := Check(full, reader.Keys(), reader.Marks()); err != nil {
			// An error ends the reading, as that of a full disk does; Read returns it.
			return nil, err
		}
		r.Blocks++
		r.Events = append(r.Events, Events(full, reader.Keys(), reader.Marks())...)
		r.Notes = append(r.Notes, full.Notes...)
		full.Reset()
		return full, nil
	}
}

// Events returns the rows of a block.
func Events(b *schema.Block, keys schema.KeyList, marks []schema.MessageMark) []Event {
	out := make([]Event, len(b.TimeNs))
	for i, ns := range b.TimeNs {
		out[i] = Event{Ns: ns, Key: keys.At(b.Key[i]), Mark: marks[b.Mark[i]], ID: b.MessageID[i]}
	}
	return out
}

// Check returns an error for a block that no reader may give out: columns of unequal length, more rows than a block may
// have or none, a name that is empty, or a number of a message where there is none.
func Check(b *schema.Block, keys schema.KeyList, marks []schema.MessageMark) error {
	n := len(b.TimeNs)
	if len(b.Key) != n || len(b.Mark) != n || len(b.MessageID) != n || n == 0 || n > schema.BlockEvents {
		return fmt.Errorf("a block of %d times, %d keys, %d marks, %d numbers", n, len(b.Key), len(b.Mark), len(b.MessageID))
	}
	// Mark 0 is that of no message in every reader.
	if len(marks) == 0 || marks[schema.NoMark] != (schema.MessageMark{}) {
		return fmt.Errorf("the first of the marks %v is not that of no message", marks)
	}
	// Every row is checked, so that a reader that misnumbers its keys fails here and not in a comparison of texts.
	for i := range n {
		if k := keys.At(b.Key[i]); k.Component == "" || k.Lifeline == "" || k.Function == "" {
			return fmt.Errorf("row %d: an empty name in %+v", i, k)
		}
		if b.Mark[i] == schema.NoMark && b.MessageID[i] != schema.NoValue {
			return fmt.Errorf("row %d: the number %d without a message", i, b.MessageID[i])
		}
	}
	return nil
}

// Losses shows a ledger as "reason count, reason count".
func Losses(l *schema.Ledger) string {
	var out []string
	for _, e := range l.Losses("") {
		out = append(out, fmt.Sprintf("%s %d", e.Reason, e.Count))
	}
	return strings.Join(out, ", ")
}

// Positions shows a ledger with the first place of each loss: "reason count place".
func Positions(l *schema.Ledger) (out []string) {
	for _, e := range l.Losses("") {
		out = append(out, fmt.Sprintf("%s %d %s", e.Reason, e.Count, e.FirstPosition))
	}
	return out
}
