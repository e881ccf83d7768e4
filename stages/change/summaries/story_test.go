package summaries_test

import (
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/automata"
	"github.com/tracelake/tracelake/stages/behaviour/metrics"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/summaries"
	"github.com/tracelake/tracelake/stages/chart/executions"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// chart makes a table well-formed.
func chart(t *testing.T, trace string) (*schema.Events, *schema.Messages) {
	t.Helper()
	c := charttest.Read(t, charttest.FormatOf(t, "table", trace), trace)
	return c.Events, c.Messages
}

// shift sets the clock of a run.
func shift(ev *schema.Events, m *schema.Messages, by int64) {
	for _, times := range [][]int64{ev.TimeNs, m.SendNs, m.ReceiveNs} {
		for i := range times {
			times[i] += by
		}
	}
}

// tables are what a run's summaries are made of.
type tables struct {
	samples     *schema.Samples
	fragments   []schema.Fragment
	metrics     *schema.Metrics
	constraints *schema.Constraints
}

// derive takes a run through the stages.
func derive(t *testing.T, ev *schema.Events, m *schema.Messages) *tables {
	t.Helper()
	led, out := new(schema.Ledger), new(tables)
	learner := automata.NewBuilder(ev.Names)
	learner.Add(ev, led)
	model := learner.Model(led)
	out.fragments = model.Fragments
	replay := expect.Value(samples.NewReplayer(ev.Names, model.Transitions))(t)
	ranges := replay.Ranges(1 << 20)
	expect.Equal(expect.Must(t), len(ranges), 1, "passes")
	replay.Start(ranges[0])
	expect.OK(t, replay.Add(ev))
	all := func() error { return nil }
	out.samples = schema.NewSamples(ev.Names)
	expect.OK(t, replay.Finish(out.samples, all))
	ex := schema.NewExecutions(ev.Names)
	executions.NewBuilder(ev.Names).Add(ev, ex, led)
	spans := metrics.NewBuilder(ev.Names)
	spans.AddExecutions(ex)
	spans.AddMessages(m)
	out.metrics = schema.NewMetrics(ev.Names)
	expect.OK(t, spans.Metrics(out.metrics, all))
	out.constraints = constrain(ev, m)
	return out
}

// constrain derives the constraints of a run.
func constrain(ev *schema.Events, m *schema.Messages) *schema.Constraints {
	led, out := new(schema.Ledger), schema.NewConstraints(ev.Names)
	b := constraints.NewBuilder(ev.Names, constraints.Options{Bounds: constraints.Paper}, nil)
	b.AddComponents(ev.Component)
	b.AddMessages(m)
	b.Start()
	b.Add(ev, out, led)
	b.Finish(led)
	return out
}

// summarise gives all rows of a run, of its tables whole.
func (in *tables) summarise() []schema.Summary {
	transitions := summaries.NewTransitions(in.samples.Names, in.fragments, new(stats.Estimator))
	transitions.Add(in.samples)
	spans := summaries.NewMetrics(in.metrics.Names, new(stats.Estimator))
	spans.Add(in.metrics)
	messages := summaries.NewMessages(in.constraints.Names, new(stats.Estimator))
	messages.Add(in.constraints)
	return append(append(transitions.Rows(), spans.Rows()...), messages.Rows()...)
}

// render has a line for every row: "what: count, n; total; least, deciles, greatest".
func render(rows []schema.Summary) string {
	var out strings.Builder
	for _, s := range rows {
		fmt.Fprintf(&out, "%s %s", s.Level, s.Component)
		if s.Fragment != "" {
			fmt.Fprintf(&out, " [%s]", s.Fragment)
		}
		if s.Transition != nil {
			fmt.Fprintf(&out, " %d", *s.Transition)
		}
		if s.Level == schema.LevelMessage {
			fmt.Fprintf(&out, ".%s from %s", s.Function, s.Peer)
		}
		if s.Metric != "" {
			fmt.Fprintf(&out, " %s", s.Metric)
		}
		fmt.Fprintf(&out, ": %d, %d; %d", s.Count, s.N, s.TotalNs)
		if s.MinNs != nil {
			fmt.Fprintf(&out, "; %d", *s.MinNs)
			for _, q := range deciles(&s) {
				fmt.Fprintf(&out, " %.4g", *q)
			}
			fmt.Fprintf(&out, " %d", *s.MaxNs)
		}
		fmt.Fprintln(&out)
	}
	return out.String()
}

func deciles(s *schema.Summary) []*float64 {
	return []*float64{s.Q10Ns, s.Q20Ns, s.Q30Ns, s.Q40Ns, s.Q50Ns, s.Q60Ns, s.Q70Ns, s.Q80Ns, s.Q90Ns}
}

// TestStories summarises the traces of testdata, and checks that it does not matter when they were recorded.
func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, _ string) string {
		ev, m := chart(t, string(files[0].Data))
		got := render(derive(t, ev, m).summarise())
		shift(ev, m, 1e18)
		expect.Equal(t, render(derive(t, ev, m).summarise()), got, "later")
		return got
	})
}
