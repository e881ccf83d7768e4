package transformation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// clone is a trace whose lists grow without changing those of this one.
func (t *Trace) clone() *Trace {
	c := *t
	c.Resources, c.Claims, c.Events = slices.Clone(t.Resources), slices.Clone(t.Claims), slices.Clone(t.Events)
	c.Dependencies, c.Signals = slices.Clone(t.Dependencies), slices.Clone(t.Signals)
	return &c
}

// only is the trace with the claims and events that lie within two times and pass, and signals cut there. Dependencies lose those whose ends
// are gone.
func (t *Trace) only(fromNs, toNs int64, claim, event, signal func(int) bool) *Trace {
	out := &Trace{UnitNs: t.UnitNs, Attributes: t.Attributes, Resources: slices.Clone(t.Resources)}
	moved := make(map[End]int)
	for i, c := range t.Claims {
		if c.FromNs >= fromNs && c.ToNs <= toNs && claim(i) {
			moved[End{At: i}] = len(out.Claims)
			out.Claims = append(out.Claims, c)
		}
	}
	for i, e := range t.Events {
		if e.TimeNs >= fromNs && e.TimeNs <= toNs && event(i) {
			moved[End{At: i, Event: true}] = len(out.Events)
			out.Events = append(out.Events, e)
		}
	}
	for _, d := range t.Dependencies {
		from, has := moved[End{At: d.From.At, Event: d.From.Event}]
		to, also := moved[End{At: d.To.At, Event: d.To.Event}]
		if has && also {
			d.From.At, d.To.At = from, to
			out.Dependencies = append(out.Dependencies, d)
		}
	}
	for i, s := range t.Signals {
		if signal(i) {
			s.Pieces = cut(s.Pieces, fromNs, toNs)
			out.Signals = append(out.Signals, s)
		}
	}
	return out
}

// cut is what of pieces lies within two times.
func cut(pieces []Piece, fromNs, toNs int64) (within []Piece) {
	for _, p := range pieces {
		if p.FromNs < fromNs {
			x := float64(fromNs - p.FromNs)
			p.C, p.B = p.C+x*(p.B+x*p.A), p.B+2*x*p.A
			p.FromNs = fromNs
		}
		if p.ToNs = min(p.ToNs, toNs); p.FromNs < p.ToNs {
			within = append(within, p)
		}
	}
	return within
}

// firstNs is the time of the first claim or event, or of the first piece of a signal where there are none.
func (t *Trace) firstNs() (first int64, any bool) {
	take := func(ns int64) {
		if !any || ns < first {
			first, any = ns, true
		}
	}
	for _, c := range t.Claims {
		take(c.FromNs)
	}
	for _, e := range t.Events {
		take(e.TimeNs)
	}
	if !any {
		for _, s := range t.Signals {
			for _, p := range s.Pieces {
				take(p.FromNs)
			}
		}
	}
	return first, any
}

// move moves everything in time. The lists are those of this trace alone, but for pieces of signals.
func (t *Trace) move(byNs int64) {
	if byNs == 0 {
		return
	}
	for i := range t.Claims {
		t.Claims[i].FromNs += byNs
		t.Claims[i].ToNs += byNs
	}
	for i := range t.Events {
		t.Events[i].TimeNs += byNs
	}
	for i := range t.Signals {
		t.Signals[i].Pieces = slices.Clone(t.Signals[i].Pieces)
		for j := range t.Signals[i].Pieces {
			t.Signals[i].Pieces[j].FromNs += byNs
			t.Signals[i].Pieces[j].ToNs += byNs
		}
	}
}

