package schema

// Metric is a derived timing metric (Hilbig 2023, section 3.4).
type Metric = uint8

const (
	Runtime         Metric = iota // of a service fragment
	Downtime                      // between two occurrences of a service fragment
	ComponentUp                   // a span in which the component ran some service fragment
	ComponentDown                 // a span in which it ran none
	Blocked                       // waiting on a blocking call
	Waited                        // waiting after a wait was invoked on a request
	FcnWait                       // from a call to its completion callback
	SyncHandling                  // handling a request synchronously
	TriggerHandling               // handling a trigger
	EventHandling                 // handling an event
	AsyncHandling                 // from receiving an asynchronous call to replying to it
)

// MetricWords are the names of the metrics.
var MetricWords = []string{"runtime", "downtime", "component_up", "component_down", "blocked", "waited",
	"fcn_wait", "sync_handling", "trigger_handling", "event_handling", "async_handling"}

// idleMetrics are spans in which a component does no work of its own: it is down, or waits for another one.
var idleMetrics = map[string]bool{
	MetricWords[Downtime]: true, MetricWords[ComponentDown]: true, MetricWords[Blocked]: true, MetricWords[Waited]: true, MetricWords[FcnWait]: true,
}

// IsIdleMetric reports whether a metric is of time in which a component does no work of its own.
func IsIdleMetric(metric string) bool { return idleMetrics[metric] }

// Metrics are samples of timing metrics. Rows of a partition are sorted by component, fragment,
// metric and occurrence; metrics of a component have no fragment.
type Metrics struct {
	Names *Names

	Component  []Code   `parquet:"component,id(2)" names:"Components" key:"yes" doc:"the component"`
	Fragment   []Code   `parquet:"fragment,id(3),optional" names:"Fragments" key:"yes" doc:"the fragment; null for metrics of a component"`
	Metric     []Metric `parquet:"metric,id(4)" key:"yes" doc:"runtime, downtime, component_up, component_down, blocked, waited, fcn_wait, sync_handling, trigger_handling, event_handling or async_handling"`
	Occurrence []int64  `parquet:"occurrence,id(5)" key:"yes" unit:"-" doc:"from 0, in time order"`
	TimeNs     []int64  `parquet:"time_ns,id(6)" doc:"when the span began"`
	ValueNs    []int64  `parquet:"value_ns,id(7)" doc:"its length"`
}

var metricsTable = declareColumns[Metrics, Names](TableDoc{
	Name: "metrics", Follows: "samples", Doc: "Samples of timing metrics.",
	Grain: "one span of one metric", Partition: "run, bucket",
}, enums{"metric": MetricWords})

// Columns binds the columns to their slices, in the order of the file.
func (m *Metrics) Columns() []Column { return metricsTable.bind(m, m.Names) }

// NewMetrics returns an empty table whose codes are those of names.
func NewMetrics(names *Names) *Metrics { return &Metrics{Names: names} }
