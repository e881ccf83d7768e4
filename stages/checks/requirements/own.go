package requirements

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/numbering"
)

// own is what the trace says itself of its claims and events: attributes, which the start and the end of a claim share, and
// amounts of resources. The attributes that are asked for are numbered as sets, so that a state needs one number.
type own struct {
	names              []string // that are asked for and that something has
	values             *schema.Dictionary
	sets               []schema.Code // as many values a set as there are names; schema.NoCode where it lacks one
	refs               []ref         // by seq
	claims             *schema.Claims
	spans              []span                    // of claims, by their position
	things             *schema.Things            // for the names of resources
	open               map[schema.Code][]started // by lifeline: executions that have begun
	nextRef, nextClaim int
}

// ref is the set of a claim, by its enter event, or of a regular event.
type ref struct {
	seq int64
	set uint32
}

// span is when a claim lasted.
type span struct {
	fromNs, toNs int64
	out          bool // it is not in the view
}

// started is an execution that has begun: its set, and its claim or -1.
type started struct {
	set   uint32
	claim int
}

// noSet is the set of things that have none of the attributes.
const noSet uint32 = 0

// Own says what the trace has of its claims and events. It is called before the first Add, and only needed where the run has such things.
func (s *States) Own(sp *spec.Spec, t *schema.Things) {
	o := &own{values: t.Attributes.Texts.Values, things: t, open: make(map[schema.Code][]started)}
	o.ask(sp, s.view, t.Attributes)
	for i := range sp.Signals {
		if origin := sp.Signals[i].Origin; (origin == spec.ResourceAmount || origin == spec.ResourceClients) && len(t.Claims.Execution) > 0 {
			o.claims, o.spans = t.Claims, make([]span, len(t.Claims.Execution))
		}
	}
	if len(o.names) > 0 || o.claims != nil {
		s.own = o
	}
}

// ask finds the attributes that are asked for, and numbers the sets of things.
func (o *own) ask(sp *spec.Spec, v *view, a *schema.Attributes) {
	asked, any := sp.Attributes()
	column := make(map[schema.Code]int)
	for i, about := range a.About {
		if about != schema.OfClaim && about != schema.OfEvent {
			continue
		}
		if _, known := column[a.Name[i]]; known {
			continue
		}
		name := a.Texts.Names.Name(a.Name[i])
		if column[a.Name[i]] = -1; any || v.asks(name) || slices.ContainsFunc(asked, func(x spec.Attribute) bool { return x.Name == name }) {
			column[a.Name[i]] = len(o.names)
			o.names = append(o.names, name)
		}
	}
	width := len(o.names)
	if width == 0 {
		return
	}
	var numbers numbering.Numbers
	setOf := map[uint32]uint32{}
	row := make([]schema.Code, width)
	add := func(values []schema.Code) uint32 {
		key := ^uint32(0)
		for _, v := range values {
			key, _ = numbers.Of(numbering.Pack(key, v))
		}
		set, known := setOf[key]
		if !known {
			set = uint32(len(o.sets) / width)
			setOf[key] = set
			o.sets = append(o.sets, values...)
		}
		return set
	}
	empty := func() {
		for i := range row {
			row[i] = schema.NoCode
		}
	}
	empty()
	add(row) // noSet
	for i := 0; i < len(a.About); {
		from := i
		for ; i < len(a.About) && a.About[i] == a.About[from] && a.Ref[i] == a.Ref[from]; i++ {
			if about := a.About[i]; about == schema.OfClaim || about == schema.OfEvent {
				if at := column[a.Name[i]]; at >= 0 {
					row[at] = a.Value[i]
				}
			}
		}
		if set := add(row); set != noSet {
			o.refs = append(o.refs, ref{a.Ref[from], set})
		}
		empty()
	}
	slices.SortFunc(o.refs, func(x, y ref) int { return cmp.Compare(x.seq, y.seq) })
}

