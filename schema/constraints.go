package schema

// ConstraintKind says what makes the target of a timing constraint wait for its source.
type ConstraintKind = uint8

const (
	OnLifeline ConstraintKind = iota // consecutive events of a lifeline
	ByMessage                        // the message of the source is received by the target
)

// ConstraintKindWords are the names of the kinds.
var ConstraintKindWords = []string{"component", "message"}

// Constraints are the timing constraints source -d-> target of a TMSC: the target does not occur earlier than
// d after the source (Jonk et al. 2019, Definition 1). Rows of a partition, which is that of the target, are in
// the order of their targets; those of one target are in the order lifeline first, then messages by source.
//
// The bound d is DurationNs - SlackNs. A constraint is critical when its slack is 0 (Definition 4).
type Constraints struct {
	Names *Names

	Target     []int64          `parquet:"target_seq" key:"yes" unit:"-" doc:"the event that waits"`
	Source     []int64          `parquet:"source_seq" key:"yes" unit:"-" doc:"the event that it waits for"`
	Kind       []ConstraintKind `parquet:"kind" key:"yes" doc:"component: consecutive events of a lifeline; message: the source sends what the target receives"`
	Component  []Code           `parquet:"component" names:"Components" doc:"component of the target"`
	Function   []Code           `parquet:"function,optional" names:"Functions" doc:"component: the innermost execution open in between, null where the lifeline is idle; message: that of the target"`
	Sender     []Code           `parquet:"sender,optional" names:"Components" doc:"message: the component of the source"`
	Label      []Code           `parquet:"message,optional" names:"Messages" doc:"message: its label"`
	TargetNs   []int64          `parquet:"target_ns" doc:"time of the target"`
	DurationNs []int64          `parquet:"duration_ns" doc:"from source to target"`
	SlackNs    []int64          `parquet:"slack_ns,optional" doc:"duration_ns less the bound; null where no bound is known"`
	Critical   []bool           `parquet:"critical" doc:"the bound is met exactly: a later source would delay the target"`
}

var constraintsTable = declareColumns[Constraints, Names](TableDoc{
	Name: "constraints", Follows: "metrics", Doc: "The timing constraints of the TMSC: the target does not occur earlier than bound_ns after the source.",
	Grain: "one constraint", Partition: "run, bucket",
}, enums{"kind": ConstraintKindWords})

// Columns binds the columns to their slices, in the order of the file.
func (c *Constraints) Columns() []Column { return constraintsTable.bind(c, c.Names) }

// NewConstraints returns an empty table whose codes are those of names.
func NewConstraints(names *Names) *Constraints { return &Constraints{Names: names} }
