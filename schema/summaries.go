package schema

// LevelMessage is the level of what messages between two components take, beside the levels of a comparison.
const LevelMessage = "message"

// The two parts of a message's latency, as Summary.Metric and Change.Metric name them.
const (
	Transit  = "transit"  // from the send, or from when the receiver was ready, to the receive
	Lateness = "lateness" // from the send until the receiver was ready: it was still busy
)

// Summary is what a run's samples of one subject come to: the unit with which runs are compared, as samples of one
// run are not independent of each other. A subject is a transition (its time since the event before it), a timing
// metric, or a part of the latency of messages. Quantiles are Harrell-Davis estimates; null where there is no value.
type Summary struct {
	Level      string `parquet:"level,dict"` // LevelTransition, LevelMetric or LevelMessage
	Component  string `parquet:"component,dict"`
	Fragment   string `parquet:"fragment,optional,dict"`
	Transition *int64 `parquet:"transition,optional"`
	Metric     string `parquet:"metric,optional,dict"`   // of a metric its name, of messages Transit or Lateness
	Function   string `parquet:"function,optional,dict"` // of messages: that of the event that receives
	Peer       string `parquet:"peer,optional,dict"`     // of messages: the sender

	ArrivalNs int64 `parquet:"arrival_ns"` // of a transition: sum of the times since the start of the fragment

	Count   int64    `parquet:"count"`           // how often the transition was taken, spans, or messages
	N       int64    `parquet:"n"`               // values: the first event of a fragment has no time since the one before
	TotalNs int64    `parquet:"total_ns"`        // sum of the values
	MinNs   *int64   `parquet:"min_ns,optional"` // least value
	Q10Ns   *float64 `parquet:"q10_ns,optional"` // deciles
	Q20Ns   *float64 `parquet:"q20_ns,optional"` //
	Q30Ns   *float64 `parquet:"q30_ns,optional"` //
	Q40Ns   *float64 `parquet:"q40_ns,optional"` //
	Q50Ns   *float64 `parquet:"q50_ns,optional"` //
	Q60Ns   *float64 `parquet:"q60_ns,optional"` //
	Q70Ns   *float64 `parquet:"q70_ns,optional"` //
	Q80Ns   *float64 `parquet:"q80_ns,optional"` //
	Q90Ns   *float64 `parquet:"q90_ns,optional"` //
	Q95Ns   *float64 `parquet:"q95_ns,optional"` // null below 200 values: fewer than ten lie above it
	Q99Ns   *float64 `parquet:"q99_ns,optional"` // null below 1,000 values
	MaxNs   *int64   `parquet:"max_ns,optional"` // greatest value
}
