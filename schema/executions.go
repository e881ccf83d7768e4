package schema

// Role is the part of an execution in the communication around it, derived from the messages at its start and
// finish (Jonk et al. 2019, Fig. 6; Hilbig 2023, section 2.4).
type Role = uint8

const (
	Internal      Role = iota
	BlockingCall       // sends at its start, receives at its finish
	Request            // sends at its start, does not receive at its finish
	Wait               // receives at its finish the reply to an earlier request
	SyncHandler        // receives at its start, replies at its finish
	TriggerHandle      // receives at its start, does not reply at its finish
)

// RoleWords are the names of the roles; the first stands for null.
var RoleWords = []string{"", "blocking_call", "request", "wait", "sync_handler", "trigger_handler"}

// Executions are function executions: an enter event with the exit event that belongs to it.
// Rows of a partition are in the order of their finish.
type Executions struct {
	Names *Names

	Execution []int64 `parquet:"execution,id(2)" key:"yes" unit:"-" doc:"seq of the enter event"`
	Component []Code  `parquet:"component,id(3)" names:"Components" doc:"where it ran"`
	Lifeline  []Code  `parquet:"lifeline,id(4)" names:"Lifelines" doc:"the component, or component/thread"`
	Function  []Code  `parquet:"function,id(5)" names:"Functions" doc:"what ran"`
	// the i of Jonk et al. 2019: the i-th execution of the function on the component, from 1, by their starts
	Number     []int64 `parquet:"number,id(6)" unit:"-" doc:"the i-th execution of the function on the component, from 1, by their starts"`
	StartNs    []int64 `parquet:"start_ns,id(7)" doc:"time of the enter event"`
	FinishNs   []int64 `parquet:"finish_ns,id(8)" doc:"time of the exit event"`
	DurationNs []int64 `parquet:"duration_ns,id(9)" doc:"finish_ns - start_ns"`
	SelfNs     []int64 `parquet:"self_ns,id(10)" doc:"duration_ns less the time in nested executions"`
	Depth      []int64 `parquet:"depth,id(11)" unit:"-" doc:"0 for a root execution"`
	Parent     []int64 `parquet:"parent,id(12),optional" unit:"-" doc:"execution of the caller on the same lifeline; null for a root"`
	Fragment   []Code  `parquet:"fragment,id(13)" names:"Fragments" doc:"service fragment in whose occurrence it ran; of lifetimes, which are none: their name, and (lifetime)"`
	Occurrence []int64 `parquet:"fragment_occurrence,id(14)" unit:"-" doc:"which occurrence of that fragment, from 0"`
	FinishSeq  []int64 `parquet:"finish_seq,id(15)" unit:"-" doc:"seq of the exit event"`
	Role       []Role  `parquet:"role,id(16),optional" doc:"blocking_call, request, wait, sync_handler or trigger_handler; null for an internal execution"`
	Peer       []Code  `parquet:"peer,id(17),optional" names:"Components" doc:"component it called or was called by"`
	Type       []Code  `parquet:"execution_type,id(18),optional" names:"Types" doc:"type, where the trace has types; lifetime: it is an asynchronous operation, of which no thread knows, and no work; sampled: it was made of samples"`
	Synthetic  []bool  `parquet:"synthetic,id(19)" doc:"its start or its finish was invented"`
}

var executionsTable = declareColumns[Executions, Names](TableDoc{
	Name: "executions", Follows: "annotations", Doc: "Function executions: an enter event with its exit event.",
	Grain: "one execution", Partition: "run, bucket",
}, enums{"role": RoleWords})

// Columns binds the columns to their slices, in the order of the file.
func (e *Executions) Columns() []Column { return executionsTable.bind(e, e.Names) }

// NewExecutions returns an empty table whose codes are those of names.
func NewExecutions(names *Names) *Executions { return &Executions{Names: names} }

// Lifetime is the execution type of what says how long something took and not who worked: an asynchronous operation that no thread has on
// its stack, such as those that Chrome's events b and e begin and end, or the window in which a profiler recorded. Functions work inside it, or
// nobody does.
//
// A lifetime is an execution of the table executions. It is no service fragment: it has no automaton, no samples, no metrics and no critical path of
// its own, and no time of it is own time of a function.
const Lifetime = "lifetime"

// LevelLifetime is the level of lifetimes of one name, beside the levels of a comparison.
const LevelLifetime = "lifetime"

// Lifetimes says which rows are of lifetimes.
type Lifetimes struct {
	types []Code // of the rows; nil: none is
	code  Code
}

// LifetimesIn says which rows are of lifetimes by their execution types, which need not have been read.
func (n *Names) LifetimesIn(types []Code) Lifetimes {
	if code, known := n.Types.Lookup(Lifetime); known && len(types) > 0 {
		return Lifetimes{types, code}
	}
	return Lifetimes{}
}

// Has reports whether a row is of a lifetime.
func (l *Lifetimes) Has(row int) bool { return len(l.types) > 0 && l.types[row] == l.code }

// LifetimesName is what stands in the place of a service fragment for lifetimes, which are none.
func LifetimesName(component, function string) string {
	return component + "." + function + " (lifetime)"
}
