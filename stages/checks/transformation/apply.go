package transformation

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/stl"
)

// Made is what a transformation made.
type Made struct {
	Name         string `json:"transformation"`     // of the transformation
	Claims       int    `json:"claims"`             // made by claim specifications
	Events       int    `json:"events"`             // made by event specifications
	Signals      int    `json:"signals"`            // made by signal specifications
	Dependencies int    `json:"dependencies"`       // between things that were made
	Unmatched    int    `json:"starts_without_end"` // starts of claims behind which no end came
	Left         int    `json:"trimmed"`            // claims and events that trimming left out
}

// made is a thing that a spec made: its ends in the output, and its times.
type made struct {
	spec         string
	fromNs, toNs int64
}

// transformer makes one trace.
type transformer struct {
	of     *spec.Transformation
	in     *Trace
	ends   []End // states of the input
	timeNs []int64
	states *requirements.States
	out    *Trace
	at     [][]End // by state: what was made there, in the output
	things []made
	report Made
}

// Apply makes a trace of another one. With shared an end of claims may end several.
func Apply(t *Trace, x *spec.Transformation, shared bool) (*Trace, Made, error) {
	m := &transformer{of: x, in: filtered(t, x), report: Made{Name: x.Name}}
	m.ends, m.timeNs = m.in.ends()
	m.out = &Trace{UnitNs: t.UnitNs, Attributes: t.Attributes}
	if x.Augment {
		m.out = m.in.clone()
	}
	m.at = make([][]End, len(m.ends))
	things := m.in.tables(m.ends)
	if err := m.read(things); err != nil {
		return nil, Made{}, err
	}
	m.events()
	m.claims(shared)
	if err := m.signals(); err != nil {
		return nil, Made{}, err
	}
	m.dependencies()
	if err := m.trim(); err != nil {
		return nil, Made{}, err
	}
	m.shift()
	return m.out, m.report, nil
}

// filtered is what of a trace a transformation looks at.
func filtered(t *Trace, x *spec.Transformation) *Trace {
	fromNs, toNs := int64(-1<<63), int64(1<<63-1)
	if x.From != nil {
		fromNs, toNs = -floor(new(big.Rat).Neg(x.From)), floor(x.To)
	}
	return t.only(fromNs, toNs,
		func(i int) bool { return fits(x.Claims, t.Claims[i].Attributes) },
		func(i int) bool { return fits(x.Events, t.Events[i].Attributes) },
		func(i int) bool { return fits(x.SignalsKept, named(t.Signals[i].Name, t.Signals[i].Attributes)) })
}

// floor is the greatest whole number that is not above a fraction.
func floor(r *big.Rat) int64 { return new(big.Int).Div(r.Num(), r.Denom()).Int64() }

// read makes states of the input, as checks see it, with the signals of the transformation.
func (m *transformer) read(things *schema.Things) error {
	ev := m.in.schemaEvents(m.ends, m.timeNs)
	m.states = requirements.NewStates(m.of.Spec, ev.Names, true)
	m.states.Own(m.of.Spec, things)
	m.states.Add(ev)
	m.states.Tape.Close()
	if len(m.of.Spec.Signals) == 0 {
		return nil
	}
	return m.states.Derive(m.of.Spec, requirements.Traced(things))
}

// events makes the events.
func (m *transformer) events() {
	for i := range m.of.EventSpecs {
		s := &m.of.EventSpecs[i]
		for _, state := range m.states.Truth(s.At) {
			m.at[state] = append(m.at[state], End{At: len(m.out.Events), Event: true})
			m.out.Events = append(m.out.Events, Event{m.timeNs[state], s.Attributes})
			m.things = append(m.things, made{s.Name, m.timeNs[state], m.timeNs[state]})
			m.report.Events++
		}
	}
}

// claims makes the claims. Their resource is the attribute resource, or else is named as the spec is; what it holds at most is its capacity.
func (m *transformer) claims(shared bool) {
	for i := range m.of.ClaimSpecs {
		s := &m.of.ClaimSpecs[i]
		name, has := get(s.Attributes, "resource")
		if !has {
			name = s.Name
		}
		resource := slices.IndexFunc(m.out.Resources, func(r Resource) bool { return r.Name == name })
		if resource < 0 {
			resource = len(m.out.Resources)
			m.out.Resources = append(m.out.Resources, Resource{Name: name, Capacity: 1})
		}
		ends := m.states.Truth(s.End)
		taken := 0
		for _, start := range m.states.Truth(s.Start) {
			next := taken
			if shared {
				next = 0
			}
			for next < len(ends) && m.timeNs[ends[next]] <= m.timeNs[start] {
				next++
			}
			if next == len(ends) {
				m.report.Unmatched++
				continue
			}
			end := ends[next]
			taken = next + 1
			n := len(m.out.Claims)
			m.at[start], m.at[end] = append(m.at[start], End{At: n}), append(m.at[end], End{At: n, End: true})
			m.out.Claims = append(m.out.Claims, Claim{FromNs: m.timeNs[start], ToNs: m.timeNs[end], Resource: resource, Amount: 1, Attributes: s.Attributes})
			m.things = append(m.things, made{s.Name, m.timeNs[start], m.timeNs[end]})
			m.report.Claims++
		}
		m.out.Resources[resource].Capacity = max(m.out.Resources[resource].Capacity, m.out.most(resource))
	}
}

