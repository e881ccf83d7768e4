package schema

// Role is what an execution is to the communication around it, read off the messages at its start and
// finish (Jonk et al. 2019, Fig. 6; Hilbig 2023, section 2.4).
type Role = uint8

const (
	Internal      Role = iota
	BlockingCall       // sends at its start, receives at its finish
	Request            // sends at its start, does not receive at its finish
	Wait               // receives at its finish what it did not ask for at its start
	SyncHandler        // receives at its start, replies at its finish
	TriggerHandle      // receives at its start, does not reply at its finish
)

// RoleWords are the names of the roles; the first stands for null.
var RoleWords = []string{"", "blocking_call", "request", "wait", "sync_handler", "trigger_handler"}

// Executions are function executions: an enter event with the exit event that belongs to it.
// Rows of a partition are in the order of their finish.
type Executions struct {
	Names *Names

	Execution  []int64 // the seq of the enter event: unique in a run, and the start order
	Component  []Code
	Lifeline   []Code
	Function   []Code
	Number     []int64 // the i of Jonk et al. 2019: the i-th execution of the function on the component, from 1, by their starts
	StartNs    []int64
	FinishNs   []int64
	DurationNs []int64 // FinishNs - StartNs
	SelfNs     []int64 // DurationNs less the time in nested executions
	Depth      []int64 // 0 for a root execution
	Parent     []int64 // Execution of the caller on the same lifeline; null for a root
	Fragment   []Code  // the service fragment in whose occurrence it ran
	Occurrence []int64 // which occurrence of that fragment, from 0
	FinishSeq  []int64
	Role       []Role
	Peer       []Code // nullable: the component it called or was called by
	Type       []Code // nullable
	Synthetic  []bool // its start or its finish was invented
}

// Columns implements the interface of that name.
func (e *Executions) Columns() []Column {
	return []Column{
		Ints("execution", &e.Execution),
		Strings("component", &e.Component, &e.Names.Components),
		Strings("lifeline", &e.Lifeline, &e.Names.Lifelines),
		Strings("function", &e.Function, &e.Names.Functions),
		Ints("number", &e.Number),
		Ints("start_ns", &e.StartNs),
		Ints("finish_ns", &e.FinishNs),
		Ints("duration_ns", &e.DurationNs),
		Ints("self_ns", &e.SelfNs),
		Ints("depth", &e.Depth),
		NullInts("parent", &e.Parent),
		Strings("fragment", &e.Fragment, &e.Names.Fragments),
		Ints("fragment_occurrence", &e.Occurrence),
		Ints("finish_seq", &e.FinishSeq),
		NullEnum("role", &e.Role, RoleWords),
		NullStrings("peer", &e.Peer, &e.Names.Components),
		NullStrings("execution_type", &e.Type, &e.Names.Types),
		Bools("synthetic", &e.Synthetic),
	}
}

// NewExecutions returns an empty table whose codes are those of names.
func NewExecutions(names *Names) *Executions { return &Executions{Names: names} }
