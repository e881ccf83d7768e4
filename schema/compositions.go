package schema

// Category says where a step of a critical path spends its time.
type Category = uint8

const (
	Executing     Category = iota // in a function
	Communicating                 // between sending a message and receiving it
	Idling                        // between two root executions, without a message that waits
	Contending                    // whatever a component did while a message for it waited (Jonk et al. 2019, Fig. 2)
)

// CategoryWords are the names of the categories.
var CategoryWords = []string{"execution", "communication", "idle", "contention"}

// Compositions say where the critical paths of root executions, from their start to their finish, spend their
// time: one row for every part of any path of a service fragment, summed over all occurrences.
type Compositions struct {
	Names *Names

	Fragment    []Code // of the root executions at whose finish the paths end
	Initial     []bool // no message starts these executions: they are ends in themselves
	Category    []Category
	Component   []Code // that executed, idled or received
	Function    []Code // nullable: that executed, or received
	Sender      []Code // nullable: of the message
	Label       []Code // nullable: of the message
	Busy        []Code // nullable: of contention, the component for which a message waited
	Occurrences []int64
	Steps       []int64
	TotalNs     []int64
	MaxNs       []int64 // the most in one occurrence
}

// Columns implements the interface of that name.
func (c *Compositions) Columns() []Column {
	return []Column{
		Strings("fragment", &c.Fragment, &c.Names.Fragments),
		Bools("initial", &c.Initial),
		Enum("category", &c.Category, CategoryWords),
		Strings("component", &c.Component, &c.Names.Components),
		NullStrings("function", &c.Function, &c.Names.Functions),
		NullStrings("sender", &c.Sender, &c.Names.Components),
		NullStrings("message", &c.Label, &c.Names.Messages),
		NullStrings("busy_component", &c.Busy, &c.Names.Components),
		Ints("occurrences", &c.Occurrences),
		Ints("steps", &c.Steps),
		Ints("total_ns", &c.TotalNs),
		Ints("max_ns", &c.MaxNs),
	}
}

// NewCompositions returns an empty table whose codes are those of names.
func NewCompositions(names *Names) *Compositions { return &Compositions{Names: names} }
