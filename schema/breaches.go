package schema

// Conditions are the six conditions of Jonk et al. 2019, Definition 3, in their order.
var Conditions = [...]string{
	"the events of a lifeline are totally ordered, and no constraints form a cycle",
	"events are unique",
	"the executions of a function are numbered in their order",
	"every start has a finish, and every finish a start",
	"functions are nested properly",
	"all constraints are met",
}

// Breach names a way to break a condition. It is declared once, here, with the sentence that explains it.
type Breach struct {
	Condition     int64 // 1 to 6
	Name, Meaning string
}

// The breaches.
var (
	GapInOrder         = Breach{1, "gap_in_order", "an event has no constraint from the event before it on its lifeline"}
	OrderReversed      = Breach{1, "order_reversed", "an event stands after one of its lifeline with a higher sequence number"}
	BackwardConstraint = Breach{1, "backward_constraint", "a constraint does not start at an event before its target, so that it closes a cycle with the order of the trace"}
	UnknownTarget      = Breach{1, "unknown_target", "a constraint ends at no event"}
	RepeatedEvent      = Breach{2, "repeated_event", "an event stands in the trace more than once"}
	TwoTimes           = Breach{2, "two_times", "an event stands in the trace at two times"}
	SharedSeq          = Breach{2, "shared_seq", "two events have the same sequence number"}
	IndexOrder         = Breach{3, "index_order", "a start or a finish has a lower sequence number than an earlier one of its function, so that its index is uncertain"}
	MissingStart       = Breach{4, "missing_start", "an execution finished that had not started"}
	MissingFinish      = Breach{4, "missing_finish", "an execution started that did not finish"}
	CallsInterleave    = Breach{5, "calls_interleave", "an execution finished after one in which it had started"}
	TimeRunsBack       = Breach{6, "time_runs_back", "an event is earlier than the event before it on its lifeline, so that no bound is met"}
	TargetBeforeSource = Breach{6, "target_before_source", "the target of a constraint is earlier than its source, so that no bound is met"}
	BoundNotMet        = Breach{6, "bound_not_met", "the target of a constraint is earlier than its source and its bound allow"}
	NegativeBound      = Breach{6, "negative_bound", "the bound of a constraint is below 0 (Definition 1)"}
)

// Violation says that events of a function break a condition of Jonk et al. 2019, Definition 3, and how.
// Lifeline, function and time are null where a constraint ends at no event.
type Violation struct {
	Condition int64  `parquet:"condition" unit:"-" doc:"condition of Jonk et al. 2019, Definition 3: 1 order, 2 uniqueness, 3 index, 4 pairs, 5 nesting, 6 constraints met"`
	Name      string `parquet:"name,dict" key:"yes" doc:"how it is broken"`
	Component string `parquet:"component,dict" key:"yes" doc:"where it happened"`
	Lifeline  string `parquet:"lifeline,optional,dict" key:"yes" doc:"the component, or component/thread; null where a constraint ends at no event"`
	Function  string `parquet:"function,optional,dict" key:"yes" doc:"function of the event; null where a constraint ends at no event"`
	Count     int64  `parquet:"count" unit:"count" doc:"how often"`
	FirstSeq  int64  `parquet:"first_seq" unit:"-" doc:"the event with the lowest sequence number where it happened"`
	FirstNs   *int64 `parquet:"first_ns,optional" doc:"its time; null where a constraint ends at no event"`
	Meaning   string `parquet:"meaning,dict" doc:"how it is broken, in words"`
}

var _ = declare[Violation](TableDoc{
	Name: "violations", Follows: "constraints", Doc: "Where the trace breaks the conditions of a TMSC.",
	Grain: "one way to break a condition, of one function on a lifeline", Partition: "run, bucket",
})
