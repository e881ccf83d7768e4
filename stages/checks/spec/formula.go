package spec

import "math"

// Op says what a formula is.
type Op uint8

const (
	True     Op = iota
	Atom        // Filter holds of a state
	Compare     // Signal compares with Threshold as Relation says
	Not         // of one formula
	And         // of two or more
	Or          // of two or more
	If          // the first implies the second
	Globally    // the formula holds at all states of Within
	Finally     // the formula holds at a state of Within
	Until       // the first holds until the second, which happens within Within
	call        // of a definition; none is left after Instances
)

// Formula is a formula without definitions and parameters. It is read only: formulas share their parts.
type Formula struct {
	Op        Op
	Args      []*Formula
	Within    *Interval // of temporal operators; nil: from now on without an end
	Filter    Filter    // of Atom
	Signal    int       // of Compare: position in Spec.Signals
	Slope     bool      // of Compare: the derivative of the signal is compared
	Relation  Relation  // of Compare
	Threshold float64   // of Compare
	Number    string    // of Compare: the threshold as it is written
	Meaning   string    // the definition that it is the meaning of, with its values, such as start_A(3); "" for none

	place       place
	signalName  string // of Compare
	pairs       []textPair
	definition  string // of call
	valuesGiven []text // of call
}

// Temporal reports whether the formula is headed by a temporal operator.
func (f *Formula) Temporal() bool { return f.Op == Globally || f.Op == Finally || f.Op == Until }

// Moment says at which states of an execution an atom holds.
type Moment uint8

const (
	Anywhere Moment = iota // starts and ends of executions, and events
	AtStart                // starts of executions only
	AtEnd                  // ends of executions only
)

// Filter holds of a state that has all of the attributes. Filters are equal if and only if their Key is.
type Filter struct {
	At    Moment
	Pairs []Pair // in the order of the text
}

// Pair is an attribute with the value that it must have.
type Pair struct{ Name, Value string }

// Key is the filter as a text that no other filter has.
func (f Filter) Key() string {
	key := string('0' + rune(f.At))
	for _, p := range f.Pairs {
		key += "\x00" + p.Name + "\x01" + p.Value
	}
	return key
}

// Relation is how a signal compares with a number.
type Relation uint8

const (
	AtLeast Relation = iota
	AtMost
	Equal
	Above
	Below
)

// relations are the relations as they are written, and in words.
var relations = []struct{ sign, words string }{{">=", "at least"}, {"<=", "at most"}, {"==", "equal to"}, {">", "above"}, {"<", "below"}}

// Holds reports whether a value is in the relation to a threshold. It is exact: at the threshold AtLeast holds and Above does not.
func (r Relation) Holds(value, threshold float64) bool {
	switch r {
	case AtLeast:
		return value >= threshold
	case AtMost:
		return value <= threshold
	case Equal:
		return value == threshold
	case Above:
		return value > threshold
	}
	return value < threshold
}

// Unbounded is the end of an interval without an end.
const Unbounded int64 = math.MaxInt64

// Interval is when the goal of a temporal operator counts, from the state on at which the formula is asked.
type Interval struct {
	FromNs, ToNs int64   // the first and the last whole nanosecond that lie in it; Unbounded: it has no end
	From, To     float64 // its ends in ns, which need not be whole; what is open at an end is closed here
	text         string  // as messages write it
}

// Origin says where a signal comes from.
type Origin uint8

const (
	OfTrace         Origin = iota // one signal of the trace, which Filter selects
	Throughput                    // Definition 15
	Latency                       // Definition 16
	WorkInProgress                // Definition 13
	ResourceAmount                // Definition 12
	ResourceClients               // Definition 12 with every claim as 1
)

// origins are the words of the derived signals.
var origins = map[string]Origin{
	"throughput": Throughput, "latency": Latency, "wip": WorkInProgress, "resource-amount": ResourceAmount, "resource-clients": ResourceClients,
}

// Signal is a signal that formulas may compare.
type Signal struct {
	Name   string
	Origin Origin
	Filter Filter  // of the trace's signal, of the resource, or of events that are counted
	Items  string  // what throughput, latency and work in progress count: an attribute, "root", "message", or "" for events of Filter
	PerNs  float64 // the unit of time of its values in ns; 0: none was given
	OverNs float64 // the width of the window of its average in ns; 0: no average

	Line, Col int // its place in the file, from 1

	pairs []textPair
}

// Check is a requirement.
type Check struct {
	Name      string
	Line, Col int // its place in the file, from 1

	ranges []quantifier
	body   *Formula
}

// Spec is a specification without errors.
type Spec struct {
	File    string
	Signals []Signal
	Checks  []Check

	definitions map[string]*definition
}

// definition is a named formula.
type definition struct {
	name       string
	parameters []string
	body       *Formula
	place      place
}

// quantifier is one forall of a check: a range, or the values of an attribute that occur.
type quantifier struct {
	parameter string
	from, to  int64
	of        *text    // nil for a range
	in        *Formula // an Atom that states must satisfy; nil: all states count
	place     place
}

// place is where something stands in the file: line and column, from 1, in bytes.
type place struct{ line, col int }

// text is a text whose parts may be parameters.
type text struct {
	parts []textPart
	place place
}

// textPart is a part of a text.
type textPart struct {
	word  string
	maybe bool // an ID, which may be a parameter
}

// textPair is an attribute with the value that it must have, before parameters have values.
type textPair struct{ name, value text }
