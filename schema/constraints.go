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

	Target     []int64
	Source     []int64
	Kind       []ConstraintKind
	Component  []Code // of the target
	Function   []Code // on a lifeline: the innermost execution open between both events, null where none is; by message: that of the target
	Sender     []Code // nullable: by message, the component of the source
	Label      []Code // nullable: by message, the label
	TargetNs   []int64
	DurationNs []int64 // from source to target
	SlackNs    []int64 // DurationNs less the bound; null where no bound is known
	Critical   []bool
}

// Columns implements the interface of that name.
func (c *Constraints) Columns() []Column {
	return []Column{
		Ints("target_seq", &c.Target),
		Ints("source_seq", &c.Source),
		Enum("kind", &c.Kind, ConstraintKindWords),
		Strings("component", &c.Component, &c.Names.Components),
		NullStrings("function", &c.Function, &c.Names.Functions),
		NullStrings("sender", &c.Sender, &c.Names.Components),
		NullStrings("message", &c.Label, &c.Names.Messages),
		Ints("target_ns", &c.TargetNs),
		Ints("duration_ns", &c.DurationNs),
		NullInts("slack_ns", &c.SlackNs),
		Bools("critical", &c.Critical),
	}
}

// NewConstraints returns an empty table whose codes are those of names.
func NewConstraints(names *Names) *Constraints { return &Constraints{Names: names} }
