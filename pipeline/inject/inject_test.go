package inject_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/inject"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/testdata/expect"
)

// random is a table of calls on three components, two lifelines each, that call each other by messages;
// some are never left.
func random(rng *rand.Rand, calls int) string {
	var b strings.Builder
	fmt.Fprintln(&b, "time_ns,component,thread,function,kind,message,id,type")
	now := 0
	row := func(component, thread int, function, kind, message, id, direction string) {
		now += 1 + rng.IntN(900)
		fmt.Fprintf(&b, "%d,c%d,%d,%s,%s,%s,%s,%s\n", now, component, thread, function, kind, message, id, direction)
	}
	for i := range calls {
		c, thread, f := rng.IntN(3), rng.IntN(2), "fgh"[rng.IntN(3):][:1]
		id := fmt.Sprint("q", i)
		row(c, thread, f, "start", "", "", "")
		row(c, thread, "ask", "start", "question", id, "send")
		row((c+1)%3, thread, "ask", "start", "question", id, "receive")
		row((c+1)%3, thread, "ask", "finish", "answer", "r"+id, "send")
		row(c, thread, "ask", "finish", "answer", "r"+id, "receive")
		if rng.IntN(9) > 0 {
			row(c, thread, f, "finish", "", "", "")
		}
	}
	return b.String()
}

// ingested is a lake with the run a of a table.
func ingested(t *testing.T, trace string) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	path := filepath.Join(t.TempDir(), "trace.csv")
	expect.OK(t, os.WriteFile(path, []byte(trace), 0o666))
	_, _, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: "a", Paths: []string{path}, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 64 << 20,
		Detect: func(_ string, head []byte) (schema.Format, error) {
			format, _, err := table.Detect(head, table.Options{})
			return format, err
		},
	})
	expect.OK(t, err)
	return l
}

// event is an event of a run without its place in the trace.
type event struct {
	timeNs              int64
	lifeline, text      string
	synthetic           bool
	series              string
	direction           schema.Direction
	id, seq             int64
	kind                schema.Kind
	component, function string
}

func events(t *testing.T, l *lake.Lake, run string) (all []event) {
	t.Helper()
	ev := schema.NewEvents()
	expect.OK(t, l.ScanEvents(t.Context(), run, ev, lake.ScanOptions{}, func() error {
		n := ev.Names
		for i := range ev.Seq {
			e := event{
				timeNs: ev.TimeNs[i], lifeline: n.Lifelines.Name(ev.Lifeline[i]), synthetic: ev.Synthetic[i], series: n.Series.Name(ev.Series[i]),
				direction: ev.Direction[i], id: ev.MessageID[i], seq: ev.Seq[i], kind: ev.Kind[i],
				component: n.Components.Name(ev.Component[i]), function: n.Functions.Name(ev.Function[i]),
			}
			e.text = fmt.Sprint(e.component, ".", e.function, e.kind, e.series, e.id, e.direction)
			all = append(all, e)
		}
		return nil
	}))
	return all
}

func injected(t *testing.T, l *lake.Lake, o inject.Options) {
	t.Helper()
	o.Run = "a"
	out := expect.Value(inject.Run(t.Context(), inject.Job{Engine: &pipeline.Engine{Lake: l, Jobs: 2, Memory: 64 << 20}, Options: o}))(t)
	if out == nil {
		t.Fatalf("%+v: the lake had it", o)
	}
}

// perLifeline are the events of each lifeline without their times.
func perLifeline(all []event) map[string][]string {
	of := make(map[string][]string)
	for _, e := range all {
		if !e.synthetic {
			of[e.lifeline] = append(of[e.lifeline], e.text)
		}
	}
	return of
}

// A fault too small to move anything gives the events of the trace as they were, invented ones included.
func TestNothingInjected(t *testing.T) {
	for seed := range uint64(4) {
		l := ingested(t, random(rand.New(rand.NewPCG(seed, 1)), 40))
		injected(t, l, inject.Options{Name: "b", Fault: faults.Fault{Kind: faults.Delay, Factor: 1 + 1e-9}, Slack: 1})
		if got, want := events(t, l, "b"), events(t, l, "a"); !slices.Equal(got, want) {
			t.Errorf("seed %d: got\n%v\nwant\n%v", seed, got, want)
		}
	}
}

