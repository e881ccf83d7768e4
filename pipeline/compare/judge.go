package compare

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
)

// judge compares one group of components, or what belongs to none.
type judge struct {
	*comparison
	group   *group
	samples []*sampled           // nil: the samples themselves are not wanted
	pooled  *samplechanges.Judge // of the samples
	pairs   []pair               // of the group
	whole   []Subject            // of no group
	matches []schema.Match
}

// run reads the group's samples and compares its fragments in the order of their names, then its metrics: the order of the
// rows that are ranked alike.
func (j *judge) run(ctx context.Context) error {
	if err := j.gather(ctx); err != nil {
		return err
	}
	for _, name := range j.group.fragments {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := j.fragment(name); err != nil {
			return err
		}
	}
	j.metrics(ctx)
	j.samples = nil // the judge stays for what it found
	return ctx.Err()
}

// gather reads the samples of all runs, if they are wanted.
func (j *judge) gather(ctx context.Context) error {
	if j.summariesOnly {
		return nil
	}
	for _, m := range j.models[:len(j.Base)+len(j.Cand)] {
		s, err := j.comparison.gather(ctx, m, j.group)
		if err != nil {
			return err
		}
		j.samples = append(j.samples, s)
	}
	return nil
}

// sides splits what belongs to the runs into baseline and candidate, and leaves out that of older runs.
func sides[T any](j *judge, of []T) (base, cand []T) {
	n := len(j.Base)
	return of[:n], of[n : n+len(j.Cand)]
}

// has reports whether a side has a fragment in any run.
func has(models []*model, fragment string) bool {
	return slices.ContainsFunc(models, func(m *model) bool { return m.fragments[fragment] != nil })
}

// fragment compares the steps of a fragment. Where one side lacks it, the fragment appeared or vanished as a whole, and its
// steps only say which part of its time is each step's own.
func (j *judge) fragment(name string) error {
	base, cand := sides(j, j.models)
	j.matches = append(j.matches, j.matchFragment(name, has(base, name), has(cand, name)))
	switch {
	case !has(base, name) || !has(cand, name):
		j.addMetric(j.wholeFragment(name))
		return j.steps(name, (*walk).addWithin)
	case j.counterpart(name).fragment != "":
		j.moved(name)
	default:
		j.addMetric(j.wholeFragment(name))
	}
	return j.steps(name, (*walk).step)
}

// critical fills in how much time a function spends on critical paths, in each side; none does where no function runs. In
// the candidate it is looked up under the names that a fragment which moved has there.
func (j *judge) critical(c *schema.Change, component, function string) {
	if function != "" {
		c.CriticalBaseNs = j.paths.base.critical(j.paths.shares, component, function)
		h := j.counterpart(c.Fragment)
		c.CriticalCandNs = j.paths.cand.critical(j.paths.shares, cmp.Or(h.component, component), cmp.Or(h.functions[function], function))
	}
}

// matchFragment is the row of the table matches for a fragment: which sides have it.
func (j *judge) matchFragment(name string, inBase, inCand bool) schema.Match {
	f := j.first(name)
	m := schema.Match{
		Fragment: name, CandFragment: j.counterpart(name).fragment, Level: schema.LevelFragment, Function: f.Function,
		Kind: schema.KindWords[schema.Enter], Peer: f.Peer, Status: schema.InBoth,
	}
	switch {
	case !inCand:
		m.Status = schema.InBase
	case !inBase:
		m.Status = schema.InCand
	}
	return m
}

// wholeFragment compares the run times of a fragment. Where one side lacks it, it appeared or vanished.
func (j *judge) wholeFragment(name string) schema.Change {
	f := j.first(name)
	k := metricKey{f.Component, name, schema.Runtime}
	subject := samplechanges.Subject{
		Level: schema.LevelFragment, Component: f.Component, Fragment: name, Subject: name, Function: f.Function, Peer: f.Peer,
		Metric: schema.MetricWords[schema.Runtime], CandFragment: j.counterpart(name).fragment,
	}
	base, cand := j.pooledMetric(k)
	c := j.pooled.Compare(subject, base, cand, "")
	j.critical(&c, f.Component, f.Function)
	return c
}

// first is a fragment as the first run that has it describes it, the baseline's if there is one.
func (j *judge) first(name string) *schema.Fragment {
	for _, m := range j.models {
		if f := m.fragments[name]; f != nil {
			return f
		}
	}
	return nil
}

// pooledMetric puts together the values of a metric of all runs of each side.
func (j *judge) pooledMetric(k metricKey) (base, cand samplechanges.Side) {
	base.Runs, cand.Runs = len(j.Base), len(j.Cand)
	var values [][]int64
	for _, s := range j.samples {
		values = append(values, s.metrics[k])
	}
	if values != nil { // they are wanted
		left, right := sides(j, values)
		base.Values, cand.Values = slices.Concat(left...), slices.Concat(right...)
	}
	return base, cand
}

// metrics compares the metrics of components and of the fragments that both sides have.
func (j *judge) metrics(ctx context.Context) {
	all := make(map[metricKey]bool)
	for _, m := range j.models {
		for k := range m.summaries.metrics {
			if j.group.components[k.component] {
				all[k] = true
			}
		}
	}
	keys := slices.SortedFunc(maps.Keys(all), func(a, b metricKey) int {
		return cmp.Or(cmp.Compare(a.component, b.component), cmp.Compare(a.fragment, b.fragment), cmp.Compare(a.metric, b.metric))
	})
	baseModels, candModels := sides(j, j.models)
	for _, k := range keys {
		if ctx.Err() != nil {
			return
		}
		if k.fragment != "" && (k.metric == schema.Runtime || !has(baseModels, k.fragment) || !has(candModels, k.fragment)) {
			continue // run times are what fragments are compared by
		}
		name := schema.MetricWords[k.metric]
		subject := samplechanges.Subject{
			Level: schema.LevelMetric, Component: k.component, Fragment: k.fragment, Subject: name, Metric: name,
			CandFragment: j.counterpart(k.fragment).fragment,
		}
		base, cand := j.pooledMetric(k)
		j.addMetric(j.pooled.Compare(subject, base, cand, ""))
	}
}