// schemaEvents are the states as events of a run. Claims of a resource that overlap have lifelines of their own.
func (t *Trace) schemaEvents(ends []End, timeNs []int64) *schema.Events {
	ev := schema.NewEvents()
	n := ev.Names
	busy := make([][]bool, len(t.Resources)) // lanes of each resource
	lane := make([]int, len(t.Claims))
	for i, e := range ends {
		component, lifeline, function, kind := "events", "events", "", schema.Regular
		if e.Event {
			function, _ = get(t.Events[e.At].Attributes, "name")
		} else {
			c := &t.Claims[e.At]
			component = t.Resources[c.Resource].Name
			if kind = schema.Enter; e.End {
				kind = schema.Exit
				busy[c.Resource][lane[e.At]] = false
			} else {
				lane[e.At] = slices.Index(busy[c.Resource], false)
				if lane[e.At] < 0 {
					lane[e.At] = len(busy[c.Resource])
					busy[c.Resource] = append(busy[c.Resource], false)
				}
				busy[c.Resource][lane[e.At]] = true
			}
			if lifeline = component; lane[e.At] > 0 {
				lifeline = fmt.Sprintf("%s#%d", component, lane[e.At]+1)
			}
			function, _ = get(c.Attributes, "name")
		}
		ev.Seq, ev.TimeNs = append(ev.Seq, int64(i)), append(ev.TimeNs, timeNs[i])
		ev.Component, ev.Lifeline = append(ev.Component, n.Components.Code(component)), append(ev.Lifeline, n.Lifelines.Code(lifeline))
		ev.Function, ev.Kind = append(ev.Function, n.Functions.Code(function)), append(ev.Kind, kind)
		ev.Message, ev.Series = append(ev.Message, schema.NoCode), append(ev.Series, schema.NoCode)
		ev.MessageID, ev.Direction = append(ev.MessageID, schema.NoValue), append(ev.Direction, schema.NoMessage)
		ev.Peer, ev.ExecutionType = append(ev.Peer, schema.NoCode), append(ev.ExecutionType, schema.NoCode)
		ev.Synthetic = append(ev.Synthetic, false)
	}
	return ev
}

// tables are what the trace has beside events, as a run has it.
func (t *Trace) tables(ends []End) *schema.Things {
	texts := &schema.AttributeNames{Names: new(schema.Dictionary), Values: new(schema.Dictionary)}
	out := &schema.Things{Attributes: schema.NewAttributes(texts), Claims: new(schema.Claims), Dependencies: new(schema.Dependencies), Fragments: new(schema.SignalFragments)}
	a := out.Attributes
	add := func(about schema.AttributeOf, ref int64, name, value string) {
		a.About, a.Ref = append(a.About, about), append(a.Ref, ref)
		a.Name, a.Value = append(a.Name, texts.Names.Code(name)), append(a.Value, texts.Values.Code(value))
	}
	for i, r := range t.Resources {
		out.Resources = append(out.Resources, schema.Resource{Resource: int64(i), Name: r.Name, Capacity: r.Capacity, Places: r.Places})
		for _, p := range r.Attributes {
			add(schema.OfResource, int64(i), p.Name, p.Value)
		}
	}
	for seq, e := range ends {
		switch {
		case e.Event:
			for _, p := range t.Events[e.At].Attributes {
				add(schema.OfEvent, int64(seq), p.Name, p.Value)
			}
		case !e.End:
			c := &t.Claims[e.At]
			for _, p := range c.Attributes {
				add(schema.OfClaim, int64(seq), p.Name, p.Value)
			}
			to := out.Claims
			to.Execution, to.ID, to.Resource = append(to.Execution, int64(seq)), append(to.ID, int64(e.At)), append(to.Resource, int64(c.Resource))
			to.Amount, to.Place = append(to.Amount, c.Amount), append(to.Place, c.Place)
		}
	}
	for i, s := range t.Signals {
		name := s.Name
		if given, has := get(s.Attributes, "name"); has {
			name = given
		}
		out.Signals = append(out.Signals, schema.Signal{Signal: int64(i), Name: strings.TrimSpace(name), Origin: schema.OriginTrace, StepNs: 1})
		for _, p := range s.Attributes {
			add(schema.OfSignal, int64(i), p.Name, p.Value)
		}
		f := out.Fragments
		for _, p := range s.Pieces {
			f.Signal, f.FromNs, f.ToNs = append(f.Signal, int64(i)), append(f.FromNs, p.FromNs), append(f.ToNs, p.ToNs)
			f.C, f.B, f.A = append(f.C, p.C), append(f.B, p.B), append(f.A, p.A)
		}
	}
	return out
}
