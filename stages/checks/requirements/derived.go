package requirements

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/stl"
)

// Derive computes the signals of a specification from the states, whose tape is closed. Executions are claims of amount 1 on their
// lifeline. An item is a root execution, a message, or what has the same value of an attribute, from its first state to its
// last. The domain is that of the run. Traced gives the pieces of the trace's own signal that a filter selects, by the trace's clock;
// the domain of such a signal is that of its pieces. The error has all signals that cannot be computed.
func (s *States) Derive(sp *spec.Spec, traced func(spec.Filter) ([]stl.Fragment, error)) error {
	all := make([]*stl.Signal, len(sp.Signals))
	var failed []error
	for i := range sp.Signals {
		if s.Tape.States() == 0 {
			break
		}
		d := &derived{States: s, signal: &sp.Signals[i], originNs: s.Tape.FirstNs()}
		if d.signal.Origin == spec.OfTrace {
			of, err := traced(d.signal.Filter)
			if err != nil {
				failed = append(failed, d.failed(sp, err))
				continue
			}
			for i := range of {
				of[i].From, of[i].To = of[i].From-float64(d.originNs), of[i].To-float64(d.originNs)
			}
			all[i] = stl.New(of)
			continue
		}
		if err := d.collect(); err != nil {
			failed = append(failed, d.failed(sp, err))
			continue
		}
		all[i] = stl.Sum(d.changes, 0, float64(s.Tape.LastNs()-d.originNs))
	}
	s.Signals = &Signals{Of: func(i int) *stl.Signal { return all[i] }}
	if s.Tape.States() > 0 {
		s.Signals.OriginNs = s.Tape.FirstNs()
	}
	return errors.Join(failed...)
}

// derived is one signal that is being computed.
type derived struct {
	*States
	signal   *spec.Signal
	originNs int64
	changes  []stl.Change
}

// collect collects the changes of the signal.
func (d *derived) collect() error {
	switch d.signal.Origin {
	case spec.ResourceAmount, spec.ResourceClients:
		return d.resource()
	case spec.Latency:
		return fmt.Errorf("latency has no value where nothing is in progress, so that it is not asked here; take wip or throughput")
	case spec.WorkInProgress, spec.Throughput:
		switch d.signal.Items {
		case "":
			return d.events()
		case "root":
			d.roots()
			return nil
		case "message":
			return d.items("message_id")
		}
		return d.items(d.signal.Items)
	}
	return fmt.Errorf("there are throughput, wip, resource-amount and resource-clients")
}

// failed is an error with the place of the signal.
func (d *derived) failed(sp *spec.Spec, err error) error {
	return fmt.Errorf("%s:%d:%d: signal %s: %w", sp.File, d.signal.Line, d.signal.Col, d.signal.Name, err)
}

// rate is what an item adds to the throughput while it is in progress, or to the work in progress.
func (d *derived) rate(lengthNs float64) float64 {
	if d.signal.Origin != spec.Throughput {
		return 1
	}
	return d.perNs() / lengthNs
}

// perNs is the unit of time of throughput: seconds where none was given.
func (d *derived) perNs() float64 {
	if d.signal.PerNs == 0 {
		return perSecond
	}
	return d.signal.PerNs
}

// item adds an item from its first to its last instant (Definitions 13 and 15), averaged over the window before t (Definition 10): the
// average of a box is a ramp up, a level and a ramp down. An item of no length counts in the average of throughput only.
func (d *derived) item(fromNs, toNs int64) { d.weighed(fromNs, toNs, 1) }

// weighed is item for one of another value than 1.
func (d *derived) weighed(fromNs, toNs int64, value float64) {
	from, to, w := float64(fromNs-d.originNs), float64(toNs-d.originNs), d.signal.OverNs
	if from == to {
		if w > 0 && d.signal.Origin == spec.Throughput {
			d.changes = append(d.changes, stl.Change{At: from, Step: d.perNs() / w, Open: 1}, stl.Change{At: from + w, Step: -d.perNs() / w, Open: -1})
		}
		return
	}
	r := value * d.rate(to-from)
	if w == 0 {
		d.changes = append(d.changes, stl.Change{At: from, Step: r, Open: 1}, stl.Change{At: to, Step: -r, Open: -1})
		return
	}
	r /= w
	d.changes = append(d.changes, stl.Change{At: from, Slope: r, Open: 1}, stl.Change{At: from + w, Slope: -r},
		stl.Change{At: to, Slope: -r}, stl.Change{At: to + w, Slope: r, Open: -1})
}

