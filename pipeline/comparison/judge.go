package comparison

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/changes"
	"github.com/tracelake/tracelake/stages/matching"
)

// judge compares one group of components.
type judge struct {
	job     *Job
	models  []*model
	paths   *criticalPaths
	group   *group
	samples []*sampled
	changes []schema.Change
	matches []schema.Match
}

func (j *judge) run(ctx context.Context) error {
	for _, m := range j.models {
		s, err := j.job.gather(ctx, m, j.group)
		if err != nil {
			return err
		}
		j.samples = append(j.samples, s)
	}
	for _, name := range j.group.fragments {
		if err := ctx.Err(); err != nil {
			return err
		}
		j.fragment(name)
	}
	j.metrics(ctx)
	return ctx.Err()
}

// sides splits what belongs to the runs into baseline and candidate.
func sides[T any](j *judge, of []T) (base, cand []T) {
	return of[:len(j.job.Base)], of[len(j.job.Base):]
}

// has says whether a side has a fragment in any run.
func has(models []*model, fragment string) bool {
	return slices.ContainsFunc(models, func(m *model) bool { return m.fragments[fragment] != nil })
}

// fragment compares the steps of a fragment that both sides have, or says that one side lacks it.
func (j *judge) fragment(name string) {
	base, cand := sides(j, j.models)
	if !has(base, name) || !has(cand, name) {
		j.oneSided(name)
		return
	}
	automata := make([]matching.Automaton, len(j.models))
	for i, m := range j.models {
		automata[i] = matching.Automaton{Fragment: name, Transitions: m.transitions[name]}
	}
	awaited, running := make([][]string, len(automata)), make([][]string, len(automata))
	for i, a := range automata {
		awaited[i], running[i] = changes.Awaited(a.Transitions), changes.Running(a.Transitions)
	}
	for _, step := range j.job.Match(automata).Steps {
		j.step(name, automata, step, ofFirst(step, awaited), ofFirst(step, running))
	}
}

// ofFirst is what is said of a step, in the first automaton that takes it.
func ofFirst(s matching.Step, said [][]string) string {
	for i, n := range s.Taken {
		if n != matching.None {
			return said[i][n]
		}
	}
	return ""
}

// critical says how much time a function spends on critical paths, if one runs.
func (j *judge) critical(c *schema.Change, component, function string) {
	if function != "" {
		c.CriticalBaseNs = j.paths.base.critical(j.paths.shares, component, function)
		c.CriticalCandNs = j.paths.cand.critical(j.paths.shares, component, function)
	}
}

// oneSided reports a fragment that appeared or vanished, with its run times.
func (j *judge) oneSided(name string) {
	f := j.first(name)
	k := metricKey{f.Component, name, schema.Runtime}
	subject := changes.Subject{
		Level: schema.LevelFragment, Component: f.Component, Fragment: name, Subject: name, Function: f.Function, Peer: f.Peer,
		Metric: schema.MetricWords[schema.Runtime],
	}
	base, cand := j.pooledMetric(k)
	c := changes.Compare(subject, base, cand, "", j.job.Options)
	j.critical(&c, f.Component, f.Function)
	j.changes = append(j.changes, c)
}

// first is a fragment as the first run that has it describes it.
func (j *judge) first(name string) *schema.Fragment {
	for _, m := range j.models {
		if f := m.fragments[name]; f != nil {
			return f
		}
	}
	return nil
}

// step compares one step of a fragment.
func (j *judge) step(name string, automata []matching.Automaton, s matching.Step, awaited, running string) {
	baseTaken, candTaken := sides(j, s.Taken)
	baseAutomata, candAutomata := sides(j, automata)
	left, right := taken(baseAutomata, baseTaken), taken(candAutomata, candTaken)
	t := cmp.Or(left, right)
	subject := changes.Subject{
		Level: schema.LevelTransition, Component: t.Component, Fragment: name, Subject: label(t),
		Function: t.Function, Kind: t.Kind, Direction: t.Direction, Peer: t.Peer, Normalisation: j.job.Options.Normalisation,
		Transition: number(left), CandTransition: number(right),
	}
	base, cand := j.pooledStep(name, s)
	c := changes.Compare(subject, base, cand, awaited, j.job.Options)
	j.critical(&c, t.Component, running)
	if subject.Normalisation == schema.NormFragmentAbsolute {
		if c.PositionNs = c.MedianBaseNs; left == nil {
			c.PositionNs = c.MedianCandNs
		}
	}
	j.changes = append(j.changes, c)
	j.matches = append(j.matches, match(name, t, left, right))
}

// taken is the transition of a step in the first automaton that takes it.
func taken(automata []matching.Automaton, numbers []int64) *schema.Transition {
	for i, n := range numbers {
		if n != matching.None {
			return &automata[i].Transitions[n]
		}
	}
	return nil
}

func number(t *schema.Transition) *int64 {
	if t == nil {
		return nil
	}
	return &t.Transition
}

// label is a step in words.
func label(t *schema.Transition) string {
	text := t.Kind + " " + t.Function
	switch t.Direction {
	case schema.DirectionWords[schema.Send]:
		return text + " send to " + t.Peer
	case schema.DirectionWords[schema.Receive]:
		return text + " receive from " + t.Peer
	}
	return text
}

func match(fragment string, t, left, right *schema.Transition) schema.Match {
	m := schema.Match{
		Fragment: fragment, Level: schema.LevelTransition, Function: t.Function, Kind: t.Kind, Direction: t.Direction, Peer: t.Peer,
		Status: schema.InBoth,
	}
	if left != nil {
		m.BaseTransition, m.BaseSource, m.BaseTarget = &left.Transition, &left.Source, &left.Target
	} else {
		m.Status = schema.InCand
	}
	if right != nil {
		m.CandTransition, m.CandSource, m.CandTarget = &right.Transition, &right.Source, &right.Target
	} else {
		m.Status = schema.InBase
	}
	return m
}

// pooledStep is a step's samples of all runs of each side.
func (j *judge) pooledStep(fragment string, s matching.Step) (base, cand changes.Side) {
	base.Runs, cand.Runs = len(j.job.Base), len(j.job.Cand)
	for i, n := range s.Taken {
		if n == matching.None {
			continue
		}
		side, k := &base, stepKey{fragment, n}
		if i >= base.Runs {
			side = &cand
		}
		side.Values = append(side.Values, j.samples[i].values[k]...)
		side.StepNs = append(side.StepNs, j.samples[i].step[k]...)
	}
	return base, cand
}

func (j *judge) pooledMetric(k metricKey) (base, cand changes.Side) {
	base.Runs, cand.Runs = len(j.job.Base), len(j.job.Cand)
	for i, s := range j.samples {
		side := &base
		if i >= base.Runs {
			side = &cand
		}
		side.Values = append(side.Values, s.metrics[k]...)
	}
	return base, cand
}

// metrics compares the metrics of components and of the fragments that both sides have.
func (j *judge) metrics(ctx context.Context) {
	all := make(map[metricKey]bool)
	for _, s := range j.samples {
		for k := range s.metrics {
			all[k] = true
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
		if k.fragment != "" && (!has(baseModels, k.fragment) || !has(candModels, k.fragment)) {
			continue
		}
		name := schema.MetricWords[k.metric]
		subject := changes.Subject{
			Level: schema.LevelMetric, Component: k.component, Fragment: k.fragment, Subject: name, Metric: name,
		}
		base, cand := j.pooledMetric(k)
		j.changes = append(j.changes, changes.Compare(subject, base, cand, "", j.job.Options))
	}
}
