package schema

// Kind says what an event is to the call stack of its lifeline.
type Kind = uint8

const (
	Enter   Kind = iota // an execution starts
	Exit                // an execution finishes
	Message             // a further message of the event before it; leaves the call stack alone
)

// KindWords are the names of the kinds.
var KindWords = []string{"enter", "exit", "message"}

// Direction says whether an event sends or receives its message.
type Direction = uint8

const (
	NoMessage Direction = iota
	Send
	Receive
)

// DirectionWords are the names of the directions; the first stands for null.
var DirectionWords = []string{"", "send", "receive"}

// Events is the trace itself: one row an event, in trace order within a partition.
//
// A message is identified by (Series, MessageID): "m13889" is series "m" and id 13889, an identifier
// without digits at its end is a series with a null id. Message is its label, the m of Jonk et al.,
// Definition 1; where the trace has no label of its own it equals the series.
//
// Peer is the component at the other end of the message, null where the other end was never traced.
type Events struct {
	Names *Names

	Seq           []int64 // position in the trace; events invented before its start are negative
	TimeNs        []int64
	Component     []Code
	Lifeline      []Code // the component, or component/thread where the trace has threads
	Function      []Code
	Kind          []Kind
	Message       []Code // nullable
	Series        []Code // nullable
	MessageID     []int64
	Direction     []Direction
	Peer          []Code // nullable, a code of Names.Components
	ExecutionType []Code // nullable
	Synthetic     []bool // invented by a heuristic of Jonk et al., section IV-B or IV-C
}

// Columns implements the interface of that name.
func (e *Events) Columns() []Column {
	return []Column{
		Ints("seq", &e.Seq),
		Ints("time_ns", &e.TimeNs),
		Strings("component", &e.Component, &e.Names.Components),
		Strings("lifeline", &e.Lifeline, &e.Names.Lifelines),
		Strings("function", &e.Function, &e.Names.Functions),
		Enum("kind", &e.Kind, KindWords),
		NullStrings("message", &e.Message, &e.Names.Messages),
		NullStrings("id_series", &e.Series, &e.Names.Series),
		NullInts("message_id", &e.MessageID),
		NullEnum("direction", &e.Direction, DirectionWords),
		NullStrings("peer", &e.Peer, &e.Names.Components),
		NullStrings("execution_type", &e.ExecutionType, &e.Names.Types),
		Bools("synthetic", &e.Synthetic),
	}
}

// NewEvents returns an empty table with dictionaries of its own.
func NewEvents() *Events { return &Events{Names: new(Names)} }
