package schema

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
