package compare

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// judge compares one group of components, portion by portion.
type judge struct {
	*comparison
	group    *group
	pooled   *samplechanges.Judge // of the samples
	reducer  *verdicts.Reducer    // nil: what the runs say of a subject is kept run by run
	excerpts []excerpt            // by run: of the portion at hand
	runs     []verdicts.Run       // by run: of the subject at hand, where it is reduced or packed

	base, cand []int64 // samples of the subject at hand: the same memory serves all subjects

	subjects  []*Subject // of the portions so far: fragments with their steps, then metrics, then messages
	matches   []schema.Match
	functions []map[functionKey]verdicts.Run // by run
	lifetimes []map[functionKey]verdicts.Run // by run
}

// run compares the fragments of the group in the order of their names, then its metrics, then messages: the order of the
// rows that are ranked alike.
func (j *judge) run(ctx context.Context) error {
	r := j.newReader()
	var metrics, messages []*Subject
	for _, p := range j.portions(j.group) {
		var err error
		if j.excerpts, err = r.read(ctx, p); err != nil {
			return err
		}
		for _, name := range p.fragments {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := j.fragment(name); err != nil {
				return err
			}
		}
		metrics = append(metrics, j.apart(func() { j.metrics(p) })...)
		if p.others.parts > 0 {
			messages = append(messages, j.apart(j.messages)...)
			j.keepFunctions()
		}
		j.excerpts = nil // the judge stays for what it found
	}
	slices.SortStableFunc(metrics, func(a, b *Subject) int {
		return cmp.Or(cmp.Compare(a.Change.Component, b.Change.Component), cmp.Compare(a.Change.Fragment, b.Change.Fragment),
			cmp.Compare(metricOf[a.Change.Metric], metricOf[b.Change.Metric]))
	})
	j.subjects = slices.Concat(j.subjects, metrics, messages)
	return ctx.Err()
}

// apart returns the subjects that add adds, which stand behind those of all portions.
func (j *judge) apart(add func()) []*Subject {
	before := len(j.subjects)
	add()
	added := slices.Clone(j.subjects[before:])
	j.subjects = j.subjects[:before]
	return added
}

// keepFunctions keeps the summaries of functions and lifetimes, which are compared when those of all groups are there.
func (j *judge) keepFunctions() {
	if j.functions == nil {
		j.functions, j.lifetimes = make([]map[functionKey]verdicts.Run, len(j.excerpts)), make([]map[functionKey]verdicts.Run, len(j.excerpts))
	}
	for i := range j.excerpts {
		e := &j.excerpts[i]
		e.keep(&j.functions[i], e.functions, e.ofFunctions)
		e.keep(&j.lifetimes[i], e.lifetimes, e.ofLifetimes)
	}
}

// keep adds what a run says of some functions to what is kept of it.
func (e *excerpt) keep(own *map[functionKey]verdicts.Run, numbers map[functionKey]int, of []packed) {
	if *own == nil {
		*own = make(map[functionKey]verdicts.Run)
	}
	for k, n := range numbers {
		if n < len(of) && of[n].count > 0 {
			(*own)[k] = e.unpack(of[n])
		}
	}
}

// sides splits what belongs to the runs into baseline and candidate, and leaves out that of older runs.
func sides[T any](j *judge, of []T) (base, cand []T) {
	n := len(j.Base)
	return of[:n], of[n : n+len(j.Cand)]
}

// anyHas reports whether a side has a fragment in any run.
func anyHas(models []*model, fragment string) bool {
	return slices.ContainsFunc(models, func(m *model) bool { return m.fragments[fragment] != nil })
}

// fragment compares the steps of a fragment. Where one side lacks it, the fragment appeared or vanished as a whole, and its
// steps only say which part of its time is each step's own.
func (j *judge) fragment(name string) error {
	base, cand := sides(j, j.models)
	j.matches = append(j.matches, j.matchFragment(name, anyHas(base, name), anyHas(cand, name)))
	switch {
	case !anyHas(base, name) || !anyHas(cand, name):
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
func (j *judge) first(name string) *schema.Fragment { return fragmentOf(j.models, name) }

// pooledMetric puts together the values of a metric of all runs of each side, which hold until the next subject.
func (j *judge) pooledMetric(k metricKey) (base, cand samplechanges.Side) {
	base.Runs, cand.Runs = len(j.Base), len(j.Cand)
	if !j.summariesOnly {
		j.base, j.cand = j.base[:0], j.cand[:0]
		n, known := j.excerpts[0].numbers.metrics[k]
		for i := range base.Runs + cand.Runs {
			of := j.excerpts[i].samples.metrics
			switch {
			case !known || n >= len(of):
			case i < base.Runs:
				j.base = append(j.base, of[n]...)
			default:
				j.cand = append(j.cand, of[n]...)
			}
		}
		base.Values, cand.Values = j.base, j.cand
	}
	return base, cand
}

// metrics compares the metrics of a portion: of components, and of the fragments that both sides have.
func (j *judge) metrics(p *portion) {
	keys := slices.SortedFunc(maps.Keys(j.excerpts[0].numbers.metrics), func(a, b metricKey) int {
		return cmp.Or(cmp.Compare(a.component, b.component), cmp.Compare(a.fragment, b.fragment), cmp.Compare(a.metric, b.metric))
	})
	baseModels, candModels := sides(j, j.models)
	for _, k := range keys {
		if !p.hasMetric(k) {
			continue
		}
		if k.fragment != "" && (k.metric == schema.Runtime || !anyHas(baseModels, k.fragment) || !anyHas(candModels, k.fragment)) {
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