// A fault moves events and does nothing else: each lifeline has the same events in the same order, messages are as fast as before or
// slower, and the same seed gives the same run.
func TestInjected(t *testing.T) {
	for seed := range uint64(8) {
		l := ingested(t, random(rand.New(rand.NewPCG(seed, 2)), 40))
		fault := []faults.Fault{
			{Kind: faults.Noise, DeltaNs: 400}, {Kind: faults.Spikes, DeltaNs: 3000, Events: 5}, {Kind: faults.Chain, DeltaNs: -900, Events: 9},
			{Kind: faults.Alternate, Factor: 4},
		}[seed%4]
		o := inject.Options{Name: "b", Fault: fault, Slack: float64(seed%3) / 2, Seed: seed}
		injected(t, l, o)
		before, after := events(t, l, "a"), events(t, l, "b")
		if got, want := perLifeline(after), perLifeline(before); !maps.EqualFunc(got, want, slices.Equal) {
			t.Errorf("seed %d: events of lifelines: got\n%v\nwant\n%v", seed, got, want)
		}
		if slices.EqualFunc(before, after, func(x, y event) bool { return x.timeNs == y.timeNs }) {
			t.Errorf("seed %d: %+v moved nothing", seed, fault)
		}
		was, is := latencies(before), latencies(after)
		for id, ns := range was {
			if is[id] < ns {
				t.Errorf("seed %d: message %s took %d ns, and now %d", seed, id, ns, is[id])
			}
		}
		o.Name = "again"
		injected(t, l, o)
		if !slices.Equal(events(t, l, "again"), after) {
			t.Errorf("seed %d: the second run is another one", seed)
		}
	}
}

// latencies are those of the messages with both ends, by identifier.
func latencies(all []event) map[string]int64 {
	sent, took := make(map[string]int64), make(map[string]int64)
	for _, e := range all {
		id := fmt.Sprint(e.series, e.id)
		switch e.direction {
		case schema.Send:
			sent[id] = e.timeNs
		case schema.Receive:
			took[id] = e.timeNs - sent[id]
		}
	}
	return took
}

// Without slack a delay lengthens every call of its function by the factor, and nothing becomes shorter.
func TestDelay(t *testing.T) {
	for seed := range uint64(3) {
		l := ingested(t, random(rand.New(rand.NewPCG(seed, 3)), 30))
		injected(t, l, inject.Options{Name: "b", Fault: faults.Fault{Kind: faults.Delay, Factor: 3}, Of: "c1.ask", Slack: 0})
		before, after := durations(events(t, l, "a")), durations(events(t, l, "b"))
		expect.Equal(t, len(after), len(before), "seed %d: calls", seed)
		for call, ns := range before {
			least := ns
			if strings.HasPrefix(call, "c1.ask") {
				least = 3 * ns
			}
			if after[call] < least {
				t.Errorf("seed %d: %s took %d ns, and now %d", seed, call, ns, after[call])
			}
		}
	}
}

// durations are those of the calls of a trace, numbered by function and lifeline.
func durations(all []event) map[string]int64 {
	open, number, took := make(map[string][]string), make(map[string]int), make(map[string]int64)
	for _, e := range all {
		of := fmt.Sprint(e.component, ".", e.function, " on ", e.lifeline)
		switch {
		case e.kind == schema.Enter:
			call := fmt.Sprint(of, " #", number[of])
			number[of]++
			open[of], took[call] = append(open[of], call), -e.timeNs
		case e.kind == schema.Exit:
			n := len(open[of]) - 1
			if call := open[of][n]; e.synthetic {
				delete(took, call)
			} else {
				took[call] += e.timeNs
			}
			open[of] = open[of][:n]
		}
	}
	return took
}
