package summaries

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// Metrics summarises the timing metrics of a partition, which are sorted by component, fragment and metric.
type Metrics struct {
	names    *schema.Names
	rows     []schema.Summary
	estimate *stats.Estimator

	at     series  // the metric under way
	count  int64   // its spans so far
	values []int64 // their lengths
}

// series is a metric of a component, or of a fragment.
type series struct {
	component, fragment schema.Code
	metric              schema.Metric
}

// NewMetrics returns a builder for metrics with these names.
func NewMetrics(names *schema.Names, estimate *stats.Estimator) *Metrics {
	return &Metrics{names: names, estimate: estimate}
}

// Add takes the next metrics: component, fragment, metric and value_ns are read.
func (m *Metrics) Add(rows *schema.Metrics) {
	for from := 0; from < len(rows.Metric); {
		at, to := series{rows.Component[from], rows.Fragment[from], rows.Metric[from]}, from+1
		for to < len(rows.Metric) && rows.Metric[to] == at.metric && rows.Fragment[to] == at.fragment && rows.Component[to] == at.component {
			to++
		}
		if at != m.at {
			m.end()
			m.at = at
		}
		m.count += int64(to - from)
		m.values = schema.AppendKnown(m.values, rows.ValueNs[from:to])
		from = to
	}
}

// end writes the row of the metric under way.
func (m *Metrics) end() {
	if m.count == 0 {
		return
	}
	of := subject{
		Level: schema.LevelMetric, Component: m.names.Components.Name(m.at.component),
		Fragment: m.names.Fragments.Name(m.at.fragment), Metric: schema.MetricWords[m.at.metric],
	}
	m.rows = append(m.rows, summarise(of, m.count, m.values, m.estimate))
	m.count, m.values = 0, m.values[:0]
}

// Rows ends the metrics and returns a row for every one, in their order.
func (m *Metrics) Rows() []schema.Summary {
	m.end()
	return m.rows
}
