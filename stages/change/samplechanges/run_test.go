package samplechanges_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/automata"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/chart/testdata/charttest"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/testdata/expect"
)

// run is a trace after all stages before the comparison.
type run struct {
	events  *schema.Events
	model   *automata.Model
	samples map[stepKey][]int64 // of the normalisation that is compared
	steps   map[stepKey][]int64 // since the event before
}

type stepKey struct {
	fragment   string
	transition int64
}

// chart reads a trace in the thesis dialect and makes it well-formed.
func chart(t testing.TB, trace string, led *schema.Ledger) *schema.Events {
	t.Helper()
	c := charttest.Read(t, text.Thesis(), trace)
	led.MergeLosses(c.Ledger.Losses(""))
	return c.Events
}

// learn takes a trace through the stages.
func learn(t testing.TB, trace string) *run {
	t.Helper()
	led := new(schema.Ledger)
	r := &run{events: chart(t, trace, led), samples: make(map[stepKey][]int64), steps: make(map[stepKey][]int64)}
	b := automata.NewBuilder(r.events.Names)
	b.Add(r.events, led)
	r.model = b.Model(led)
	for _, l := range led.Losses("") {
		if l.Reason != schema.InferredCallback.Name {
			t.Fatalf("losses: %v", l)
		}
	}
	replay := expect.Value(samples.NewReplayer(r.events.Names, r.model.Transitions))(t)
	for _, rg := range replay.Ranges(0) {
		replay.Start(rg)
		expect.OK(t, replay.Add(r.events))
		s := schema.NewSamples(r.events.Names)
		expect.OK(t, replay.Finish(s, func() error { return nil }))
		r.keep(s)
	}
	return r
}

func (r *run) keep(s *schema.Samples) {
	times := map[string][]int64{schema.NormAbsolute: s.TimeNs, schema.NormRelative: s.SincePreviousNs, schema.NormStackBased: s.SinceCallNs, schema.NormFragmentAbsolute: s.SinceStartNs}
	for i, ns := range times[options.Normalisation] {
		k := stepKey{s.Names.Fragments.Name(s.Fragment[i]), s.Transition[i]}
		if ns != schema.NoValue {
			r.samples[k] = append(r.samples[k], ns)
		}
		if s.SincePreviousNs[i] != schema.NoValue {
			r.steps[k] = append(r.steps[k], s.SincePreviousNs[i])
		}
	}
}

func (r *run) transitions(fragment string) (own []schema.Transition) {
	for _, t := range r.model.Transitions {
		if t.Fragment == fragment {
			own = append(own, t)
		}
	}
	return own
}

func label(t *schema.Transition) string {
	text := t.Kind + " " + t.Function
	if t.Direction != "" {
		text += " " + t.Direction + " " + t.Peer
	}
	return text
}

var options = samplechanges.Options{Thresholds: sampletests.Defaults(), Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute}

// compare judges every step of every fragment of the baseline runs and the candidate runs, and ranks them.
func compare(base, cand []*run) []schema.Change {
	runs := slices.Concat(base, cand)
	var fragments []string
	for _, r := range runs {
		for _, f := range r.model.Fragments {
			fragments = append(fragments, f.Fragment)
		}
	}
	slices.Sort(fragments)
	var all []schema.Change
	for _, name := range slices.Compact(fragments) {
		var list []matching.Automaton
		for _, r := range runs {
			list = append(list, matching.Automaton{Fragment: name, Transitions: r.transitions(name)})
		}
		matched, err := matching.LTSDiff(list)
		if err != nil {
			panic(err)
		}
		for _, step := range matched.Steps {
			all = append(all, judge(runs, len(base), list, step))
		}
	}
	return ranked(all)
}

func judge(runs []*run, bases int, list []matching.Automaton, step matching.Step) schema.Change {
	sides := [2]samplechanges.Side{{Runs: bases}, {Runs: len(runs) - bases}}
	var subject samplechanges.Subject
	awaited := ""
	for i, n := range step.Taken {
		if n == matching.None {
			continue
		}
		side := &sides[min(i/bases, 1)]
		k := stepKey{list[i].Fragment, n}
		side.Values = append(side.Values, runs[i].samples[k]...)
		side.StepNs = append(side.StepNs, runs[i].steps[k]...)
		t := &list[i].Transitions[n]
		subject = samplechanges.Subject{Level: schema.LevelTransition, Component: t.Component, Fragment: t.Fragment, Subject: label(t)}
		awaited = samplechanges.Awaited(list[i].Transitions, nil)[n]
	}
	return samplechanges.NewJudge(options).Compare(subject, sides[0], sides[1], awaited)
}

// detected are the steps that changed, by rank, with their verdicts and causes.
func detected(all []schema.Change) (lines []string) {
	for _, c := range all {
		if c.Verdict == schema.Unchanged {
			continue
		}
		text := fmt.Sprintf("%s %s: %s", c.Component, c.Subject, c.Verdict)
		if c.RootCause != "" {
			text += ", " + c.RootCause
		}
		lines = append(lines, text)
	}
	return lines
}

// ranked are changes in the order of their ranks.
func ranked(all []schema.Change) (out []schema.Change) {
	list := make([]*schema.Change, len(all))
	for i := range all {
		list[i] = &all[i]
	}
	samplechanges.Rank(list)
	for _, c := range list {
		out = append(out, *c)
	}
	return out
}
