package ctf

import (
	"io/fs"
	"os"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// row is an event that the reader gave out.
type row = readertest.Event

// result is all that comes of a reading.
type result struct {
	rows   []row
	events map[string]int64 // of each name, also those that have no place among the rows
	losses map[string]int64 // by reason
	// skipped are the losses of schema.SkippedRecord, by the names of the events.
	skipped map[string]int64
	err     error
}

// readAll reads traces of a folder as one run.
func readAll(t testing.TB, root string, dirs ...string) *result {
	return readFS(t, os.DirFS(root), schema.ReadingOptions{}, dirs...)
}

func readFS(t testing.TB, fsys fs.FS, options schema.ReadingOptions, dirs ...string) *result {
	t.Helper()
	return readHow(t, fsys, options, false, dirs...)
}

// readHow reads with flat events or without, in which case all events take the general way.
func readHow(t testing.TB, fsys fs.FS, options schema.ReadingOptions, general bool, dirs ...string) *result {
	t.Helper()
	out := &result{events: make(map[string]int64), losses: make(map[string]int64), skipped: make(map[string]int64)}
	reading := readertest.Reading(fsys, "")
	reading.Options, reading.Traces = options, nil
	for _, dir := range dirs {
		reading.Traces = append(reading.Traces, schema.Trace{FS: fsys, Path: dir})
	}
	r := newReader(reading)
	var read readertest.Result
	emit := read.Collect(r)
	if !general {
		out.err = r.Read(emit)
	} else if out.err = r.describeCalls(); out.err == nil {
		for _, s := range r.sources {
			for _, p := range s.plan.streams {
				p.short.id = nil
			}
		}
		if out.err = r.scan(); out.err == nil {
			out.err = r.readStreams(emit)
		}
	}
	out.rows = read.Events
	for _, s := range r.sources {
		if s.plan != nil {
			for _, p := range s.plan.plans() {
				if p.count > 0 {
					out.events[p.event.name] += p.count
				}
			}
		}
	}
	for _, l := range reading.Ledger.Losses("") {
		if out.losses[l.Reason] += l.Count; l.Reason == schema.SkippedRecord.Name {
			out.skipped[l.Kind()] = l.Count
		}
	}
	return out
}
