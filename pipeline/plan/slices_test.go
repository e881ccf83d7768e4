package plan

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCompositionsInSlices checks that the compositions and the gains of a run are the same bytes, into however many slices its time is cut:
// of paths that lead over several slices, from one component to another, and of roots that last for the whole run.
func TestCompositionsInSlices(t *testing.T) {
	o := Options{Constraints: constraints.Defaults(), Gains: true}
	inSlices(t, o, compositionsStage(o))
	inSlices(t, o, gainsStage(o))
}

// inSlices makes the table of a stage in slices.
func inSlices(t *testing.T, o Options, s pipeline.Stage) {
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	ingestText(t, l, "a", servedCalls())
	stages := expect.Value(pipeline.Order(Stages(o), Given...))(t)
	e := &pipeline.Engine{Lake: l, Stages: stages, Jobs: 2}
	expect.Value(e.Run(t.Context(), []lake.Partition{lake.Run("a")}))(t)
	want := expect.Value(l.Manifest(s.Writes[0], lake.Run("a")))(t)
	rows := expect.Value(l.Manifest("constraints", lake.Run("a")))(t).Rows()
	if want.Rows() < 20 || rows < 2000 {
		t.Fatalf("%d rows of %d constraints", want.Rows(), rows)
	}
	for _, slices := range []int64{2, 3, 7, 40} {
		s.SliceRows = (rows + slices - 1) / slices
		expect.OK(t, l.DropTables(t.Context(), lake.Run("a"), s.Writes[0]))
		expect.Value(e.RunStage(t.Context(), lake.Run("a"), s))(t)
		got := expect.Value(l.Manifest(s.Writes[0], lake.Run("a")))(t)
		expect.Equal(t, fmt.Sprint(got.Files), fmt.Sprint(want.Files), "%d slices", slices)
	}
}

// servedCalls is a trace of clients that ask servers, now at once and now after others, below roots of all lengths: one is
// as long as the trace, some last for a hundred calls.
func servedCalls() string {
	var trace strings.Builder
	now := 0
	line := func(format string, args ...any) {
		now += 2 + now%5
		fmt.Fprintf(&trace, "%d %s\n", now, fmt.Sprintf(format, args...))
	}
	line("main > main")
	for i := range 300 {
		if i%100 == 0 {
			line("batch > run")
		}
		client, server := i%7, i%3
		line("client%d > ask !q%d", client, i)
		if i%4 == 0 {
			line("main > look")
			line("main < look")
		}
		line("server%d > serve ?q%d", server, i)
		line("server%d > work%d", server, i%2)
		line("server%d < work%d", server, i%2)
		line("server%d < serve !r%d", server, i)
		line("client%d < ask ?r%d", client, i)
		if i%100 == 99 {
			line("batch < run")
		}
	}
	line("main < main")
	return trace.String()
}
