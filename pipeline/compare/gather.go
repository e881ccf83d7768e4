package compare

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// stepKey is a transition of a fragment in one run.
type stepKey struct {
	fragment   string
	transition int64
}

// metricKey is a metric of a fragment or, with an empty fragment, of a component.
type metricKey struct {
	component, fragment string
	metric              schema.Metric
}

// sampled are the samples of one run for a group of components.
type sampled struct {
	values  map[stepKey][]int64 // in the normalisation to judge by
	step    map[stepKey][]int64 // since the event before
	metrics map[metricKey][]int64
}

// normColumns name the column of samples in each normalisation.
var normColumns = map[string]string{
	schema.NormAbsolute: "time_ns", schema.NormRelative: "since_previous_ns",
	schema.NormStackBased: "since_call_ns", schema.NormFragmentAbsolute: "since_start_ns",
}

func normColumn(s *schema.Samples, norm string) []int64 {
	switch norm {
	case schema.NormAbsolute:
		return s.TimeNs
	case schema.NormRelative:
		return s.SincePreviousNs
	case schema.NormStackBased:
		return s.SinceCallNs
	}
	return s.SinceStartNs
}

// gather reads the samples and metrics of a run for a group.
func (j *comparison) gather(ctx context.Context, m *model, g *group) (*sampled, error) {
	s := &sampled{values: m.room(g), step: make(map[stepKey][]int64), metrics: m.metricRoom(g)}
	wanted := m.buckets(g)
	rows := schema.NewSamples(new(schema.Names))
	names := []string{"fragment", "transition"}
	if !j.ByRuns {
		names = append(names, "since_previous_ns")
	}
	if column := normColumns[j.Options.Normalisation]; !slices.Contains(names, column) {
		names = append(names, column)
	}
	err := j.scan(ctx, m.samples, wanted, rows, func() {
		s.addSamples(rows, normColumn(rows, j.Options.Normalisation), m, g)
	}, names...)
	if err != nil {
		return nil, err
	}
	metrics := schema.NewMetrics(new(schema.Names))
	err = j.scan(ctx, m.metrics, wanted, metrics, func() { s.addMetrics(metrics, m, g) }, "component", "fragment", "metric", "value_ns")
	return s, err
}

// room is where the samples of a group's steps go: one piece of memory, as their numbers are known.
func (m *model) room(g *group) map[stepKey][]int64 {
	of := make(map[stepKey]int64)
	for _, name := range g.fragments {
		for i := range m.transitions[name] {
			of[stepKey{name, m.transitions[name][i].Transition}] = m.transitions[name][i].Count
		}
	}
	return divided(of)
}

// metricRoom is the same for metrics.
func (m *model) metricRoom(g *group) map[metricKey][]int64 {
	of := make(map[metricKey]int64)
	for k, run := range m.summaries.metrics {
		if g.components[k.component] {
			of[k] = int64(run.N)
		}
	}
	return divided(of)
}

// divided are empty slices with so much room each.
func divided[K comparable](of map[K]int64) map[K][]int64 {
	all := int64(0)
	for _, n := range of {
		all += n
	}
	room, pieces := make([]int64, all), make(map[K][]int64, len(of))
	for k, n := range of {
		pieces[k], room = room[:0:n], room[n:]
	}
	return pieces
}

// scan reads the files of some buckets.
func (j *comparison) scan(ctx context.Context, m *lake.Manifest, buckets []int, into schema.Columns, f func(), names ...string) error {
	return j.Lake.Scan(ctx, m.InBuckets(buckets...), into, lake.ScanOptions{Columns: names, Meter: j.Progress}, func() error {
		f()
		return nil
	})
}

// addSamples takes a row group. Rows of one transition stand together.
func (s *sampled) addSamples(rows *schema.Samples, values []int64, m *model, g *group) {
	n := len(rows.Fragment)
	for from := 0; from < n; {
		to := from + 1
		for to < n && rows.Transition[to] == rows.Transition[from] && rows.Fragment[to] == rows.Fragment[from] {
			to++
		}
		name := m.known(rows.Names.Fragments.Name(rows.Fragment[from]))
		if g.components[m.fragments[name].Component] {
			k := stepKey{name, rows.Transition[from]}
			s.values[k] = appendKnown(s.values[k], values[from:to])
			if len(rows.SincePreviousNs) == n {
				s.step[k] = appendKnown(s.step[k], rows.SincePreviousNs[from:to])
			}
		}
		from = to
	}
}

// appendKnown appends the values that are not null.
func appendKnown(known, values []int64) []int64 {
	for _, v := range values {
		if v != schema.NoValue {
			known = append(known, v)
		}
	}
	return known
}

// addMetrics takes a row group.
func (s *sampled) addMetrics(rows *schema.Metrics, m *model, g *group) {
	n := len(rows.Component)
	for from := 0; from < n; {
		to := from + 1
		for to < n && rows.Metric[to] == rows.Metric[from] && rows.Fragment[to] == rows.Fragment[from] && rows.Component[to] == rows.Component[from] {
			to++
		}
		k := metricKey{rows.Names.Components.Name(rows.Component[from]), rows.Names.Fragments.Name(rows.Fragment[from]), rows.Metric[from]}
		k = m.knownMetric(k)
		if g.components[k.component] {
			s.metrics[k] = append(s.metrics[k], rows.ValueNs[from:to]...)
		}
		from = to
	}
}
