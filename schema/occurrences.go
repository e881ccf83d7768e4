package schema

// Relation says how two occurrences of clocks stand to each other (Garcés, Deantoni and Mallet 2011, section V-C).
type Relation = uint8

const (
	Precedes  Relation = iota // the left one is strictly before the right one
	Causes                    // the left one is before the right one, or they are one
	Coincides                 // they are one
)

// RelationWords are the names of the relations.
var RelationWords = []string{"precedes", "causes", "coincides"}

// Occurrences are the relations between occurrences of clocks that a specification makes of the traces of several units:
// with the order of each trace they are the partial order of what happened.
type Occurrences struct {
	Constraints, Clocks *Dictionary

	Constraint []Code // the constraint that the relation comes from
	Relation   []Relation
	LeftClock  []Code
	LeftIndex  []int64 // the k-th occurrence of the clock, from 1
	LeftSeq    []int64 // its event in the reconciled run; null where it is no event of a trace
	RightClock []Code
	RightIndex []int64
	RightSeq   []int64
}

// Columns implements the interface of that name.
func (o *Occurrences) Columns() []Column {
	return []Column{
		Strings("constraint_name", &o.Constraint, o.Constraints),
		Enum("relation", &o.Relation, RelationWords),
		Strings("left_clock", &o.LeftClock, o.Clocks),
		Ints("left_index", &o.LeftIndex),
		NullInts("left_seq", &o.LeftSeq),
		Strings("right_clock", &o.RightClock, o.Clocks),
		Ints("right_index", &o.RightIndex),
		NullInts("right_seq", &o.RightSeq),
	}
}

// NewOccurrences returns an empty table with dictionaries of its own.
func NewOccurrences() *Occurrences {
	return &Occurrences{Constraints: new(Dictionary), Clocks: new(Dictionary)}
}
