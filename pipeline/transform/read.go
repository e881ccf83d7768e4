package transform

import (
	"context"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/transformation"
)

// reading is a run that becomes a trace.
type reading struct {
	*transformation.Trace
	things   *schema.Things
	at       map[int64]transformation.End // by seq of the event
	pairs    map[schema.AttributeOf]map[int64][]spec.Pair
	resource map[int64]int         // position, by number in the trace
	lifeline map[string]int        // position of the resource that stands for a lifeline
	open     map[schema.Code][]int // claims that have begun, by lifeline; -1 for executions that claim nothing
}

// read reads a run. One without claims claims 1 of its lifeline with every execution, and its messages are dependencies.
func read(ctx context.Context, l *lake.Lake, run string) (*transformation.Trace, error) {
	things, err := runs.Things(ctx, l, run)
	if err != nil {
		return nil, err
	}
	r := &reading{
		Trace: &transformation.Trace{UnitNs: 1e9}, things: things, at: make(map[int64]transformation.End), pairs: make(map[schema.AttributeOf]map[int64][]spec.Pair),
		resource: make(map[int64]int), lifeline: make(map[string]int), open: make(map[schema.Code][]int),
	}
	r.attributes()
	for i, x := range things.Resources {
		r.resource[x.Resource] = i
		r.Resources = append(r.Resources, transformation.Resource{Name: x.Name, Capacity: x.Capacity, Places: x.Places, Attributes: r.of(schema.OfResource, x.Resource)})
	}
	ev := schema.NewEvents()
	o := lake.ScanOptions{Columns: []string{"seq", "time_ns", "kind", "component", "lifeline", "function"}}
	if err := l.ScanEvents(ctx, run, ev, o, func() error { r.events(ev); return nil }); err != nil {
		return nil, err
	}
	r.signals()
	return r.Trace, r.dependencies(ctx, l, run)
}

// attributes gathers attributes by what they are about.
func (r *reading) attributes() {
	a := r.things.Attributes
	for i, about := range a.About {
		ref := a.Ref[i]
		if about == schema.OfTrace {
			ref = 0
		}
		if r.pairs[about] == nil {
			r.pairs[about] = make(map[int64][]spec.Pair)
		}
		r.pairs[about][ref] = append(r.pairs[about][ref], spec.Pair{Name: a.Texts.Names.Name(a.Name[i]), Value: a.Texts.Values.Name(a.Value[i])})
	}
	r.Attributes = r.of(schema.OfTrace, 0)
}

func (r *reading) of(about schema.AttributeOf, ref int64) []spec.Pair { return r.pairs[about][ref] }

// events makes claims of executions, and events of regular events.
func (r *reading) events(ev *schema.Events) {
	for i, kind := range ev.Kind {
		lifeline := ev.Lifeline[i]
		switch kind {
		case schema.Enter:
			claim := r.claim(ev, i)
			r.open[lifeline] = append(r.open[lifeline], claim)
			if claim >= 0 {
				r.at[ev.Seq[i]] = transformation.End{At: claim}
			}
		case schema.Exit:
			stack := r.open[lifeline]
			if len(stack) == 0 {
				continue
			}
			claim := stack[len(stack)-1]
			r.open[lifeline] = stack[:len(stack)-1]
			if claim >= 0 {
				r.Claims[claim].ToNs = ev.TimeNs[i]
				r.at[ev.Seq[i]] = transformation.End{At: claim, End: true}
			}
		case schema.Regular:
			r.at[ev.Seq[i]] = transformation.End{At: len(r.Events), Event: true}
			pairs := r.of(schema.OfEvent, ev.Seq[i])
			if pairs == nil {
				pairs = []spec.Pair{{Name: "name", Value: ev.Names.Functions.Name(ev.Function[i])}}
			}
			r.Events = append(r.Events, transformation.Event{TimeNs: ev.TimeNs[i], Attributes: pairs})
		}
	}
}

// claim is the claim that an execution begins, or -1 where it claims nothing.
func (r *reading) claim(ev *schema.Events, i int) int {
	c := transformation.Claim{FromNs: ev.TimeNs[i], ToNs: ev.TimeNs[i], Amount: 1}
	table := r.things.Claims
	if len(table.Execution) == 0 {
		name := ev.Names.Lifelines.Name(ev.Lifeline[i])
		at, known := r.lifeline[name]
		if !known {
			at = len(r.Resources)
			r.lifeline[name] = at
			r.Resources = append(r.Resources, transformation.Resource{Name: name, Capacity: 1})
		}
		c.Resource = at
		c.Attributes = []spec.Pair{{Name: "name", Value: ev.Names.Functions.Name(ev.Function[i])}, {Name: "component", Value: ev.Names.Components.Name(ev.Component[i])}}
		c.Attributes = append(c.Attributes, r.of(schema.OfClaim, ev.Seq[i])...)
		r.Claims = append(r.Claims, c)
		return len(r.Claims) - 1
	}
	at, found := slices.BinarySearch(table.Execution, ev.Seq[i])
	if !found {
		return -1
	}
	resource, declared := r.resource[table.Resource[at]]
	if !declared {
		resource = len(r.Resources)
		r.resource[table.Resource[at]] = resource
		r.Resources = append(r.Resources, transformation.Resource{Name: fmt.Sprintf("resource %d", table.Resource[at]), Capacity: 1})
	}
	c.Resource, c.Amount, c.Place, c.Attributes = resource, table.Amount[at], table.Place[at], r.of(schema.OfClaim, ev.Seq[i])
	r.Claims = append(r.Claims, c)
	return len(r.Claims) - 1
}

// signals are those of the trace. Its unit of time is that in which weights count.
func (r *reading) signals() {
	pieces := make(map[int64][]transformation.Piece)
	for i, f := 0, r.things.Fragments; i < len(f.Signal); i++ {
		pieces[f.Signal[i]] = append(pieces[f.Signal[i]], transformation.Piece{FromNs: f.FromNs[i], ToNs: f.ToNs[i], C: f.C[i], B: f.B[i], A: f.A[i]})
	}
	for _, s := range r.things.Signals {
		r.UnitNs = s.StepNs
		step := float64(s.StepNs)
		one := transformation.Signal{Name: s.Name, Attributes: r.of(schema.OfSignal, s.Signal)}
		for _, p := range pieces[s.Signal] {
			p.B, p.A = p.B/step, p.A/step/step
			one.Pieces = append(one.Pieces, p)
		}
		r.Signals = append(r.Signals, one)
	}
}

// dependencies are those of the trace, or else its messages.
func (r *reading) dependencies(ctx context.Context, l *lake.Lake, run string) error {
	add := func(source, target int64, pairs []spec.Pair) {
		from, has := r.at[source]
		to, also := r.at[target]
		if has && also {
			r.Dependencies = append(r.Dependencies, transformation.Dependency{From: from, To: to, Attributes: pairs})
		}
	}
	if d := r.things.Dependencies; len(d.Dependency) > 0 {
		for i := range d.Dependency {
			add(d.Source[i], d.Target[i], r.of(schema.OfDependency, d.Dependency[i]))
		}
		return nil
	}
	m := schema.NewMessages(new(schema.Names))
	return l.ScanTable(ctx, "messages", run, m, lake.ScanOptions{Columns: []string{"send_seq", "receive_seq"}}, func() error {
		for i := range m.SendSeq {
			add(m.SendSeq[i], m.ReceiveSeq[i], nil)
		}
		return nil
	})
}
