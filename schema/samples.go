package schema

// Samples are the time samples T of the timed automata (Hilbig 2023, Algorithm 1), one row for each
// time that a transition was taken, in all four normalisations of section 3.2.
// Rows of a partition are sorted by fragment, transition and occurrence.
type Samples struct {
	Names *Names

	Fragment        []Code
	Transition      []int64 // the transition's number within its fragment
	Occurrence      []int64 // the occurrence of the fragment, from 0
	TimeNs          []int64 // ABSOLUTE
	SincePreviousNs []int64 // RELATIVE; null for the first event of an occurrence
	SinceCallNs     []int64 // STACK-BASED; null for enter events
	SinceStartNs    []int64 // SERVICE-FRAGMENT ABSOLUTE
}

// Columns implements the interface of that name.
func (s *Samples) Columns() []Column {
	return []Column{
		Strings("fragment", &s.Fragment, &s.Names.Fragments),
		Ints("transition", &s.Transition),
		Ints("occurrence", &s.Occurrence),
		Ints("time_ns", &s.TimeNs),
		NullInts("since_previous_ns", &s.SincePreviousNs),
		NullInts("since_call_ns", &s.SinceCallNs),
		Ints("since_start_ns", &s.SinceStartNs),
	}
}

// NewSamples returns an empty table whose codes are those of names.
func NewSamples(names *Names) *Samples { return &Samples{Names: names} }
