package metrics

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Builder collects the metrics of one partition. Add all executions, in the order of their finish, then
// all messages.
type Builder struct {
	names      *schema.Names
	fragments  []fragment // by code
	components []spans    // when they are up, by code
	types      []typeRole // by code of the execution type
	pending    map[pendingKey][]int64
	callbacks  bool // the trace types its callbacks, so that its messages need not tell them
}

// series are the samples of one metric.
type series struct{ timeNs, valueNs []int64 }

func (s *series) add(timeNs, valueNs int64) {
	s.timeNs = append(s.timeNs, timeNs)
	s.valueNs = append(s.valueNs, valueNs)
}

// fragment holds the metrics of a service fragment. It is of no component until it ran.
type fragment struct {
	component schema.Code
	active    spans
	series    [schema.AsyncHandling + 1]*series
}

func (f *fragment) add(m schema.Metric, timeNs, valueNs int64) {
	if f.series[m] == nil {
		f.series[m] = new(series)
	}
	f.series[m].add(timeNs, valueNs)
}

// spans are those in which a component or a service fragment is up, disjoint and in time order.
type spans struct{ from, to []int64 }

// NewBuilder returns a builder for executions and messages with these names.
func NewBuilder(names *schema.Names) *Builder {
	return &Builder{names: names, pending: make(map[pendingKey][]int64)}
}

// AddExecutions takes the next executions.
func (b *Builder) AddExecutions(ex *schema.Executions) {
	for len(b.fragments) < b.names.Fragments.Len() {
		b.fragments = append(b.fragments, fragment{})
	}
	for len(b.components) < b.names.Components.Len() {
		b.components = append(b.components, spans{})
	}
	for len(b.types) < b.names.Types.Len() {
		b.types = append(b.types, typeRoles[b.names.Types.Name(schema.Code(len(b.types)))])
	}
	for i, role := range ex.Role {
		f := &b.fragments[ex.Fragment[i]]
		f.component = ex.Component[i]
		if ex.Depth[i] == 0 {
			f.addRoot(ex.StartNs[i], ex.FinishNs[i])
			b.components[f.component].add(ex.StartNs[i], ex.FinishNs[i])
		}
		if role != schema.Internal || ex.Type[i] != schema.NoCode {
			b.addCommunication(f, ex, i)
		}
	}
}

// addRoot takes the root execution of an occurrence.
func (f *fragment) addRoot(start, finish int64) {
	f.add(schema.Runtime, start, finish-start)
	f.active.add(start, finish)
}

// add adds a root execution, which joins the spans that it overlaps.
func (s *spans) add(from, to int64) {
	last := len(s.to) - 1
	for ; last >= 0 && from < s.to[last]; last-- {
		from, to = min(from, s.from[last]), max(to, s.to[last])
	}
	s.from, s.to = append(s.from[:last+1], from), append(s.to[:last+1], to)
}

// gaps are the spans in between.
func (s *spans) gaps() *series {
	between := new(series)
	for i := 1; i < len(s.from); i++ {
		between.add(s.to[i-1], s.from[i]-s.to[i-1])
	}
	return between
}

// Metrics returns all metrics, sorted by component, fragment, metric and time.
func (b *Builder) Metrics() *schema.Metrics {
	out := schema.NewMetrics(b.names)
	for _, c := range b.names.Components.Sorted() {
		if int(c) < len(b.components) { // others are named by messages only
			b.appendComponent(out, c)
		}
	}
	return out
}

func (b *Builder) appendComponent(out *schema.Metrics, c schema.Code) {
	up, active := new(series), &b.components[c]
	for i, from := range active.from {
		up.add(from, active.to[i]-from)
	}
	appendSeries(out, c, schema.NoCode, schema.ComponentUp, up)
	appendSeries(out, c, schema.NoCode, schema.ComponentDown, active.gaps())
	for _, f := range b.fragmentsOf(c) {
		fragment := &b.fragments[f]
		fragment.series[schema.Downtime] = fragment.active.gaps()
		for m, s := range fragment.series {
			if s != nil {
				s.sort()
				appendSeries(out, c, f, schema.Metric(m), s)
			}
		}
	}
}

// fragmentsOf lists the fragments of a component by name.
func (b *Builder) fragmentsOf(c schema.Code) (codes []schema.Code) {
	for f := range b.fragments {
		if b.fragments[f].component == c {
			codes = append(codes, schema.Code(f))
		}
	}
	slices.SortFunc(codes, func(x, y schema.Code) int {
		return cmp.Compare(b.names.Fragments.Name(x), b.names.Fragments.Name(y))
	})
	return codes
}

// sort brings samples into time order; where executions nest or overlap they came in that of their finish.
func (s *series) sort() {
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
		sorted.add(s.timeNs[i], s.valueNs[i])
	}
	*s = sorted
}

func appendSeries(out *schema.Metrics, c, f schema.Code, m schema.Metric, s *series) {
	for i := range s.timeNs {
		out.Component = append(out.Component, c)
		out.Fragment = append(out.Fragment, f)
		out.Metric = append(out.Metric, m)
		out.Occurrence = append(out.Occurrence, int64(i))
	}
	out.TimeNs = append(out.TimeNs, s.timeNs...)
	out.ValueNs = append(out.ValueNs, s.valueNs...)
}
