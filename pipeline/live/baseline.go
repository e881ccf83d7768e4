package live

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/timing/controlchart"
	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// Baseline is what a stored run did, by the names of its components and functions, for what runs now to be compared with. It does not change.
type Baseline struct {
	Run        string
	lengthNs   int64
	components map[string]hotness.Load
	functions  map[Named]*times
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

// ReadBaseline reads a run of the lake as a baseline, from its events. Its memory is that of names, however long the run is.
func ReadBaseline(ctx context.Context, l *lake.Lake, run string) (*Baseline, error) {
	k, err := LookStored(ctx, l, run)
	if err != nil {
		return nil, err
	}
	b, err := baselineOf(k, run)
	return b, errors.Join(err, k.Close())
}

// baselineOf reads all that a look has.
func baselineOf(k *Look, run string) (*Baseline, error) {
	b := &Baseline{Run: run, components: make(map[string]hotness.Load), functions: make(map[Named]*times)}
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
	m, err := c.To(1<<63 - 1)
	if err != nil {
		return nil, err
	}
	b.lengthNs = m.TimeNs - k.firstNs
	components, _, keys := k.Names()
	for i, load := range hotness.Window(nil, m.SumsAt(m.TimeNs)) {
		b.components[components[i]] = load
	}
	for key, t := range byKey {
		if t.raw.Count() > 0 {
			b.functions[Named{components[keys[key].Component], keys[key].Name}] = t
		}
	}
	return b, nil
}

// side is the baseline with the numbers that components have in another view.
func (b *Baseline) side(components []string) hotness.Side {
	loads := make([]hotness.Load, len(components))
	for i, name := range components {
		loads[i] = b.components[name]
	}
	return hotness.Side{Loads: loads, LengthNs: b.lengthNs}
}

// missing are the components of the baseline that another view does not have.
func (b *Baseline) missing(components []string) []string {
	own := maps.Clone(b.components)
	for _, name := range components {
		delete(own, name)
	}
	return slices.Sorted(maps.Keys(own))
}
