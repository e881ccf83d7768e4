package transformation

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Trace is a trace of claims and events with attributes, in memory.
type Trace struct {
	UnitNs       int64        // in which weights of dependencies count
	Attributes   []spec.Pair  // of the trace itself
	Resources    []Resource   // what claims take, by position
	Claims       []Claim      // as the input has them, then what specifications made
	Events       []Event      // likewise
	Dependencies []Dependency // between claims and events, by position
	Signals      []Signal     // those of the trace and those made
}

// Resource is what claims take.
type Resource struct {
	Name       string      // its attribute name
	Capacity   float64     // how much of it there is, in the unit of amounts
	Places     bool        // a claim says which part of it is taken
	Attributes []spec.Pair // without the name
}

// Claim is a claim of a resource, by its position.
type Claim struct {
	FromNs, ToNs  int64       // in the trace's clock; both
	Resource      int         // position in Trace.Resources
	Amount, Place float64     // what it takes; Place is where that begins, on a resource with places
	Attributes    []spec.Pair // names with their values
}

// Event is a regular event.
type Event struct {
	TimeNs     int64       // in the trace's clock
	Attributes []spec.Pair // names with their values
}

// End is a claim's start or end, or an event, by its position.
type End struct {
	At    int  // position in Trace.Events or Trace.Claims
	Event bool // which of the two
	End   bool // of a claim
}

// Dependency leads from one end to another.
type Dependency struct {
	From, To   End         // what comes first, and what follows
	Attributes []spec.Pair // its weight among them
}

// Signal is a piecewise polynomial: pieces of c + b x + a x^2, x the time in ns since FromNs.
type Signal struct {
	Name       string      // its attribute name
	Attributes []spec.Pair // without the name
	Pieces     []Piece     // in the order of time, without gaps
}

// Piece is a piece of a signal.
type Piece struct {
	FromNs, ToNs int64   // where it begins and ends
	C, B, A      float64 // value, slope by ns, and factor of the square at FromNs
}

// WriteETF writes the trace in the format of TRACE4CPS, times in ns. What ends a value in that format becomes another letter. Of dependencies
// that the format cannot spell, those between a claim and an event that do not leave the claim's end or reach its start, it writes none
// and returns their number.
func (t *Trace) WriteETF(out io.Writer) (unspelled int, err error) {
	w := &etfWriter{out: out}
	w.printf("TU NANOSECONDS\nT %s\n", attributes(t.Attributes))
	for i, r := range t.Resources {
		w.printf("R %d %s %v;%s\n", i, number(r.Capacity), r.Places, attributes(named(r.Name, r.Attributes)))
	}
	for i, c := range t.Claims {
		place := ""
		if t.Resources[c.Resource].Places {
			place = " " + number(c.Place)
		}
		w.printf("C %d %d %d %d%s %s;%s\n", i, c.FromNs, c.ToNs, c.Resource, place, number(c.Amount), attributes(c.Attributes))
	}
	for i, e := range t.Events {
		w.printf("E %d %d;%s\n", len(t.Claims)+i, e.TimeNs, attributes(e.Attributes))
	}
	for i, d := range t.Dependencies {
		kind, spelled := kindOf(d)
		if !spelled {
			unspelled++
			continue
		}
		w.printf("D %d %d %d %d;%s\n", i, kind, t.number(d.From), t.number(d.To), attributes(d.Attributes))
	}
	for i, s := range t.Signals {
		w.printf("S %d;%s\n", i, attributes(named(s.Name, s.Attributes)))
		for _, p := range s.Pieces {
			w.printf("F %d %d %d %s %s %s\n", i, p.FromNs, p.ToNs, number(p.C), number(p.B), number(p.A))
		}
	}
	return unspelled, w.err
}

// etfWriter keeps the first error.
type etfWriter struct {
	out io.Writer
	err error
}

func (w *etfWriter) printf(format string, values ...any) {
	if w.err == nil {
		_, w.err = fmt.Fprintf(w.out, format, values...)
	}
}

// mixedKind is the type of dependencies with an event, of which it is not known which numbers mean which ends.
const mixedKind = 8

// kindOf is the type of a dependency.
func kindOf(d Dependency) (kind int, spelled bool) {
	if d.From.Event || d.To.Event {
		return mixedKind, (d.From.Event || d.From.End) && (d.To.Event || !d.To.End)
	}
	if d.From.End {
		kind = 2
	}
	if d.To.End {
		kind++
	}
	return kind, true
}

// number is the identifier of an end.
func (t *Trace) number(e End) int {
	if e.Event {
		return len(t.Claims) + e.At
	}
	return e.At
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// named puts a name before attributes, unless these have one or it is empty.
func named(name string, of []spec.Pair) []spec.Pair {
	if name == "" || slices.ContainsFunc(of, func(p spec.Pair) bool { return p.Name == "name" }) {
		return of
	}
	return append([]spec.Pair{{Name: "name", Value: name}}, of...)
}

// attributes spells attributes.
func attributes(of []spec.Pair) string {
	var words []string
	for _, p := range of {
		words = append(words, plain(p.Name)+"="+plain(p.Value))
	}
	return strings.Join(words, ",")
}

// plain is a text without what would end it.
func plain(text string) string {
	return strings.TrimSpace(strings.Map(func(c rune) rune {
		switch {
		case c == ',' || c == ';':
			return '|'
		case c == '=':
			return ':'
		case c < ' ':
			return ' '
		}
		return c
	}, text))
}

// get is the value of an attribute, and whether there is one.
func get(of []spec.Pair, name string) (string, bool) {
	i := slices.IndexFunc(of, func(p spec.Pair) bool { return p.Name == name })
	if i < 0 {
		return "", false
	}
	return of[i].Value, true
}

// fits reports whether one of the filters holds of attributes; nil filters let all pass.
func fits(filters []spec.Filter, of []spec.Pair) bool {
	if filters == nil {
		return true
	}
	return slices.ContainsFunc(filters, func(f spec.Filter) bool {
		return !slices.ContainsFunc(f.Pairs, func(p spec.Pair) bool {
			value, has := get(of, p.Name)
			return !has || value != p.Value
		})
	})
}

// ends are the states of the trace in their order: at one time ends of claims, then events, then starts; a claim of no length starts, then
// ends; then the order of the trace.
func (t *Trace) ends() (all []End, timeNs []int64) {
	type state struct {
		End
		timeNs int64
		turn   int
	}
	states := make([]state, 0, 2*len(t.Claims)+len(t.Events))
	for i, c := range t.Claims {
		turn := 0
		if c.FromNs == c.ToNs {
			turn = 2
		}
		states = append(states, state{End{At: i}, c.FromNs, 2}, state{End{At: i, End: true}, c.ToNs, turn})
	}
	for i, e := range t.Events {
		states = append(states, state{End{At: i, Event: true}, e.TimeNs, 1})
	}
	slices.SortStableFunc(states, func(a, b state) int { return cmp.Or(cmp.Compare(a.timeNs, b.timeNs), cmp.Compare(a.turn, b.turn)) })
	for _, s := range states {
		all, timeNs = append(all, s.End), append(timeNs, s.timeNs)
	}
	return all, timeNs
}
