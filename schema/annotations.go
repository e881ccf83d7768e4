package schema

// Annotation is something a trace says of an event, of its message, of a function or what runs it, or of itself,
// beyond what events have columns for: a time bound, a type of dependency, a property.
type Annotation struct {
	Seq     *int64 `parquet:"seq,optional"`            // the event; null: what is said holds for the whole trace
	About   string `parquet:"about,dict"`              // one of the words below
	Subject string `parquet:"subject,optional,dict"`   // of a function, executor or host: its name, as in events
	Series  string `parquet:"id_series,optional,dict"` // of a message: its identifier, as in events
	Number  *int64 `parquet:"message_id,optional"`     //
	Name    string `parquet:"name,dict"`               //
	Value   string `parquet:"value,dict"`              //
}

// What an annotation is about.
const (
	AboutTrace    = "trace"    // the whole trace
	AboutEvent    = "event"    // an event
	AboutSegment  = "segment"  // the part of the lifeline before an event
	AboutMessage  = "message"  // the message that an event sends
	AboutFunction = "function" // a function
	AboutExecutor = "executor" // what runs functions: a lifeline
	AboutHost     = "host"     // what has executors
)

// Names of annotations that stages know.
const (
	NoteInterface = "interface"            // of a function: the interface that has its operation
	NoteOperation = "operation"            // of a function: the operation that it implements
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
