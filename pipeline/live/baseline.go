package live

import (
	"context"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/timing/controlchart"
	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// Baseline is what a stored run did, by the names of its components and functions, for what runs now to be compared with. It does not change,
// but for what pages found to strike beside it.
type Baseline struct {
	Run        string
	lengthNs   int64
	stepNs     float64 // between the nodes of courses
	components map[string]*component
	functions  map[Named]*times
	paths      wholePaths
	strikes    strikes
}

// component is what a component did in all of the baseline, and how that grew.
type component struct {
	load   hotness.Load
	course course
}

// Named is a function by its names.
type Named struct{ Component, Function string }

// times are those of all calls of a function in the baseline, in the order of their ends.
type times struct{ raw, own controlchart.Baseline }

// of returns the real times, or the raw ones.
func (t *times) of(real bool) *controlchart.Baseline {
	if real {
		return &t.own
	}
	return &t.raw
}

// ReadBaseline reads a run of the lake as a baseline, from its events and the sums of its critical paths. Its memory is that of names, however long
// the run is.
func ReadBaseline(ctx context.Context, l *lake.Lake, run string) (*Baseline, error) {
	k, err := LookStored(ctx, l, run)
	if err != nil {
		return nil, err
	}
	b, err := baselineOf(k, run)
	if err = errors.Join(err, k.Close()); err == nil {
		b.paths, err = readWholePaths(ctx, l, run)
	}
	return b, err
}

// baselineOf reads all that a look has.
func baselineOf(k *Look, run string) (*Baseline, error) {
	b := &Baseline{Run: run, components: make(map[string]*component), functions: make(map[Named]*times)}
	c := k.Cursor()
	if _, err := c.To(-1 << 63); err != nil { // the beginning
		return nil, err
	}
	var byKey []*times
	c.Each = func(m *hotness.Machine, r hotness.Row) {
		call, is := m.Ended(r)
		if !is {
			return
		}
		for len(byKey) <= int(call.Key) {
			byKey = append(byKey, new(times))
		}
		byKey[call.Key].raw.Add(call.DurationNs)
		byKey[call.Key].own.Add(call.OwnNs)
	}
	components, sums, err := b.walk(c)
	if err != nil {
		return nil, err
	}
	for i, load := range hotness.Window(nil, sums) {
		b.components[components[i]].load = load
	}
	_, _, keys := k.Names()
	for key, t := range byKey {
		if t.raw.Count() > 0 {
			b.functions[Named{components[keys[key].Component], keys[key].Name}] = t
		}
	}
	return b, nil
}

// walk moves a cursor from the beginning to the end, and takes the sums on the way.
func (b *Baseline) walk(c *Cursor) (components []string, sums []hotness.Sum, err error) {
	e := c.look.Extent(time.Now())
	b.lengthNs = e.LastNs - e.FirstNs
	b.stepNs = float64(b.lengthNs) / coursesOf
	for n, at := range stepTimes(e.FirstNs, b.lengthNs) {
		m, err := c.To(at)
		if err != nil {
			return nil, nil, err
		}
		sums = m.SumsAt(at)
		components, _, _ = c.look.Names()
		for i, s := range sums {
			of, known := b.components[components[i]]
			if !known {
				of = &component{course: course{make([]node, n, coursesOf+1)}} // it had done nothing before
				b.components[components[i]] = of
			}
			of.course.add(s, b.stepNs)
		}
	}
	return components, sums, nil
}

// missing are the components of the baseline that another view does not have.
func (b *Baseline) missing(components []string) []string {
	own := maps.Clone(b.components)
	for _, name := range components {
		delete(own, name)
	}
	return slices.Sorted(maps.Keys(own))
}
