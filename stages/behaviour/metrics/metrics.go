package metrics

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Builder collects the metrics of one partition. Add all messages, then all executions, in the order of their finish.
type Builder struct {
	names      *schema.Names
	fragments  []fragmentMetrics      // by code
	components []spans                // by code: when they are up
	types      []typeRole             // by code of the execution type
	pending    map[pendingKey][]int64 // start times of calls that wait for their callback or reply, ns, oldest first
	requests   map[int64]*callback    // by the event that sent it, those whose reply starts an execution
	callbacks  bool                   // the trace types its callbacks, so that its messages need not say them
}

// series are the samples of one metric: when they began, and their values, in ns.
type series struct{ timeNs, valueNs []int64 }

// addSample appends a sample.
func (s *series) addSample(timeNs, valueNs int64) {
	s.timeNs = append(s.timeNs, timeNs)
	s.valueNs = append(s.valueNs, valueNs)
}

// fragmentMetrics holds the metrics of a service fragment. It belongs to no component until it ran.
type fragmentMetrics struct {
	component schema.Code
	active    spans // spans in which an occurrence was under way
	series    [schema.AsyncHandling + 1]*series
}

// addSample appends a sample of a metric, whose series is created when it is first needed.
func (f *fragmentMetrics) addSample(m schema.Metric, timeNs, valueNs int64) {
	if f.series[m] == nil {
		f.series[m] = new(series)
	}
	f.series[m].addSample(timeNs, valueNs)
}

// spans are those in which a component or a service fragment is up, in ns, disjoint and in time order.
type spans struct{ from, to []int64 }

// NewBuilder returns a builder for executions and messages with these names.
func NewBuilder(names *schema.Names) *Builder {
	return &Builder{names: names, pending: make(map[pendingKey][]int64), requests: make(map[int64]*callback)}
}

// AddExecutions takes the next executions, in the order of their finish.
func (b *Builder) AddExecutions(ex *schema.Executions) {
	b.fragments = schema.GrowTo(b.fragments, b.names.Fragments.Len())
	b.components = schema.GrowTo(b.components, b.names.Components.Len())
	for len(b.types) < b.names.Types.Len() {
		b.types = append(b.types, typeRoles[b.names.Types.Name(schema.Code(len(b.types)))])
	}
	lifetimes := b.names.LifetimesIn(ex.Type)
	for i, role := range ex.Role {
		if lifetimes.Has(i) {
			continue // the component need not be up while it lasts
		}
		f := &b.fragments[ex.Fragment[i]]
		f.component = ex.Component[i]
		if ex.Depth[i] == 0 {
			f.addRoot(ex.StartNs[i], ex.FinishNs[i])
			b.components[f.component].addSpan(ex.StartNs[i], ex.FinishNs[i])
		}
		if len(b.requests) > 0 {
			b.noteRequest(ex.Execution[i], ex.Fragment[i])
			b.noteRequest(ex.FinishSeq[i], ex.Fragment[i])
		}
		if role != schema.Internal || ex.Type[i] != schema.NoCode {
			b.addCommunication(f, ex, i)
		}
	}
}

// addRoot takes the root execution of an occurrence.
func (f *fragmentMetrics) addRoot(start, finish int64) {
	f.addSample(schema.Runtime, start, finish-start)
	f.active.addSpan(start, finish)
}

// addSpan adds a root execution, which joins the spans that it overlaps. Amortised constant time, because
// executions come by finish.
func (s *spans) addSpan(from, to int64) {
	last := len(s.to) - 1
	for ; last >= 0 && from < s.to[last]; last-- {
		from, to = min(from, s.from[last]), max(to, s.to[last])
	}
	s.from, s.to = append(s.from[:last+1], from), append(s.to[:last+1], to)
}

// gapsBetween returns the downtimes between the spans. It shares the memory of the spans.
func (s *spans) gapsBetween() *series {
	n := len(s.from) - 1
	if n < 1 {
		return new(series)
	}
	between := &series{s.to[:n], make([]int64, n)}
	for i, to := range between.timeNs {
		between.valueNs[i] = s.from[i+1] - to
	}
	return between
}

// Metrics appends all metrics to a table, sorted by component, fragment, metric and time. After every metric it calls flush,
// which may take any rows out: the rows of a partition need not be in memory beside what they are made of.
func (b *Builder) Metrics(out *schema.Metrics, flush func() error) error {
	b.addCallbacks()
	fragments := b.fragmentsByName()
	for _, c := range b.names.Components.Sorted() {
		if int(c) >= len(b.components) { // named by messages only
			continue
		}
		if err := b.appendComponent(out, c, fragments[c], flush); err != nil {
			return err
		}
	}
	return nil
}

// appendComponent appends the metrics of a component and its fragments.
func (b *Builder) appendComponent(out *schema.Metrics, c schema.Code, fragments []schema.Code, flush func() error) error {
	active := &b.components[c]
	up := series{active.from, make([]int64, len(active.from))}
	for i, from := range active.from {
		up.valueNs[i] = active.to[i] - from
	}
	appendSeries(out, c, schema.NoCode, schema.ComponentUp, &up)
	appendSeries(out, c, schema.NoCode, schema.ComponentDown, active.gapsBetween())
	for _, f := range fragments {
		fragment := &b.fragments[f]
		fragment.series[schema.Downtime] = fragment.active.gapsBetween()
		for m, s := range fragment.series {
			if s == nil {
				continue
			}
			s.sortByTime()
			appendSeries(out, c, f, schema.Metric(m), s)
			fragment.series[m] = nil
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// fragmentsByName lists the fragments of each component by name. A partition may have as many components as fragments, so that each of these is looked at once.
func (b *Builder) fragmentsByName() [][]schema.Code {
	of := make([][]schema.Code, len(b.components))
	for _, f := range b.names.Fragments.Sorted() {
		if int(f) < len(b.fragments) { // others are named by messages only
			c := b.fragments[f].component
			of[c] = append(of[c], f)
		}
	}
	return of
}

// sortByTime puts samples into time order; where executions nest or overlap they came in the order of
// their finish.
func (s *series) sortByTime() {
	if slices.IsSorted(s.timeNs) {
		return
	}
	order := make([]int, len(s.timeNs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(s.timeNs[i], s.timeNs[j]) })
	var sorted series
	for _, i := range order {
		sorted.addSample(s.timeNs[i], s.valueNs[i])
	}
	*s = sorted
}

// appendSeries appends the rows of one metric, numbered from 0.
func appendSeries(out *schema.Metrics, c, f schema.Code, m schema.Metric, s *series) {
	from := len(out.TimeNs)
	schema.Extend(out, len(s.timeNs))
	component, fragment, metric, occurrence := out.Component[from:], out.Fragment[from:], out.Metric[from:], out.Occurrence[from:]
	for i := range component {
		component[i], fragment[i], metric[i], occurrence[i] = c, f, m, int64(i)
	}
	copy(out.TimeNs[from:], s.timeNs)
	copy(out.ValueNs[from:], s.valueNs)
}