// items adds an item for each value of an attribute.
func (d *derived) items(name string) error {
	value := d.text(name)
	if value == nil {
		return fmt.Errorf("no state has the attribute %s", name)
	}
	byTuple := make([]span, len(d.tuples))
	for i := range byTuple {
		byTuple[i].fromNs = math.MaxInt64
	}
	for i := range d.Tape.States() {
		t := &byTuple[d.Tape.Tuple(i)]
		t.fromNs, t.toNs = min(t.fromNs, d.Tape.TimeNs(i)), d.Tape.TimeNs(i)
	}
	byValue := make(map[string]int)
	var spans []span
	for i := range d.tuples {
		v := value(&d.tuples[i])
		if v == "" {
			continue
		}
		at, known := byValue[v]
		if !known {
			at = len(spans)
			byValue[v] = at
			spans = append(spans, byTuple[i])
		}
		spans[at] = span{fromNs: min(spans[at].fromNs, byTuple[i].fromNs), toNs: max(spans[at].toNs, byTuple[i].toNs)}
	}
	for _, x := range spans {
		d.item(x.fromNs, x.toNs)
	}
	return nil
}

// roots adds the executions that no other one encloses on their lifeline. One that the trace leaves open lasts to the end.
func (d *derived) roots() {
	depth := make(map[schema.Code]int)
	since := make(map[schema.Code]int64)
	for i := range d.Tape.States() {
		t := &d.tuples[d.Tape.Tuple(i)]
		if t.kind == schema.Enter {
			if depth[t.lifeline]++; depth[t.lifeline] == 1 {
				since[t.lifeline] = d.Tape.TimeNs(i)
			}
		} else if depth[t.lifeline] > 0 {
			if depth[t.lifeline]--; depth[t.lifeline] == 0 {
				d.item(since[t.lifeline], d.Tape.TimeNs(i))
			}
		}
	}
	for lifeline := range schema.Code(d.names.Lifelines.Len()) {
		if depth[lifeline] > 0 {
			d.item(since[lifeline], d.Tape.LastNs())
		}
	}
}

// resource adds the executions of the lifelines that are meant, nested ones too.
func (d *derived) resource() error {
	if d.own != nil && d.own.claims != nil {
		return d.claimed()
	}
	for _, p := range d.signal.Filter.Pairs {
		if p.Name != "name" && p.Name != "lifeline" && p.Name != "component" {
			return fmt.Errorf("a resource is a lifeline, with the attributes name, lifeline and component, and not %s", p.Name)
		}
	}
	depth := make(map[schema.Code]int)
	var stacks [][]int64 // by lifeline: when its open executions began
	any := false
	for i := range d.Tape.States() {
		t := &d.tuples[d.Tape.Tuple(i)]
		if !d.isResource(t) {
			continue
		}
		any = true
		at, known := depth[t.lifeline]
		if !known {
			at = len(stacks)
			depth[t.lifeline] = at
			stacks = append(stacks, nil)
		}
		stack := &stacks[at]
		if t.kind == schema.Enter {
			*stack = append(*stack, d.Tape.TimeNs(i))
		} else if n := len(*stack); n > 0 {
			d.item((*stack)[n-1], d.Tape.TimeNs(i))
			*stack = (*stack)[:n-1]
		}
	}
	for _, stack := range stacks {
		for _, since := range stack {
			d.item(since, d.Tape.LastNs())
		}
	}
	if !any {
		return fmt.Errorf("no lifeline matches; there are %s", d.lifelines())
	}
	return nil
}

// isResource reports whether a state is on a lifeline that is meant.
func (d *derived) isResource(t *tuple) bool {
	for _, p := range d.signal.Filter.Pairs {
		name := d.names.Lifelines.Name(t.lifeline)
		if p.Name == "component" {
			name = d.names.Components.Name(t.component)
		}
		if name != p.Value {
			return false
		}
	}
	return true
}

// lifelines names the first lifelines.
func (d *derived) lifelines() string {
	return first(slices.Sorted(slices.Values(d.names.Lifelines.Names())))
}

// first names the first of some names.
func first(names []string) string {
	if len(names) > 8 {
		names = append(names[:8], "...")
	}
	return strings.Join(names, ", ")
}

// events adds states that satisfy a filter: each counts for as long as the window is wide.
func (d *derived) events() error {
	if d.signal.OverNs == 0 {
		return fmt.Errorf("throughput of events needs a window: write over 10 ms")
	}
	holds := d.holds(&d.signal.Filter)
	for i := range d.Tape.States() {
		if holds[d.Tape.Tuple(i)] {
			d.item(d.Tape.TimeNs(i), d.Tape.TimeNs(i))
		}
	}
	return nil
}