// state returns the set of a state. Enters and exits of a lifeline are nested, so that an exit has the set of the last enter.
func (o *own) state(kind schema.Kind, seq, timeNs int64, lifeline schema.Code) uint32 {
	if kind == schema.Exit {
		stack := o.open[lifeline]
		if len(stack) == 0 {
			return noSet
		}
		last := stack[len(stack)-1]
		o.open[lifeline] = stack[:len(stack)-1]
		if last.claim >= 0 {
			o.spans[last.claim].toNs = timeNs
		}
		return last.set
	}
	set := noSet
	for o.nextRef < len(o.refs) && o.refs[o.nextRef].seq < seq {
		o.nextRef++
	}
	if o.nextRef < len(o.refs) && o.refs[o.nextRef].seq == seq {
		set = o.refs[o.nextRef].set
	}
	if kind == schema.Enter {
		o.open[lifeline] = append(o.open[lifeline], started{set, o.claim(seq, timeNs)})
	}
	return set
}

// claim is the claim that an enter event begins, or -1.
func (o *own) claim(seq, timeNs int64) int {
	if o.claims == nil {
		return -1
	}
	for o.nextClaim < len(o.claims.Execution) && o.claims.Execution[o.nextClaim] < seq {
		o.nextClaim++
	}
	if o.nextClaim == len(o.claims.Execution) || o.claims.Execution[o.nextClaim] != seq {
		return -1
	}
	o.spans[o.nextClaim] = span{fromNs: timeNs, toNs: timeNs}
	return o.nextClaim
}

// leaveOut takes the claim that began last on a lifeline out of the view.
func (o *own) leaveOut(lifeline schema.Code) {
	if stack := o.open[lifeline]; len(stack) > 0 {
		if claim := stack[len(stack)-1].claim; claim >= 0 {
			o.spans[claim].out = true
		}
	}
}

// value is the value that a set has of an attribute, by its position in names; schema.NoCode for none.
func (o *own) value(set uint32, name int) schema.Code {
	return o.sets[int(set)*len(o.names)+name]
}

// text gives the value of an attribute at a tuple: what the trace says itself, or else what is built in; "" for none. It is nil for an
// attribute that no state has.
func (s *States) text(name string) func(t *tuple) string {
	builtIn := named(name)
	at := -1
	if s.own != nil {
		at = slices.Index(s.own.names, name)
	}
	if at < 0 {
		if builtIn == nil {
			return nil
		}
		return func(t *tuple) string { return builtIn.value(s, t) }
	}
	return func(t *tuple) string {
		if v := s.own.value(t.set, at); v != schema.NoCode {
			return s.own.values.Name(v)
		}
		if builtIn == nil {
			return ""
		}
		return builtIn.value(s, t)
	}
}

// claimed adds the claims of the resources that a filter selects by their attributes (Hendriks et al. 2024, Definition 12).
func (d *derived) claimed() error {
	o := d.own
	of := make(map[int64]map[string]string) // attributes by resource
	for _, r := range o.things.Resources {
		of[r.Resource] = map[string]string{"name": r.Name}
	}
	a := o.things.Attributes
	for i, about := range a.About {
		if about == schema.OfResource && of[a.Ref[i]] != nil {
			of[a.Ref[i]][a.Texts.Names.Name(a.Name[i])] = a.Texts.Values.Name(a.Value[i])
		}
	}
	selected := make(map[int64]bool)
	var names []string
	for resource, attributes := range of {
		names = append(names, attributes["name"])
		fits := true
		for _, p := range d.signal.Filter.Pairs {
			value, has := attributes[p.Name]
			fits = fits && has && value == p.Value
		}
		if fits {
			selected[resource] = true
		}
	}
	if len(selected) == 0 {
		slices.Sort(names)
		return fmt.Errorf("no resource matches; there are %s", first(names))
	}
	for i, resource := range o.claims.Resource {
		if selected[resource] && !o.spans[i].out {
			amount := o.claims.Amount[i]
			if d.signal.Origin == spec.ResourceClients {
				amount = 1
			}
			d.weighed(o.spans[i].fromNs, o.spans[i].toNs, amount)
		}
	}
	return nil
}
