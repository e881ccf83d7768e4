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
	// LevelTransition, LevelMetric, LevelMessage, LevelFunction or LevelLifetime
	Level      string `parquet:"level,id(2),dict" key:"yes" doc:"transition: the time since the event before it; metric; message; function: the own time of its calls; or lifetime: how long asynchronous operations of that name took"`
	Component  string `parquet:"component,id(3),dict" key:"yes" doc:"the component; of messages: the one that receives"`
	Fragment   string `parquet:"fragment,id(4),optional,dict" key:"yes" doc:"the fragment; null for metrics of a component and for messages"`
	Transition *int64 `parquet:"transition,id(5),optional" key:"yes" unit:"-" doc:"number of the transition within the fragment"`
	// of a metric its name, of messages Transit or Lateness
	Metric   string `parquet:"metric,id(6),optional,dict" key:"yes" doc:"name of the metric; of messages: transit, or lateness while the receiver was busy"`
	Function string `parquet:"function,id(7),optional,dict" key:"yes" doc:"the function, or the name of lifetimes; of messages: that of the event that receives"`
	Peer     string `parquet:"peer,id(8),optional,dict" key:"yes" doc:"of messages: the component that sends"`

	ArrivalNs int64 `parquet:"arrival_ns,id(9)" doc:"of a transition: sum of the times since the start of the fragment; else 0"`

	Count   int64    `parquet:"count,id(10)" unit:"count" doc:"how often the transition was taken; spans of a metric; messages"`
	N       int64    `parquet:"n,id(11)" unit:"count" doc:"values; the first event of a fragment has no time since the one before"`
	TotalNs int64    `parquet:"total_ns,id(12)" doc:"sum of the values"`
	MinNs   *int64   `parquet:"min_ns,id(13),optional" doc:"minimum"`
	Q10Ns   *float64 `parquet:"q10_ns,id(14),optional" doc:"first decile; quantiles are Harrell-Davis estimates"`
	Q20Ns   *float64 `parquet:"q20_ns,id(15),optional" doc:"second decile"`
	Q30Ns   *float64 `parquet:"q30_ns,id(16),optional" doc:"third decile"`
	Q40Ns   *float64 `parquet:"q40_ns,id(17),optional" doc:"fourth decile"`
	Q50Ns   *float64 `parquet:"q50_ns,id(18),optional" doc:"median"`
	Q60Ns   *float64 `parquet:"q60_ns,id(19),optional" doc:"sixth decile"`
	Q70Ns   *float64 `parquet:"q70_ns,id(20),optional" doc:"seventh decile"`
	Q80Ns   *float64 `parquet:"q80_ns,id(21),optional" doc:"eighth decile"`
	Q90Ns   *float64 `parquet:"q90_ns,id(22),optional" doc:"ninth decile"`
	Q95Ns   *float64 `parquet:"q95_ns,id(23),optional" doc:"95 % quantile; null below 200 values"`
	Q99Ns   *float64 `parquet:"q99_ns,id(24),optional" doc:"99 % quantile; null below 1,000 values"`
	MaxNs   *int64   `parquet:"max_ns,id(25),optional" doc:"maximum"`
}

var _ = declare[Summary](TableDoc{
	Name: "summaries", Follows: "compositions", Doc: "The samples of every subject of a run, summed up: the unit with which runs are compared.",
	Grain: "one transition, timing metric, part of the latency of messages, function, or name of lifetimes", Partition: "run, bucket",
})
