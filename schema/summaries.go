package schema

// LevelMessage is the level of what messages between two components take, beside the levels of a comparison.
const LevelMessage = "message"

// The two parts of a message's latency, as Summary.Metric and Change.Metric name them.
const (
	Transit  = "transit"  // from the send, or from when the receiver was ready, to the receive
	Lateness = "lateness" // from the send until the receiver was ready: it was still busy
)

// Summary sums up the samples of one subject in one run. It is the unit with which runs are compared, because the samples
// of one run depend on each other: comparing them as if they were independent finds changes where nothing changed. A subject is a transition (its time since the event before it), a timing
// metric, or a part of the latency of messages. Quantiles are Harrell-Davis estimates; null where there is no value.
type Summary struct {
	// LevelTransition, LevelMetric, LevelMessage or LevelFunction
	Level      string `parquet:"level,dict" key:"yes" doc:"transition: the time since the event before it; metric; message; or function: the own time of its calls"`
	Component  string `parquet:"component,dict" key:"yes" doc:"the component; of messages: the one that receives"`
	Fragment   string `parquet:"fragment,optional,dict" key:"yes" doc:"the fragment; null for metrics of a component and for messages"`
	Transition *int64 `parquet:"transition,optional" key:"yes" unit:"-" doc:"number of the transition within the fragment"`
	// of a metric its name, of messages Transit or Lateness
	Metric   string `parquet:"metric,optional,dict" key:"yes" doc:"name of the metric; of messages: transit, or lateness while the receiver was busy"`
	Function string `parquet:"function,optional,dict" key:"yes" doc:"the function; of messages: that of the event that receives"`
	Peer     string `parquet:"peer,optional,dict" key:"yes" doc:"of messages: the component that sends"`

	ArrivalNs int64 `parquet:"arrival_ns" doc:"of a transition: sum of the times since the start of the fragment; else 0"`

	Count   int64    `parquet:"count" unit:"count" doc:"how often the transition was taken; spans of a metric; messages"`
	N       int64    `parquet:"n" unit:"count" doc:"values; the first event of a fragment has no time since the one before"`
	TotalNs int64    `parquet:"total_ns" doc:"sum of the values"`
	MinNs   *int64   `parquet:"min_ns,optional" doc:"minimum"`
	Q10Ns   *float64 `parquet:"q10_ns,optional" doc:"first decile; quantiles are Harrell-Davis estimates"`
	Q20Ns   *float64 `parquet:"q20_ns,optional" doc:"second decile"`
	Q30Ns   *float64 `parquet:"q30_ns,optional" doc:"third decile"`
	Q40Ns   *float64 `parquet:"q40_ns,optional" doc:"fourth decile"`
	Q50Ns   *float64 `parquet:"q50_ns,optional" doc:"median"`
	Q60Ns   *float64 `parquet:"q60_ns,optional" doc:"sixth decile"`
	Q70Ns   *float64 `parquet:"q70_ns,optional" doc:"seventh decile"`
	Q80Ns   *float64 `parquet:"q80_ns,optional" doc:"eighth decile"`
	Q90Ns   *float64 `parquet:"q90_ns,optional" doc:"ninth decile"`
	Q95Ns   *float64 `parquet:"q95_ns,optional" doc:"95 % quantile; null below 200 values"`
	Q99Ns   *float64 `parquet:"q99_ns,optional" doc:"99 % quantile; null below 1,000 values"`
	MaxNs   *int64   `parquet:"max_ns,optional" doc:"maximum"`
}

var _ = declare[Summary](TableDoc{
	Name: "summaries", Follows: "compositions", Doc: "The samples of every subject of a run, summed up: the unit with which runs are compared.",
	Grain: "one transition, timing metric, or part of the latency of messages", Partition: "run, bucket",
})