// most is the greatest amount of a resource that is claimed at a time.
func (t *Trace) most(resource int) (most float64) {
	ends, _ := t.ends()
	now := 0.0
	for _, e := range ends {
		if e.Event || t.Claims[e.At].Resource != resource {
			continue
		}
		if e.End {
			now -= t.Claims[e.At].Amount
		} else {
			now += t.Claims[e.At].Amount
		}
		most = max(most, now)
	}
	return most
}

// dependencies follows the dependencies and claims of the input from every made thing to the next ones.
func (m *transformer) dependencies() {
	if len(m.in.Dependencies) == 0 {
		return
	}
	state := make(map[End]int, len(m.ends))
	for i, e := range m.ends {
		state[e] = i
	}
	next := make([][]int, len(m.ends))
	for _, d := range m.in.Dependencies {
		if from, to := state[d.From], state[d.To]; from < to {
			next[from] = append(next[from], to)
		}
	}
	for from := range m.at {
		if len(m.at[from]) > 0 {
			m.follow(from, next, state)
		}
	}
}

// follow goes from a state to the made things that dependencies and claims lead to, in the order of states, and keeps the longest way.
func (m *transformer) follow(from int, next [][]int, state map[End]int) {
	longest := map[int]int64{from: 0}
	front := []int{from}
	reach := func(to int, ns int64) {
		before, known := longest[to]
		if !known {
			at, _ := slices.BinarySearch(front, to)
			front = slices.Insert(front, at, to)
		}
		if !known || ns > before {
			longest[to] = ns
		}
	}
	for len(front) > 0 {
		here := front[0]
		front = front[1:]
		if here != from && len(m.at[here]) > 0 {
			m.depend(from, here, longest[here])
			continue
		}
		for _, to := range next[here] {
			reach(to, longest[here])
		}
		if e := m.ends[here]; !e.Event && !e.End {
			end := End{At: e.At, End: true}
			reach(state[end], longest[here]+m.in.Claims[e.At].ToNs-m.in.Claims[e.At].FromNs)
		}
	}
}

// depend adds a dependency between what was made at two states, but none within a claim.
func (m *transformer) depend(from, to int, ns int64) {
	weight := strconv.FormatFloat(float64(ns)/float64(max(m.out.UnitNs, 1)), 'f', -1, 64)
	for _, a := range m.at[from] {
		for _, b := range m.at[to] {
			if a.Event == b.Event && a.At == b.At {
				continue
			}
			m.out.Dependencies = append(m.out.Dependencies, Dependency{a, b, []spec.Pair{{Name: "weight", Value: weight}}})
			m.report.Dependencies++
		}
	}
}

// occurrence is the i-th thing of a spec from a time on, in the order of time.
func (m *transformer) occurrence(name string, i, fromNs int64) (made, error) {
	var all []made
	for _, x := range m.things {
		if x.spec == name && x.fromNs >= fromNs {
			all = append(all, x)
		}
	}
	slices.SortStableFunc(all, func(a, b made) int { return int(min(max(a.fromNs-b.fromNs, -1), 1)) })
	if i >= int64(len(all)) {
		return made{}, fmt.Errorf("%s:%d:%d: trim asks for %s[%d], and %d were made; they are counted from 0", m.of.Spec.File, m.of.Line, m.of.Col, name, i, len(all))
	}
	return all[i], nil
}

// trim cuts the output.
func (m *transformer) trim() error {
	if m.of.Trim == nil {
		return nil
	}
	first, err := m.occurrence(m.of.Trim.FromName, m.of.Trim.From, -1<<63)
	if err != nil {
		return err
	}
	last, err := m.occurrence(m.of.Trim.ToName, m.of.Trim.To, first.fromNs)
	if err != nil {
		return err
	}
	all := func(int) bool { return true }
	before := len(m.out.Claims) + len(m.out.Events)
	m.out = m.out.only(first.fromNs, last.toNs, all, all, all)
	m.report.Left = before - len(m.out.Claims) - len(m.out.Events)
	return nil
}

// shift moves the output in time.
func (m *transformer) shift() {
	byNs := int64(0)
	if m.of.ShiftNs != nil {
		byNs = floor(m.of.ShiftNs)
	}
	if m.of.ToZero {
		if first, any := m.out.firstNs(); any {
			byNs = -first
		}
	}
	m.out.move(byNs)
}

// fragment is a piece of a signal of the specification in ns.
func fragment(f stl.Fragment) Piece {
	return Piece{FromNs: int64(f.From + 0.5), ToNs: int64(f.To + 0.5), C: f.C, B: f.B, A: f.A}
}
