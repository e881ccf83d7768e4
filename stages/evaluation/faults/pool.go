package faults

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Label names an event in any run: the n-th candidate of a subject, from 0.
type Label struct{ Subject, Occurrence uint32 }

// Pool holds the labels and functions that every one of some runs has: faults are chosen from these.
type Pool struct {
	labels    []Label  // in the trace order of the first run
	functions []uint32 // whose exits take time in all runs, ascending
}

// NewPool is the pool of one run. To inject the same faults into more runs, narrow it to them.
func NewPool(first *Run) *Pool {
	p := &Pool{labels: make([]Label, 0, len(first.subjects.events))}
	seen := make([]uint32, first.subjects.codes())
	for e, s := range first.columns.Subject {
		if first.candidate(e) {
			p.labels = append(p.labels, Label{s, seen[s]})
			seen[s]++
		}
	}
	for f := range first.exits.codes() {
		if first.takes(f) {
			p.functions = append(p.functions, f)
		}
	}
	return p
}

// Narrow takes out of the pool what a further run has not.
func (p *Pool) Narrow(r *Run) {
	p.labels = slices.DeleteFunc(p.labels, func(l Label) bool { return int(l.Occurrence) >= len(r.subjects.of(l.Subject)) })
	p.functions = slices.DeleteFunc(p.functions, func(f uint32) bool { return !r.takes(f) })
}

// Plan chooses what a fault is of, from a seed. The choice does not depend on magnitudes, so that a fault
// can grow in place, and the spikes of a smaller number are among those of a greater one. All labels are equally
// likely, as are all functions, however often they are called. Noise is of every candidate.
func (p *Pool) Plan(f Fault, seed uint64) (Plan, error) {
	plan, rng := Plan{Fault: f, Seed: seed}, source(seed, choosing)
	if err := f.Check(); err != nil {
		return Plan{}, err
	}
	switch f.Kind {
	case Spikes, Chain:
		if n := len(p.labels); f.Events > n {
			return Plan{}, fmt.Errorf("faults: %s of %d events: the runs have %d in common", f.Kind, f.Events, n)
		}
		plan.Labels = p.chosen(f, rng)
	case Delay, Alternate:
		if len(p.functions) == 0 {
			return Plan{}, fmt.Errorf("faults: %s: the runs have no function in common whose exits take time", f.Kind)
		}
		plan.Function = p.functions[rng.IntN(len(p.functions))]
	}
	return plan, nil
}

// chosen are the labels of a chain, which may start wherever it has room, or of single events.
func (p *Pool) chosen(f Fault, rng *rand.Rand) (labels []Label) {
	n := len(p.labels)
	if f.Kind == Chain {
		at := rng.IntN(n - f.Events + 1)
		return slices.Clone(p.labels[at : at+f.Events])
	}
	for _, at := range distinct(f.Events, func() int { return rng.IntN(n) }) {
		labels = append(labels, p.labels[at])
	}
	return labels
}

// distinct draws until it has k different numbers, and returns them in order.
func distinct(k int, draw func() int) []int {
	drawn, all := make(map[int]bool, k), make([]int, 0, k)
	for len(all) < k {
		if at := draw(); !drawn[at] {
			drawn[at] = true
			all = append(all, at)
		}
	}
	slices.Sort(all)
	return all
}
