package compare

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// metricKey is a metric of a fragment or, with an empty fragment, of a component.
type metricKey struct {
	component, fragment string
	metric              schema.Metric
}

// sampled are the samples of one run for a portion, in ns. They are what a comparison holds most memory for: their slices are
// cut from one piece of known size, and no sample is copied before it is pooled.
type sampled struct {
	values  map[string]pieces // by fragment, in the normalisation to judge by
	step    map[string]pieces // since the event before
	metrics [][]int64         // by their numbers
	since   []int64           // of the row group at hand, in an own normalisation
}

// pieces are the samples of the transitions of a fragment, by their numbers.
type pieces [][]int64

// of are the samples of a transition.
func (p pieces) of(transition int64) []int64 {
	if transition < 0 || transition >= int64(len(p)) {
		return nil
	}
	return p[transition]
}

// add appends the samples of a transition that are not null.
func (p pieces) add(transition int64, values []int64) {
	if transition >= 0 && transition < int64(len(p)) {
		p[transition] = schema.AppendKnown(p[transition], values)
	}
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

// gather reads the samples and metrics of a run for a portion, from the buckets in which the run keeps the components of the
// group. Columns that no test of the comparison uses are not read.
func (r *reader) gather(ctx context.Context, m *model, p *portion, e *excerpt) (*sampled, error) {
	s := &sampled{values: p.samplePieces(e.automata, true), metrics: p.carve(e.summarised)}
	rows, metrics := r.samples, r.metrics
	names := []string{"fragment", "transition"}
	if !r.ByRuns {
		names, s.step = append(names, "since_previous_ns"), p.samplePieces(e.automata, false)
	}
	column, given := normColumns[r.Options.Normalisation]
	if !given { // an own normalisation starts from the times of events
		column = normColumns[schema.NormAbsolute]
	}
	if !slices.Contains(names, column) {
		names = append(names, column)
	}
	wanted := m.buckets(p.group)
	wantedFragment := func(own string) bool { return p.has[m.known(own)] }
	err := r.scan(ctx, m.tables["samples"].InBuckets(wanted...), rows, wantedFragment, func(note func(string)) {
		values := normColumn(rows, r.Options.Normalisation)
		if !given {
			values = s.sinceReference(rows.TimeNs, m.references)
		}
		s.addSamples(rows, values, m, p, note)
	}, names)
	if err != nil {
		return nil, err
	}
	wantedMetric := func(of string) bool {
		component, fragment, _ := strings.Cut(of, separator)
		return p.hasMetric(m.knownMetric(metricKey{component: component, fragment: fragment}))
	}
	err = r.scan(ctx, m.tables["metrics"].InBuckets(wanted...), metrics, wantedMetric, func(note func(string)) {
		s.addMetrics(metrics, m, p, e.numbers, note)
	}, []string{"component", "fragment", "metric", "value_ns"})
	return s, err
}

// separator stands between a component and a fragment in the contents of a row group of metrics.
const separator = "\x00"

// scan reads files row group by row group. F notes what a row group holds; another portion passes over the row groups that hold
// nothing that is wanted, so that a few portions cost little more than one.
func (r *reader) scan(
	ctx context.Context, files []lake.File, into schema.Columns, wanted func(string) bool, f func(note func(string)), columns []string,
) error {
	for _, file := range files {
		contents, known := r.contents[file.Path]
		at := -1
		skip := func(lake.Stats) bool {
			at++
			return known && at < len(contents) && !r.anyWanted(contents[at], wanted)
		}
		err := r.Lake.Scan(ctx, []lake.File{file}, into, lake.ScanOptions{Columns: columns, Meter: r.Progress, Skip: skip}, func() error {
			if known {
				f(func(string) {})
				return nil
			}
			held := make(map[schema.Code]bool)
			f(func(what string) { held[r.held.Code(what)] = true })
			contents = append(contents, slices.Sorted(maps.Keys(held)))
			return nil
		})
		if err != nil {
			return err
		}
		r.contents[file.Path] = contents
	}
	return nil
}

// anyWanted reports whether anything that a row group holds is wanted.
func (r *reader) anyWanted(held []schema.Code, wanted func(string) bool) bool {
	return slices.ContainsFunc(held, func(what schema.Code) bool { return wanted(r.held.Name(what)) })
}

// samplePieces makes room for the samples of the automata of the portion: one piece of memory, as the transitions say how many
// samples there are. Room that is not made at once grows as samples come.
func (p *portion) samplePieces(automata map[string]automaton, room bool) map[string]pieces {
	all := int64(0)
	for _, fragment := range p.fragments {
		for _, n := range automata[fragment].counts {
			all += n
		}
	}
	if !room {
		all = 0
	}
	free, out := make([]int64, all), make(map[string]pieces, len(p.fragments))
	for _, fragment := range p.fragments {
		counts := automata[fragment].counts
		of := make(pieces, len(counts))
		for i, n := range counts {
			if room {
				of[i], free = free[:0:n], free[n:]
			}
		}
		out[fragment] = of
	}
	return out
}

// carve cuts a piece of memory into empty slices, with room for the values of each metric of the portion, as its summary says. A
// slice that outgrows its capacity moves away and leaves its neighbours alone.
func (p *portion) carve(of *summarised) [][]int64 {
	all, sizes := int64(0), make([]int64, len(of.ofMetrics))
	for k, i := range of.metrics {
		if i < len(sizes) && p.hasMetric(k) {
			sizes[i] = int64(of.ofMetrics[i].n)
			all += sizes[i]
		}
	}
	free, out := make([]int64, all), make([][]int64, len(sizes))
	for i, n := range sizes {
		out[i], free = free[:0:n], free[n:]
	}
	return out
}

// addSamples takes a row group. Rows of one transition stand together, as the stage samples writes them, so names are looked
// up once for each run of rows and not once a row.
func (s *sampled) addSamples(rows *schema.Samples, values []int64, m *model, p *portion, note func(string)) {
	n, last := len(rows.Fragment), schema.NoCode
	var into, step pieces // of the fragment at hand; nil where it is not wanted
	for from := 0; from < n; {
		to := from + 1
		for to < n && rows.Transition[to] == rows.Transition[from] && rows.Fragment[to] == rows.Fragment[from] {
			to++
		}
		if f := rows.Fragment[from]; f != last {
			last = f
			own := rows.Names.Fragments.Name(f)
			note(own)
			into, step = nil, nil
			if name := m.known(own); p.has[name] {
				into, step = s.values[name], s.step[name]
			}
		}
		if into != nil {
			into.add(rows.Transition[from], values[from:to])
		}
		if step != nil && len(rows.SincePreviousNs) == n {
			step.add(rows.Transition[from], rows.SincePreviousNs[from:to])
		}
		from = to
	}
}

// addMetrics takes a row group, whose rows of one metric stand together. There is a summary of every metric.
func (s *sampled) addMetrics(rows *schema.Metrics, m *model, p *portion, known *numbers, note func(string)) {
	n := len(rows.Component)
	for from := 0; from < n; {
		to := from + 1
		for to < n && rows.Metric[to] == rows.Metric[from] && rows.Fragment[to] == rows.Fragment[from] && rows.Component[to] == rows.Component[from] {
			to++
		}
		component, fragment := rows.Names.Components.Name(rows.Component[from]), rows.Names.Fragments.Name(rows.Fragment[from])
		note(component + separator + fragment)
		k := m.knownMetric(metricKey{component, fragment, rows.Metric[from]})
		if i, summarised := known.metrics[k]; summarised && i < len(s.metrics) && p.hasMetric(k) {
			s.metrics[i] = append(s.metrics[i], rows.ValueNs[from:to]...)
		}
		from = to
	}
}
