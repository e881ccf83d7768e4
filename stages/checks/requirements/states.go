package requirements

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// States is the states of a run as far as a specification asks about them.
type States struct {
	Tape    mtl.Tape
	Signals *Signals // nil: the run has none

	names    *schema.Names
	own      *own     // nil: the trace says nothing itself that is asked for
	untraced bool     // events that the ingest invented are states, too
	columns  []string // of events, that filters need
	tuples   []tuple
	numbers  map[tuple]uint32
	recent   [1 << 10]uint32 // tuples that were seen lately by their hash, counted from 1
	view     *view           // nil: all states count
	between  *uint32         // the tuple of states between events; nil: these are not asked
}

// tuple is what filters see of a state. A column that no filter needs has the same value in all tuples.
type tuple struct {
	component, lifeline, function, message, series, peer, executionType schema.Code
	messageID                                                           int64
	set                                                                 uint32 // of the trace's own attributes
	kind                                                                schema.Kind
	direction                                                           schema.Direction
}

// attribute is a built-in attribute of states.
type attribute struct {
	name   string
	column []string // that it is made of
	value  func(s *States, t *tuple) string
}

// attributes are the built-in ones. A state lacks an attribute whose value is empty.
var attributes = []attribute{
	{"component", []string{"component"}, func(s *States, t *tuple) string { return s.names.Components.Name(t.component) }},
	{"lifeline", []string{"lifeline"}, func(s *States, t *tuple) string { return s.names.Lifelines.Name(t.lifeline) }},
	{"function", []string{"function"}, func(s *States, t *tuple) string { return s.names.Functions.Name(t.function) }},
	{"name", []string{"function"}, func(s *States, t *tuple) string { return s.names.Functions.Name(t.function) }},
	{"message", []string{"message"}, func(s *States, t *tuple) string { return s.names.Messages.Name(t.message) }},
	{"series", []string{"id_series"}, func(s *States, t *tuple) string { return s.names.Series.Name(t.series) }},
	{"id_series", []string{"id_series"}, func(s *States, t *tuple) string { return s.names.Series.Name(t.series) }},
	{"message_id", []string{"id_series", "message_id"}, (*States).messageID},
	{"direction", []string{"direction"}, func(_ *States, t *tuple) string { return schema.DirectionWords[t.direction] }},
	{"peer", []string{"peer"}, func(s *States, t *tuple) string { return s.names.Components.Name(t.peer) }},
	{"execution_type", []string{"execution_type"}, func(s *States, t *tuple) string { return s.names.Types.Name(t.executionType) }},
}

// messageID is the identifier of a message as the trace has it, such as m13889.
func (s *States) messageID(t *tuple) string {
	if t.messageID == schema.NoValue {
		return s.names.Series.Name(t.series)
	}
	return s.names.Series.Name(t.series) + strconv.FormatInt(t.messageID, 10)
}

// named returns a built-in attribute, or nil.
func named(name string) *attribute {
	if i := slices.IndexFunc(attributes, func(a attribute) bool { return a.name == name }); i >= 0 {
		return &attributes[i]
	}
	return nil
}

