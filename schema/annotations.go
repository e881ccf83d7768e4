package schema

// Annotation is a statement of a trace about an event, its message, a function, an executor of functions, or the whole
// trace, for which events have no column: a time bound, a type of dependency, a property.
type Annotation struct {
	Seq     *int64 `parquet:"seq,id(2),optional" key:"yes" unit:"-" doc:"the event; null: it holds for the whole trace"`
	About   string `parquet:"about,id(3),dict" key:"yes" doc:"trace, event, segment (the part of the lifeline before the event), message (the one that the event sends), function, executor or host"`
	Subject string `parquet:"subject,id(4),optional,dict" key:"yes" doc:"of a function, executor or host: its name"`
	Series  string `parquet:"id_series,id(5),optional,dict" doc:"of a message: part of its identifier before its number"`
	Number  *int64 `parquet:"message_id,id(6),optional" unit:"-" doc:"of a message: number of its identifier"`
	Name    string `parquet:"name,id(7),dict" key:"yes" doc:"name of the statement: bound_ns, type, scheduled, controls, status (of the enter event of an execution: error), request, interface, operation, untraced, or the name of a property"`
	Value   string `parquet:"value,id(8),dict" doc:"the value as text"`
}

var _ = declare[Annotation](TableDoc{
	Name: "annotations", Follows: "arrivals", Doc: "Statements of the trace beyond its events: time bounds, types of dependencies, properties.",
	Grain: "one statement", Partition: "run",
})

// The things that an annotation is about, as Annotation.About names them.
const (
	AboutTrace    = "trace"    // the whole trace
	AboutEvent    = "event"    // an event
	AboutSegment  = "segment"  // the part of the lifeline before an event
	AboutMessage  = "message"  // the message that an event sends
	AboutFunction = "function" // a function
	AboutExecutor = "executor" // a lifeline, which runs functions
	AboutHost     = "host"     // a machine or a process with executors
)

// Names of annotations that stages read. Any other name is a property, kept for queries and exports.
const (
	NoteInterface = "interface"            // of a function: the interface that has its operation
	NoteOperation = "operation"            // of a function: the operation that it implements
	NoteStatus    = "status"               // of the event that enters an execution: how that ended, StatusError
	NoteUntraced  = "untraced"             // of an executor or a host: true where its events are not in the trace
	NoteBound     = "bound_ns"             // of a segment or a message: its time bound
	NoteType      = "type"                 // of a message: message, request, reply, domain-dependency, message-control or lifeline-segment
	NoteScheduled = "scheduled"            // of a segment or a message: true or false
	NoteControls  = "controls"             // of a message-control: the identifier of the message that it controls
	NoteRequest   = "request"              // of a reply: the identifier of its request
	NoteFrom      = "metricInstanceFromID" // of an event: it starts this instance of the metric
	NoteTo        = "metricInstanceToID"   // of an event: it ends this instance of the metric
	NoteBudget    = "metricBudget"         // of the trace: how long an instance may take, in seconds
	NoteDefault   = "defaultTimeBound"     // of the trace: its bounds are to be set by the analysis of PPS with this default, in ns
)

// StatusError is the value of NoteStatus of an execution that ended with an error. Others have no such annotation.
const StatusError = "error"
