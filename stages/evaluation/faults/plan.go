package faults

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Plan is a fault and what it is of, in terms that mean the same in all runs.
type Plan struct {
	Fault    Fault   // what is injected
	Seed     uint64  // of the random numbers, so that a trial can be repeated
	Labels   []Label // Spikes, Chain: consecutive in the first run of the pool, wherever they are in others
	Function uint32  // Delay, Alternate
}

// Injections are the injections that a plan makes of a run, in the order in which to inject them; those by 0 ns are
// none. Those of a factor are in trace order, as every call starts with the delays of those before it; all others
// are outward. It is an error if the run has not what the plan is of: then the pool was not narrowed to it.
func (p Plan) Injections(r *Run) ([]Injection, error) {
	switch p.Fault.Kind {
	case Noise:
		return outward(p.noise(r)), nil
	case Spikes, Chain:
		all, err := p.labelled(r)
		return outward(all), err
	case Delay, Alternate:
		return p.factored(r)
	}
	return nil, p.Fault.Check()
}

// noise draws for every candidate. The stream of a run depends on the seed and the run's number alone, so noise
// of another σ is the same noise to another scale.
func (p Plan) noise(r *Run) []Injection {
	rng, out := source(p.Seed, noiseOf+r.Number), make([]Injection, 0, len(r.subjects.events))
	for e := range r.columns.Subject {
		if !r.candidate(e) {
			continue
		}
		out = inject(out, int32(e), rng.NormFloat64()*float64(p.Fault.DeltaNs))
	}
	return out
}

// labelled finds the labelled events of a run.
func (p Plan) labelled(r *Run) ([]Injection, error) {
	out := make([]Injection, 0, len(p.Labels))
	for _, l := range p.Labels {
		events := r.subjects.of(l.Subject)
		if int(l.Occurrence) >= len(events) {
			return nil, fmt.Errorf("faults: run %d has %d candidates of subject %d, and the plan is of number %d",
				r.Number, len(events), l.Subject, l.Occurrence)
		}
		out = append(out, Injection{events[l.Occurrence], p.Fault.DeltaNs})
	}
	return out, nil
}

// factored moves the exits of a function by what the factor adds to the time since the call, or by what it takes off.
// The first execution, by its exit, takes longer, the next one shorter, and so on. Times are those of the reference.
func (p Plan) factored(r *Run) ([]Injection, error) {
	if !r.takes(p.Function) {
		return nil, fmt.Errorf("faults: function %d takes no time in run %d", p.Function, r.Number)
	}
	var out []Injection
	for i, e := range r.exits.of(p.Function) {
		longer := p.Fault.Factor - 1
		if p.Fault.Kind == Alternate && i%2 == 1 {
			longer = 1/p.Fault.Factor - 1
		}
		out = inject(out, e, longer*float64(r.columns.SinceCallNs[e]))
	}
	return out, nil
}

// inject appends an injection, by whole ns, unless that is by 0.
func inject(to []Injection, event int32, ns float64) []Injection {
	if delta := int64(math.Round(ns)); delta != 0 {
		to = append(to, Injection{event, delta})
	}
	return to
}

// outward puts injections into an order in which none meets an event that another one has pushed in its direction:
// first those to the right, from the last to the first, then those to the left, from the first to the last.
//
// The paper injects "one after the other" and does not say in which order, but the order decides. By this one every
// event moves by its own δ, and consequences take the greatest demand. So no event ends later than by the greatest δ,
// nor earlier than by the least. In trace order an event that was pushed by the one before it gets its own δ on
// top, and pushes the next one by the sum: noise that exceeds the slack between events then tears the trace
// apart by thousands of σ, in a time that grows alike.
func outward(all []Injection) []Injection {
	slices.SortFunc(all, func(a, b Injection) int {
		switch right := a.DeltaNs > 0; {
		case right != (b.DeltaNs > 0):
			return cmp.Compare(b.DeltaNs, a.DeltaNs)
		case right:
			return cmp.Compare(b.Event, a.Event)
		}
		return cmp.Compare(a.Event, b.Event)
	})
	return all
}
