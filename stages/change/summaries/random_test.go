package summaries_test

import (
	"encoding/json"
	"math/rand"
	"strconv"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/summaries"
	"github.com/tracelake/tracelake/testdata/expect"
)

// random makes samples, metrics and constraints in their orders: subjects of one value and of many, nulls, negative
// values, and events that receive several messages with a lifeline before them or without.
func random(rng *rand.Rand) *tables {
	names := new(schema.Names)
	in := &tables{samples: schema.NewSamples(names), metrics: schema.NewMetrics(names), constraints: schema.NewConstraints(names)}
	for _, c := range rng.Perm(3) {
		names.Components.Code("c" + strconv.Itoa(c))
		names.Functions.Code("f" + strconv.Itoa(c))
		name := "c" + strconv.Itoa(c) + ".f"
		names.Fragments.Code(name)
		in.fragments = append(in.fragments, schema.Fragment{Fragment: name, Component: "c" + strconv.Itoa(c)})
	}
	for _, f := range names.Fragments.Sorted() {
		for transition := range rng.Int63n(4) {
			for range 1 + rng.Intn(1+rng.Intn(30)) {
				in.sample(f, transition, value(rng))
			}
		}
		for metric := range schema.Metric(rng.Intn(3)) {
			for range 1 + rng.Intn(9) {
				in.span(f, []schema.Code{f, schema.NoCode}[metric%2], metric, value(rng))
			}
		}
	}
	for target := range rng.Int63n(60) {
		receiver, function := schema.Code(rng.Intn(3)), schema.Code(rng.Intn(3))
		if rng.Intn(3) > 0 {
			in.constraint(target, schema.OnLifeline, receiver, schema.NoCode, schema.NoCode, value(rng))
		}
		for range rng.Intn(4) {
			in.constraint(target, schema.ByMessage, receiver, function, schema.Code(rng.Intn(3)), value(rng))
		}
	}
	return in
}

// value is a time, null one time in eight.
func value(rng *rand.Rand) int64 {
	if rng.Intn(8) == 0 {
		return schema.NoValue
	}
	return rng.Int63n(1000) - 9
}

func (in *tables) sample(fragment schema.Code, transition, ns int64) {
	schema.Extend(in.samples, 1)
	s, i := in.samples, len(in.samples.Fragment)-1
	s.Fragment[i], s.Transition[i], s.SincePreviousNs[i], s.SinceStartNs[i] = fragment, transition, ns, int64(3*i+7)
}

func (in *tables) span(component, fragment schema.Code, metric schema.Metric, ns int64) {
	schema.Extend(in.metrics, 1)
	m, i := in.metrics, len(in.metrics.Metric)-1
	m.Component[i], m.Fragment[i], m.Metric[i], m.ValueNs[i] = component, fragment, metric, ns
}

func (in *tables) constraint(target int64, kind schema.ConstraintKind, component, function, sender schema.Code, ns int64) {
	schema.Extend(in.constraints, 1)
	c, i := in.constraints, len(in.constraints.Target)-1
	c.Target[i], c.Kind[i], c.Component[i], c.Function[i], c.Sender[i], c.DurationNs[i] = target, kind, component, function, sender, ns
}

// inParts is summarise of row groups of random lengths. A row group lies where the one before it lay.
func (in *tables) inParts(rng *rand.Rand) []schema.Summary {
	transitions := summaries.NewTransitions(in.samples.Names, in.fragments, new(stats.Estimator))
	s := schema.NewSamples(in.samples.Names)
	parts(rng, s, in.samples, func() { transitions.Add(s) })
	spans := summaries.NewMetrics(in.metrics.Names, new(stats.Estimator))
	m := schema.NewMetrics(in.metrics.Names)
	parts(rng, m, in.metrics, func() { spans.Add(m) })
	messages := summaries.NewMessages(in.constraints.Names, new(stats.Estimator))
	c := schema.NewConstraints(in.constraints.Names)
	parts(rng, c, in.constraints, func() { messages.Add(c) })
	return append(append(transitions.Rows(), spans.Rows()...), messages.Rows()...)
}

func parts(rng *rand.Rand, part, all schema.Columns, add func()) {
	for from, rows := 0, schema.Rows(all); from < rows; {
		to := min(rows, from+rng.Intn(5))
		schema.Reset(part)
		schema.AppendRows(part, all, from, to)
		add()
		from = to
	}
}

// lines are rows as text, with what their pointers lead to.
func lines(t *testing.T, rows []schema.Summary) (out []string) {
	for _, s := range rows {
		text := expect.Value(json.Marshal(s))(t)
		out = append(out, string(text))
	}
	return out
}

// Neither where row groups end nor what was in them before matters.
func TestSameInParts(t *testing.T) {
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		in := random(rng)
		want, got := lines(t, in.summarise()), lines(t, in.inParts(rng))
		expect.Slice(expect.Must(t), got, want, "seed %d: in parts", seed)
	}
}

// The events that receive messages may come in any order, as those of several lifelines do.
func TestSameInAnyOrder(t *testing.T) {
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		in := random(rng)
		want := lines(t, in.summarise())
		in.constraints = shuffled(rng, in.constraints)
		expect.Slice(expect.Must(t), lines(t, in.summarise()), want, "seed %d: in another order", seed)
	}
}

// shuffled are constraints with the rows of one target together.
func shuffled(rng *rand.Rand, c *schema.Constraints) *schema.Constraints {
	var starts []int
	for i, target := range c.Target {
		if i == 0 || target != c.Target[i-1] {
			starts = append(starts, i)
		}
	}
	rng.Shuffle(len(starts), func(i, j int) { starts[i], starts[j] = starts[j], starts[i] })
	out := schema.NewConstraints(c.Names)
	for _, from := range starts {
		to := from + 1
		for to < len(c.Target) && c.Target[to] == c.Target[from] {
			to++
		}
		schema.AppendRows(out, c, from, to)
	}
	return out
}
