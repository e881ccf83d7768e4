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

// Metrics are samples of timing metrics. Rows of a partition are sorted by component, fragment,
// metric and occurrence; metrics of a component have no fragment.
type Metrics struct {
	Names *Names

	Component  []Code
	Fragment   []Code // nullable
	Metric     []Metric
	Occurrence []int64 // from 0, in time order
	TimeNs     []int64 // when the span began
	ValueNs    []int64 // its length
}

// Columns implements the interface of that name.
func (m *Metrics) Columns() []Column {
	return []Column{
		Strings("component", &m.Component, &m.Names.Components),
		NullStrings("fragment", &m.Fragment, &m.Names.Fragments),
		Enum("metric", &m.Metric, MetricWords),
		Ints("occurrence", &m.Occurrence),
		Ints("time_ns", &m.TimeNs),
		Ints("value_ns", &m.ValueNs),
	}
}

// NewMetrics returns an empty table whose codes are those of names.
func NewMetrics(names *Names) *Metrics { return &Metrics{Names: names} }
