package otf2

import (
	"fmt"
	"io/fs"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// told is what a reader said of a trace.
type told struct{ readertest.Result }

// listen reads the archive of an anchor file.
func listen(fsys fs.FS, anchor string, options schema.ReadingOptions, strict bool) *told {
	reading := readertest.Reading(fsys, anchor)
	reading.Options, reading.Memory, reading.Strict = options, 1<<26, strict
	return &told{*readertest.Read(Format(), reading)}
}

// roles names what processes do in collective operations.
var roles = map[schema.Direction]string{schema.Meets: "meets", schema.Gives: "gives", schema.Takes: "takes", schema.Scans: "scans"}

// lines shows the events, one a line.
func (o *told) lines() []string {
	out := make([]string, len(o.Events))
	for i, e := range o.Events {
		out[i] = fmt.Sprintf("%d %s %s %s.%s", e.Ns, e.Key.Lifeline, schema.KindWords[e.Key.Kind], e.Key.Component, e.Key.Function)
		if m := e.Mark; schema.Couples(m.Direction) {
			rank, size := schema.SeatOf(e.ID)
			out[i] += fmt.Sprintf(" %s %s rank %d of %d", roles[m.Direction], m.Label, rank, size)
		} else if m.Direction != schema.NoMessage {
			out[i] += fmt.Sprintf(" %s %s%d %s", schema.DirectionWords[m.Direction], m.Series, e.ID, m.Label)
		}
	}
	return out
}

// losses shows the ledger.
func (o *told) losses() []string { return readertest.Positions(o.Ledger) }

func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			t.Fatalf("%s %d: nothing, want %q", what, i, want[i])
		case i >= len(want):
			t.Fatalf("%s %d: %q, want nothing", what, i, got[i])
		case got[i] != want[i]:
			t.Fatalf("%s %d:\n got %q\nwant %q\n in %q", what, i, got[i], want[i], slices.Clone(got[max(0, i-2):min(len(got), i+3)]))
		}
	}
}
