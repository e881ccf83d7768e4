package reconcile_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/reconcile"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/testdata/expect"
)

// fresh is an empty lake.
func fresh(t testing.TB) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	return l
}

// ingested makes a run of a trace in the dialect of the text format.
func ingested(t testing.TB, l *lake.Lake, run, lines string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.txt")
	expect.OK(t, os.WriteFile(path, []byte(lines), 0o666))
	_, losses, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: run, Paths: []string{path}, Incomplete: "complete", Untraced: "ignore", Format: "auto", Jobs: 2,
		Detect: func(file string, head []byte) (schema.Format, error) {
			f, ok := text.Detect(head)
			if !ok {
				return f, fmt.Errorf("%s: no known format", file)
			}
			return f, nil
		},
	})
	expect.OK(t, err)
	for _, loss := range losses {
		if loss.Reason == "bad_line" {
			t.Fatalf("%+v", loss)
		}
	}
}

// two is a lake of the units robot and base, which do not know each other's clock, and the job that reconciles them.
func two(t testing.TB, robot, base string) reconcile.Job {
	t.Helper()
	l := fresh(t)
	ingested(t, l, "r1", robot)
	ingested(t, l, "b1", base)
	return reconcile.Job{Engine: &pipeline.Engine{Lake: l, Jobs: 2}, Options: reconcile.Options{
		Name: "both", Units: []reconcile.Unit{{Name: "robot", Run: "r1"}, {Name: "base", Run: "b1"}}, Messages: true, Correct: true,
	}}
}

func reconciled(t testing.TB, j reconcile.Job) *reconcile.Outcome {
	t.Helper()
	o := expect.Value(reconcile.Run(t.Context(), j))(t)
	return o
}

// story writes the events of a run: "12 robot.f>!m1".
func story(t testing.TB, l *lake.Lake, run string) (events []string) {
	t.Helper()
	ev := schema.NewEvents()
	expect.OK(t, l.ScanEvents(t.Context(), run, ev, lake.ScanOptions{}, func() error {
		for i := range ev.Seq {
			text := fmt.Sprintf("%d %s.%s%s", ev.TimeNs[i], ev.Names.Lifelines.Name(ev.Lifeline[i]), ev.Names.Functions.Name(ev.Function[i]),
				[]string{">", "<", "~"}[ev.Kind[i]])
			if d := ev.Direction[i]; d != schema.NoMessage {
				text += fmt.Sprint([]string{"", "!", "?"}[d], ev.Names.Series.Name(ev.Series[i]), ev.MessageID[i])
			}
			if ev.Synthetic[i] {
				text += " (invented)"
			}
			events = append(events, text)
		}
		return nil
	}))
	return events
}

// told compares a story with what is expected, a line an event.
func told(t testing.TB, l *lake.Lake, run, want string) {
	t.Helper()
	expect.Equal(t, strings.Join(story(t, l, run), "\n"), strings.TrimSpace(want), "the run")
}

// occurrence is a row of the table of that name.
type occurrence struct {
	Constraint string `parquet:"constraint_name"`
	Relation   string `parquet:"relation"`
	LeftClock  string `parquet:"left_clock"`
	LeftIndex  int64  `parquet:"left_index"`
	LeftSeq    *int64 `parquet:"left_seq,optional"`
	RightClock string `parquet:"right_clock"`
	RightIndex int64  `parquet:"right_index"`
	RightSeq   *int64 `parquet:"right_seq,optional"`
}

func (o occurrence) String() string {
	seq := func(s *int64) string {
		if s == nil {
			return "-"
		}
		return fmt.Sprint(*s)
	}
	return fmt.Sprintf("%s: %s[%d]@%s %s %s[%d]@%s", o.Constraint, o.LeftClock, o.LeftIndex, seq(o.LeftSeq), o.Relation, o.RightClock, o.RightIndex, seq(o.RightSeq))
}

// rows reads a table of a run.
func rows[T any](t testing.TB, l *lake.Lake, table, run string) []T {
	t.Helper()
	all, err := lake.Read[T](l, table, lake.Run(run))
	if err != nil {
		t.Fatalf("table %s: %v", table, err)
	}
	return all
}
