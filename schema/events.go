package schema

// Kind says what an event is to the call stack of its lifeline.
type Kind = uint8

const (
	Enter   Kind = iota // an execution starts
	Exit                // an execution finishes
	Message             // a further message of the event before it; leaves the call stack alone
	Regular             // an event between executions, which has no messages and leaves the call stack alone
)

// KindWords are the names of the kinds.
var KindWords = []string{"enter", "exit", "message", "event"}

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

	Seq       []int64     `parquet:"seq,id(2)" key:"yes" unit:"-" doc:"position in the trace; events invented before its start are negative"`
	TimeNs    []int64     `parquet:"time_ns,id(3)" doc:"when it happened"`
	Component []Code      `parquet:"component,id(4)" names:"Components" doc:"where it happened"`
	Lifeline  []Code      `parquet:"lifeline,id(5)" names:"Lifelines" doc:"the component, or component/thread where the trace has threads"`
	Function  []Code      `parquet:"function,id(6)" names:"Functions" doc:"the function that was entered or left"`
	Kind      []Kind      `parquet:"kind,id(7)" doc:"enter, exit, message for a further message of the event before it, or event for one that is neither of an execution nor of a message"`
	Message   []Code      `parquet:"message,id(8),optional" names:"Messages" doc:"label of the message; the series where the trace has no labels"`
	Series    []Code      `parquet:"id_series,id(9),optional" names:"Series" doc:"part of the message identifier before its number"`
	MessageID []int64     `parquet:"message_id,id(10),optional" unit:"-" doc:"number of the message identifier"`
	Direction []Direction `parquet:"direction,id(11),optional" doc:"send or receive"`
	// nullable, a code of Names.Components
	Peer          []Code `parquet:"peer,id(12),optional" names:"Components" doc:"component at the other end of the message; null where it was never traced"`
	ExecutionType []Code `parquet:"execution_type,id(13),optional" names:"Types" doc:"type of the execution, where the trace has types, or lifetime or sampled: see executions"`
	// invented by a heuristic of Jonk et al., section IV-B or IV-C
	Synthetic []bool `parquet:"synthetic,id(14)" doc:"invented by a heuristic"`
}

var eventsTable = declareColumns[Events, Names](TableDoc{
	Name: "events", Follows: "losses", Doc: "The trace itself.",
	Grain: "one event", Partition: "run, bucket",
}, enums{"kind": KindWords, "direction": DirectionWords})

// Columns binds the columns to their slices, in the order of the file.
func (e *Events) Columns() []Column { return eventsTable.bind(e, e.Names) }

// NewEvents returns an empty table with dictionaries of its own.
func NewEvents() *Events { return &Events{Names: new(Names)} }
