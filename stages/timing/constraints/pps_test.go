package constraints_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/chart/wellformed"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/stages/timing/slack"
	"github.com/tracelake/tracelake/stages/timing/window"
	"github.com/tracelake/tracelake/testdata/expect"
)

// said is what PPS says of testdata/traces/tr1000.tmsctrace, line by line: constraints (D, without what is not known
// here), and slacks of events (E).
func said(t *testing.T) (constraints, events []string) {
	t.Helper()
	for line := range strings.Lines(read(t, "../slack/testdata/tr1000.out")) {
		line, _, _ = strings.Cut(strings.TrimSuffix(line, "\n"), " sched=")
		if strings.HasPrefix(line, "D ") {
			constraints = append(constraints, line)
		} else {
			events = append(events, line)
		}
	}
	slices.Sort(constraints)
	slices.Sort(events)
	return constraints, events
}

func read(t *testing.T, path string) string {
	t.Helper()
	content := expect.Value(os.ReadFile(path))(t)
	return string(content)
}

// inPPS are the constraints of a chart in the words of PPS, and the slacks of its events.
func inPPS(t *testing.T, tr *trace, w *window.Window) (constraints, events []string) {
	t.Helper()
	ends, slacks := make(map[int64]string), slacksOf(t, w)
	for _, e := range tr.events() {
		_, executor, _ := strings.Cut(tr.names.Lifelines.Name(e.ev.Lifeline[e.row]), "/")
		ns := e.ev.TimeNs[e.row]
		kind, function := "><"[e.ev.Kind[e.row]], tr.names.Functions.Name(e.ev.Function[e.row])
		ends[e.seq] = fmt.Sprintf("%s@%d%c%s", executor, ns, kind, function)
		slack := "null" // nothing waits for the event
		if slices.ContainsFunc(w.Edges, func(edge window.Edge) bool { return edge.Source == e.seq }) {
			slack = strconv.FormatInt(slacks[e.seq], 10)
		}
		events = append(events, fmt.Sprintf("E %s %d %c %s traced=%t slack=%s", executor, ns, kind, function, !e.ev.Synthetic[e.row], slack))
	}
	for target := w.Lo; target < w.Hi; target++ {
		for _, e := range w.Into(target) {
			kind := "LifelineSegment"
			if e.Flags&window.Message != 0 {
				kind = "Message"
			}
			constraints = append(constraints, fmt.Sprintf("D %s %s -> %s dur=%d tb=%d", kind, ends[e.Source], ends[target], e.DurationNs, e.BoundNs))
			expect.Equal(t, e.Flags&window.Critical != 0, e.DurationNs == e.BoundNs, "%s: critical", constraints[len(constraints)-1])
		}
	}
	slices.Sort(constraints)
	slices.Sort(events)
	return constraints, events
}

func slacksOf(t *testing.T, w *window.Window) map[int64]int64 {
	t.Helper()
	lowest := w.Lo
	for i := range w.Edges {
		lowest = min(lowest, w.Edges[i].Source)
	}
	whole := &window.Window{Lo: lowest, Hi: w.Hi, First: make([]uint32, w.Lo-lowest, w.Hi-lowest+1), Edges: w.Edges}
	whole.First = append(whole.First, w.First...)
	out, found := make([]int64, w.Hi-lowest), make(map[int64]int64)
	new(slack.Backward).Add(whole, out)
	for i, ns := range out {
		found[lowest+int64(i)] = ns
	}
	return found
}

// Ingest, constraints and slack together say of a trace of 1000 events all that PPS says of it.
func TestAsPPS(t *testing.T) {
	tr := ingest(t, "tmsctrace", read(t, "../../../testdata/traces/tr1000.tmsctrace"), wellformed.Options{})
	wantConstraints, wantEvents := said(t)
	if len(wantConstraints) != 1339 || len(wantEvents) != 1000 {
		t.Fatalf("%d constraints, %d events", len(wantConstraints), len(wantEvents))
	}
	for _, batch := range []int{1, 7, 1000} {
		w, _ := wholeChart(tr.derive(t, constraints.Options{Bounds: constraints.PPS, DefaultNs: constraints.DefaultBoundNs}, batch))
		gotConstraints, gotEvents := inPPS(t, tr, w)
		compareLines(t, gotConstraints, wantConstraints)
		compareLines(t, gotEvents, wantEvents)
	}
}

func compareLines(t *testing.T, got, want []string) {
	t.Helper()
	for _, line := range want {
		if _, has := slices.BinarySearch(got, line); !has {
			t.Errorf("PPS alone says %s", line)
		}
	}
	for _, line := range got {
		if _, has := slices.BinarySearch(want, line); !has {
			t.Errorf("PPS does not say %s", line)
		}
	}
	expect.Equal(t, len(got), len(want), "lines")
}
