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

// sampled are the samples of one run for a group of components, in ns. A bucket of samples is what a comparison holds most
// memory for: their slices are cut from one piece of known size, and no sample is copied before it is pooled.
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

// normColumn is the column of a row group in a normalisation.
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

// gather reads the samples and metrics of a run for a group, from the buckets in which the run keeps the group's
// components. Columns that no test of the comparison uses are not read.
func (j *comparison) gather(ctx context.Context, m *model, g *group) (*sampled, error) {
	s := &sampled{values: m.sampleBuffers(g), step: make(map[stepKey][]int64), metrics: m.metricBuffers(g)}
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

// sampleBuffers makes room for the samples of a group's steps: one piece of memory, as the transitions say how many samples
// there are.
func (m *model) sampleBuffers(g *group) map[stepKey][]int64 {
	of := make(map[stepKey]int64)
	for _, name := range g.fragments {
		for i := range m.transitions[name] {
			of[stepKey{name, m.transitions[name][i].Transition}] = m.transitions[name][i].Count
		}
	}
	return carve(of)
}

// metricBuffers does the same for metrics, by the counts of the summaries.
func (m *model) metricBuffers(g *group) map[metricKey][]int64 {
	of := make(map[metricKey]int64)
	for k, run := range m.summaries.metrics {
		if g.components[k.component] {
			of[k] = int64(run.N)
		}
	}
	return carve(of)
}

// carve cuts a piece of memory into empty slices with the capacities given. A slice that outgrows its capacity moves away
// and leaves its neighbours alone.
func carve[K comparable](of map[K]int64) map[K][]int64 {
	all := int64(0)
	for _, n := range of {
		all += n
	}
	free, pieces := make([]int64, all), make(map[K][]int64, len(of))
	for k, n := range of {
		pieces[k], free = free[:0:n], free[n:]
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

// addSamples takes a row group. Rows of one transition stand together, as the stage samples writes them, so names are looked
// up once for each run of rows and not once a row.
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

// addMetrics takes a row group, whose rows of one metric stand together.
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
