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

	Constraint []Code     `parquet:"constraint_name,id(2)" names:"Constraints" key:"yes" doc:"the constraint of the specification, or messages: a message sent in one unit and received in another"`
	Relation   []Relation `parquet:"relation,id(3)" key:"yes" doc:"precedes, causes (before or at once) or coincides"`
	LeftClock  []Code     `parquet:"left_clock,id(4)" names:"Clocks" key:"yes" doc:"a clock of the specification"`
	LeftIndex  []int64    `parquet:"left_index,id(5)" key:"yes" unit:"-" doc:"which of its occurrences, from 1"`
	LeftSeq    []int64    `parquet:"left_seq,id(6),optional" unit:"-" doc:"its event; null: it is no event of a trace"`
	RightClock []Code     `parquet:"right_clock,id(7)" names:"Clocks" key:"yes" doc:"a clock of the specification"`
	RightIndex []int64    `parquet:"right_index,id(8)" key:"yes" unit:"-" doc:"which of its occurrences, from 1"`
	RightSeq   []int64    `parquet:"right_seq,id(9),optional" unit:"-" doc:"its event; null: it is no event of a trace"`
}

var occurrencesTable = declareColumns[Occurrences, Occurrences](TableDoc{
	Name: "occurrences", Follows: "model_transitions", Doc: "Of a reconciled run: how occurrences of clocks stand to each other.",
	Grain: "one relation of two occurrences", Partition: "run",
}, enums{"relation": RelationWords})

// Columns binds the columns to their slices, in the order of the file.
func (o *Occurrences) Columns() []Column { return occurrencesTable.bind(o, o) }

// NewOccurrences returns an empty table with dictionaries of its own.
func NewOccurrences() *Occurrences {
	return &Occurrences{Constraints: new(Dictionary), Clocks: new(Dictionary)}
}
