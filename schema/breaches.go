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
	Condition int64  `parquet:"condition,id(2)" unit:"-" doc:"condition of Jonk et al. 2019, Definition 3: 1 order, 2 uniqueness, 3 index, 4 pairs, 5 nesting, 6 constraints met"`
	Name      string `parquet:"name,id(3),dict" key:"yes" doc:"how it is broken"`
	Component string `parquet:"component,id(4),dict" key:"yes" doc:"where it happened"`
	Lifeline  string `parquet:"lifeline,id(5),optional,dict" key:"yes" doc:"the component, or component/thread; null where a constraint ends at no event"`
	Function  string `parquet:"function,id(6),optional,dict" key:"yes" doc:"function of the event; null where a constraint ends at no event"`
	Count     int64  `parquet:"count,id(7)" unit:"count" doc:"how often"`
	FirstSeq  int64  `parquet:"first_seq,id(8)" unit:"-" doc:"the event with the lowest sequence number where it happened"`
	FirstNs   *int64 `parquet:"first_ns,id(9),optional" doc:"its time; null where a constraint ends at no event"`
	Meaning   string `parquet:"meaning,id(10),dict" doc:"how it is broken, in words"`
}

var _ = declare[Violation](TableDoc{
	Name: "violations", Follows: "constraints", Doc: "Where the trace breaks the conditions of a TMSC.",
	Grain: "one way to break a condition, of one function on a lifeline", Partition: "run, bucket",
})

// CheckResult is what a run says of a check of a specification, for one value of each of its foralls.
type CheckResult struct {
	Spec      string `parquet:"spec,id(2),dict" key:"yes" doc:"the specification: the name of its file, without .etl"`
	Check     string `parquet:"check_name,id(3),dict" key:"yes" doc:"name of the check"`
	Value     string `parquet:"value,id(4),optional,dict" key:"yes" doc:"the values of its foralls, with commas between; null where it has none"`
	Verdict   string `parquet:"verdict,id(5),dict" doc:"GOOD, STILL_TRUE, STILL_FALSE, BAD, or NON-INFORMATIVE of three verdicts; UNDEFINED where there was no state to ask"`
	Semantics string `parquet:"semantics,id(6),dict" doc:"what the end of the run means: four, three or finite"`
	Finite    bool   `parquet:"finite,id(7)" doc:"it holds on the run as it is"`
	States    int64  `parquet:"states,id(8)" unit:"count" doc:"states that it was asked over"`
	Triggers  *int64 `parquet:"triggers,id(9),optional" unit:"count" doc:"of globally if A then F: states with A; null for others"`
	Failures  int64  `parquet:"failures,id(10)" unit:"count" doc:"states that break it for good"`
	Open      int64  `parquet:"open,id(11)" unit:"count" doc:"triggers whose answer the run does not have yet"`
	Vacuous   bool   `parquet:"vacuous,id(12)" doc:"it was never asked, and holds for no other reason"`

	MarginNs *int64 `parquet:"margin_ns,id(13),optional" doc:"the smallest distance of an answer to its bound, negative outside of it; null where there is no bound or no answer"`
	BoundNs  *int64 `parquet:"bound_ns,id(14),optional" doc:"the bound of answers; null where there is none"`

	Robustness *float64 `parquet:"robustness,id(15),optional" unit:"1" doc:"of signals only: by how much values keep it at the start, negative where they do not; null for others"`
	Threshold  bool     `parquet:"threshold,id(16)" doc:"a robustness was exactly 0, so that the comparisons told"`

	FirstFailureSeq *int64 `parquet:"first_failure_seq,id(17),optional" unit:"-" doc:"seq of the event of the first failing state; null where none failed"`
	FirstFailureNs  *int64 `parquet:"first_failure_ns,id(18),optional" doc:"its time"`
	LargestGapNs    *int64 `parquet:"largest_gap_ns,id(19),optional" doc:"of signals at states: the longest time between two states; null for others"`
	Formula         string `parquet:"formula,id(20),dict" doc:"what was asked, as a sentence"`
}

var _ = declare[CheckResult](TableDoc{
	Name: "checks", Follows: "violations", Doc: "What a run says of the checks of specifications (where analyze check held it against them).",
	Grain: "one check of a specification, for one value of its foralls", Partition: "run",
})

// CheckFailure is a state that breaks a check.
type CheckFailure struct {
	Spec      string `parquet:"spec,id(2),dict" key:"yes" doc:"the specification"`
	Check     string `parquet:"check_name,id(3),dict" key:"yes" doc:"name of the check"`
	Value     string `parquet:"value,id(4),optional,dict" key:"yes" doc:"the values of its foralls, with commas between; null where it has none"`
	Seq       int64  `parquet:"seq,id(5)" key:"yes" unit:"-" doc:"the event of the state, or the one before it"`
	TimeNs    int64  `parquet:"time_ns,id(6)" key:"yes" doc:"its time"`
	Component string `parquet:"component,id(7),optional,dict" doc:"where it happened; null between events, with --states all"`
	Function  string `parquet:"function,id(8),optional,dict" doc:"function of the event; null between events"`
	DelayNs   *int64 `parquet:"delay_ns,id(9),optional" doc:"until the answer came; null where none came, or where there is no bound"`
	ExcessNs  *int64 `parquet:"excess_ns,id(10),optional" doc:"how far outside of its bound the answer was; where none came, at least so much; null where there is no bound"`
}

var _ = declare[CheckFailure](TableDoc{
	Name: "check_failures", Follows: "checks", Doc: "The states at which checks fail, the first 10,000 of a check at most; the table checks counts all.",
	Grain: "one state that breaks a check for good", Partition: "run",
})

// CheckInterval is a stretch of time over which a definition of a check holds, or does not.
type CheckInterval struct {
	Spec       string `parquet:"spec,id(2),dict" key:"yes" doc:"the specification"`
	Check      string `parquet:"check_name,id(3),dict" key:"yes" doc:"name of the check"`
	Value      string `parquet:"value,id(4),optional,dict" key:"yes" doc:"the values of its foralls, with commas between; null where it has none, and of definitions"`
	Definition string `parquet:"definition,id(5),optional,dict" key:"yes" doc:"the definition, with its values; null: what the check asks at every state"`
	Seq        int64  `parquet:"seq,id(6)" key:"yes" unit:"-" doc:"the event of the state with which the stretch begins"`
	FromNs     int64  `parquet:"from_ns,id(7)" doc:"time of that state"`
	ToNs       int64  `parquet:"to_ns,id(8)" doc:"time of the state with which the next stretch begins, or of the last state"`
	Truth      bool   `parquet:"truth,id(9)" doc:"it holds at the states of the stretch, as far as the run goes"`
}

var _ = declare[CheckInterval](TableDoc{
	Name: "check_intervals", Follows: "check_failures", Doc: "Where checks and their definitions hold over time (only with analyze check --intervals), the first 10,000 stretches of a check at most.",
	Grain: "one stretch of states of equal truth", Partition: "run",
})