// Unknown lists the attributes of a specification that no state of the run has, in the order of the file.
func (s *States) Unknown(sp *spec.Spec) []spec.Attribute {
	all, _ := sp.Attributes()
	all = slices.DeleteFunc(all, func(a spec.Attribute) bool { return s.text(a.Name) != nil })
	slices.SortFunc(all, func(a, b spec.Attribute) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	return all
}

// UnknownSentence warns of an attribute that no state has. own are the attributes of the trace that states have.
func UnknownSentence(s *spec.Spec, u spec.Attribute, own []string) string {
	names := slices.Clone(own)
	for _, a := range attributes {
		if !slices.Contains(own, a.name) {
			names = append(names, a.name)
		}
	}
	do := "states have " + strings.Join(names, ", ")
	if near := schema.Similar(u.Name, names); len(near) > 0 {
		do = "did you mean " + near[0] + "?"
	}
	return fmt.Sprintf("%s:%d:%d: no state has the attribute %s, so that atoms with it are never true; %s", s.File, u.Line, u.Col, u.Name, do)
}

// NewStates prepares for the states of a run whose events have these names. untraced says whether events that the ingest invented
// are states.
func NewStates(s *spec.Spec, names *schema.Names, untraced bool) *States {
	st := &States{names: names, untraced: untraced, numbers: make(map[tuple]uint32)}
	asked, any := s.Attributes()
	// A failing state is named by component and function, and lifelines are resources of signals.
	wanted := map[string]bool{"component": true, "function": true, "lifeline": len(s.Signals) > 0}
	for _, a := range attributes {
		if any || slices.ContainsFunc(asked, func(x spec.Attribute) bool { return x.Name == a.name }) {
			for _, c := range a.column {
				wanted[c] = true
			}
		}
	}
	for _, c := range schema.NewEvents().Columns() {
		if wanted[c.Name] {
			st.columns = append(st.columns, c.Name)
		}
	}
	return st
}

// Columns lists the columns of events that Add needs.
func (s *States) Columns() []string {
	columns := append([]string{"seq", "time_ns", "kind"}, s.columns...)
	if s.own != nil && !slices.Contains(columns, "lifeline") {
		columns = append(columns, "lifeline")
	}
	if !s.untraced {
		columns = append(columns, "synthetic")
	}
	return columns
}

// Add appends the states of events, which come in the order of their sequence numbers.
func (s *States) Add(ev *schema.Events) {
	has := func(column string) bool { return slices.Contains(s.columns, column) }
	lifeline, message, series := has("lifeline"), has("message"), has("id_series")
	messageID, direction, peer, executionType := has("message_id"), has("direction"), has("peer"), has("execution_type")
	for i, kind := range ev.Kind {
		if kind == schema.Message {
			continue
		}
		set := noSet
		if s.own != nil { // also for states that do not count, so that exits have the sets of their enters
			set = s.own.state(kind, ev.Seq[i], ev.TimeNs[i], ev.Lifeline[i])
		}
		if !s.untraced && ev.Synthetic[i] {
			continue
		}
		t := tuple{component: ev.Component[i], function: ev.Function[i], kind: kind, set: set}
		if lifeline {
			t.lifeline = ev.Lifeline[i]
		}
		if message {
			t.message = ev.Message[i]
		}
		if series {
			t.series = ev.Series[i]
		}
		if messageID {
			t.messageID = ev.MessageID[i]
		}
		if direction {
			t.direction = ev.Direction[i]
		}
		if peer {
			t.peer = ev.Peer[i]
		}
		if executionType {
			t.executionType = ev.ExecutionType[i]
		}
		number := s.number(&t)
		if s.view != nil && !s.view.has(s, number) {
			if kind == schema.Enter && s.own != nil {
				s.own.leaveOut(ev.Lifeline[i])
			}
			continue
		}
		s.Tape.Append(ev.TimeNs[i], ev.Seq[i], number)
	}
}

// number returns the number of a tuple. Most states have a tuple that was seen lately, which saves the map.
func (s *States) number(t *tuple) uint32 {
	hash := (t.component*31+t.function)*31 + t.lifeline*17 + t.message*13 + t.series*11 + t.peer*7 + uint32(t.messageID)*5 + t.set*3 + uint32(t.kind)
	slot := &s.recent[hash%uint32(len(s.recent))]
	if n := *slot; n > 0 && s.tuples[n-1] == *t {
		return n - 1
	}
	n, known := s.numbers[*t]
	if !known {
		n = uint32(len(s.tuples))
		s.numbers[*t] = n
		s.tuples = append(s.tuples, *t)
	}
	*slot = n + 1
	return n
}

// holds evaluates a filter at every tuple. An attribute that nothing has makes it false.
func (s *States) holds(f *spec.Filter) []bool {
	holds := make([]bool, len(s.tuples))
	var asked []func(*tuple) bool
	for _, p := range f.Pairs {
		has := s.has(p)
		if has == nil {
			return holds
		}
		asked = append(asked, has)
	}
	for i := range s.tuples {
		t := &s.tuples[i]
		if f.At == spec.AtStart && t.kind != schema.Enter || f.At == spec.AtEnd && t.kind != schema.Exit {
			continue
		}
		holds[i] = true
		for _, has := range asked {
			if !has(t) {
				holds[i] = false
				break
			}
		}
	}
	return holds
}

// has tells whether a tuple has the value of a pair; nil where no state has its attribute. Components and functions, which most filters
// ask for, are compared as codes.
func (s *States) has(p spec.Pair) func(*tuple) bool {
	own := s.own != nil && slices.Contains(s.own.names, p.Name)
	switch {
	case !own && p.Name == "component":
		code, known := s.names.Components.Lookup(p.Value)
		return func(t *tuple) bool { return known && t.component == code && p.Value != "" }
	case !own && (p.Name == "function" || p.Name == "name"):
		code, known := s.names.Functions.Lookup(p.Value)
		return func(t *tuple) bool { return known && t.function == code && p.Value != "" }
	}
	value := s.text(p.Name)
	if value == nil {
		return nil
	}
	return func(t *tuple) bool {
		v := value(t)
		return v != "" && v == p.Value
	}
}

// occurring lists the values of an attribute at states that satisfy a filter, in the order of the alphabet.
func (s *States) occurring(name string, in *spec.Filter) []string {
	value := s.text(name)
	if value == nil {
		return nil
	}
	var holds []bool
	if in != nil {
		holds = s.holds(in)
	}
	var values []string
	for i := range s.tuples {
		if s.view != nil && !s.view.has(s, uint32(i)) {
			continue
		}
		if v := value(&s.tuples[i]); v != "" && (holds == nil || holds[i]) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}
