package requirements

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Between makes checks of signals and states look between events, too: at every instant at which a signal breaks or crosses what it
// is compared with, and once between each two such instants, so that nothing hides there. No atom holds at such a state, which has the
// number of the event before it. It is called before the first check is judged.
func (s *States) Between() {
	none := tuple{
		component: schema.NoCode, lifeline: schema.NoCode, function: schema.NoCode, message: schema.NoCode, series: schema.NoCode,
		peer: schema.NoCode, executionType: schema.NoCode, messageID: schema.NoValue, set: noSet, kind: schema.Regular, direction: schema.NoMessage,
	}
	number := uint32(len(s.tuples))
	s.tuples = append(s.tuples, none)
	s.between = &number
}

// instant is when a state is asked, in ns since the origin of signals.
func (m *mixed) instant(states *mtl.Tape, state int64) float64 {
	if m.instants != nil {
		return m.instants[state]
	}
	return float64(states.TimeNs(state) - m.signals.OriginNs)
}

// allStates are the states within the domain and those between, in the order of time. The time of one between events is the whole
// nanosecond before it.
func (m *mixed) allStates(tape *mtl.Tape, between uint32) *mtl.Tape {
	all := new(mtl.Tape)
	m.instants = make([]float64, 0)
	if m.from > m.to || tape.States() == 0 {
		all.Close()
		return all
	}
	asked, changes := m.asked()
	first := tape.From(m.firstNs())
	seq := tape.Seq(max(first-1, 0))
	add := func(at float64, timeNs int64, tuple uint32) {
		all.Append(timeNs, seq, tuple)
		m.instants = append(m.instants, at)
		for len(changes) > 0 && changes[0] < at {
			changes = changes[1:]
		}
		m.amid = append(m.amid, len(changes) == 0 || changes[0] != at)
	}
	for i := first; ; i++ {
		at := m.to
		there := i < tape.States() && float64(tape.TimeNs(i)-m.signals.OriginNs) <= m.to
		if there {
			at = float64(tape.TimeNs(i) - m.signals.OriginNs)
		}
		for ; len(asked) > 0 && (asked[0] < at || !there); asked = asked[1:] {
			add(asked[0], m.signals.OriginNs+int64(math.Floor(asked[0])), between)
		}
		if !there {
			break
		}
		if len(asked) > 0 && asked[0] == at { // the event is there to ask
			asked = asked[1:]
		}
		seq = tape.Seq(i)
		add(at, tape.TimeNs(i), tape.Tuple(i))
	}
	all.Close()
	return all
}

// asked are the instants within the domain at which a part breaks or changes its truth, and one between each two, in their order. changes
// are those without the ones between.
func (m *mixed) asked() (all, changes []float64) {
	all = append(all, m.from, m.to)
	for _, p := range m.parts {
		threshold := 0.0
		if p.compare != nil {
			threshold = p.compare.Threshold
		}
		all = p.plain.Crossings(all, threshold, m.from, m.to)
	}
	slices.Sort(all)
	all = slices.Compact(all)
	changes = slices.Clone(all)
	for i := len(all) - 1; i > 0; i-- {
		all = append(all, all[i-1]+(all[i]-all[i-1])/2)
	}
	slices.Sort(all)
	return slices.Compact(all), changes
}

// momentary reports whether the truth of a formula at a state depends on nothing but that state.
func (m *mixed) momentary(f *spec.Formula) bool {
	if m.parts[f] != nil {
		return true
	}
	return !f.Temporal() && !slices.ContainsFunc(f.Args, func(a *spec.Formula) bool { return !m.momentary(a) })
}
