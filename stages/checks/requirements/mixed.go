package requirements

import (
	"math"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/stl"
)

// Signals are the signals of a run: their times are in ns since OriginNs, so that they are exact as floating-point numbers.
type Signals struct {
	OriginNs int64
	Of       stl.Signals // by position in the specification
}

// perSecond is the unit of time of derivatives, in ns.
const perSecond = 1e9

// hasSignal and hasAtom report whether a formula compares signals, and whether it asks for states.
func hasSignal(f *spec.Formula) bool { return has(f, spec.Compare) }
func hasAtom(f *spec.Formula) bool   { return has(f, spec.Atom) }

func has(f *spec.Formula, op spec.Op) bool {
	if f.Op == op {
		return true
	}
	for _, a := range f.Args {
		if has(a, op) {
			return true
		}
	}
	return false
}

// mixed judges formulas with signals.
//
// A formula of signals only is asked at the start of its domain (Definition 18). In one with states the greatest parts of signals
// only that globally or finally heads are dense time, and every other comparison is exact; they are asked at states (Definition
// 19), which are those within the domains of all parts. An until between states is one of states, whatever its parts are: TRACE4CPS
// has no other, and the verdicts that ours were checked against are such. Both kinds of formulas are two-valued.
type mixed struct {
	signals *Signals
	parts   map[*spec.Formula]*part
	from    float64 // the instants that all parts have
	to      float64

	// Of states with those between events.
	instants []float64 // when each is asked, in ns since the origin of signals; nil: at its time
	amid     []bool    // no part breaks or changes its truth at it: what it says there, it has said since the state before it
}

// part is a greatest part of signals only.
type part struct {
	compare      *spec.Formula // a comparison, which is exact; nil for a formula with a robustness
	plain, moved *stl.Signal   // the robustness, and that with moved thresholds; the signal where it is compared
	bits         []uint64      // the truth at each state
}

// holds reports whether the part holds at an instant, and whether only the comparisons at the threshold told.
func (p *part) holds(t float64) (holds, threshold bool) {
	if p.compare != nil {
		return p.compare.Relation.Holds(p.plain.At(t), p.compare.Threshold), false
	}
	return stl.Holds(p.plain, p.moved, t)
}

// judgeSignals judges a formula that has a signal. between is the tuple of states between events, where these are asked, too.
func judgeSignals(tape *mtl.Tape, f *spec.Formula, leaves mtl.Leaves, signals *Signals, between *uint32, keep mtl.Keep) Outcome {
	o := Outcome{Formula: f, BoundNs: boundNs(f), Robustness: math.NaN(), LargestGapNs: schema.NoValue}
	o.Triggers, o.MarginNs, o.Tightest = schema.NoValue, schema.NoValue, schema.NoValue
	if !hasAtom(f) {
		plain := stl.Robustness(f, signals.Of, 0, perSecond)
		if plain == nil {
			return o
		}
		o.Finite, o.Threshold = stl.Holds(plain, stl.Robustness(f, signals.Of, stl.Moved, perSecond), plain.Start())
		if o.Robustness, o.Verdict = plain.At(plain.Start())+0, mtl.Bad; o.Finite { // no -0
			o.Verdict = mtl.Good
		}
		return o
	}
	m := newMixed(f, signals)
	if m == nil {
		return o
	}
	states := m.states(tape, between)
	o.Threshold = m.sample(states)
	o.LargestGapNs = largestGap(states)
	o.Judgement = mtl.Judge(states, f, m.leaves(leaves), true, keep)
	if between != nil { // states of the run have other numbers on its tape
		o.tape = states
		return o
	}
	// States are counted on the whole tape again.
	first := tape.From(m.firstNs())
	for i := range o.Judgement.Failing {
		o.Judgement.Failing[i].State += first
	}
	if o.Tightest != schema.NoValue {
		o.Tightest += first
	}
	return o
}

// newMixed finds the parts of a formula with signals and states; nil where one has no domain.
func newMixed(f *spec.Formula, signals *Signals) *mixed {
	m := &mixed{signals: signals, parts: make(map[*spec.Formula]*part), from: math.Inf(-1), to: math.Inf(1)}
	if !m.collect(f) {
		return nil
	}
	return m
}

// leaves are those of atoms, and the parts that were sampled.
func (m *mixed) leaves(atoms mtl.Leaves) mtl.Leaves {
	return func(f *spec.Formula) *mtl.Leaf {
		if p := m.parts[f]; p != nil {
			return &mtl.Leaf{Bits: p.bits}
		}
		return atoms(f)
	}
}

// collect finds the greatest parts; false where one has no domain.
func (m *mixed) collect(f *spec.Formula) bool {
	if m.parts[f] != nil || !hasSignal(f) {
		return true
	}
	p := &part{}
	switch {
	case f.Op == spec.Compare:
		p.compare, p.plain = f, m.signals.Of(f.Signal)
		if f.Slope && p.plain != nil {
			p.plain = p.plain.Slope(perSecond)
		}
	case f.Temporal() && !hasAtom(f) && !has(f, spec.Until):
		p.plain, p.moved = stl.Robustness(f, m.signals.Of, 0, perSecond), stl.Robustness(f, m.signals.Of, stl.Moved, perSecond)
	default:
		for _, a := range f.Args {
			if !m.collect(a) {
				return false
			}
		}
		return true
	}
	if p.plain == nil {
		return false
	}
	m.parts[f] = p
	m.from, m.to = max(m.from, p.plain.Start()), min(m.to, p.plain.End())
	return true
}

// firstNs is the first whole ns of the domain.
func (m *mixed) firstNs() int64 { return m.signals.OriginNs + int64(math.Ceil(m.from)) }

// states are the states within the domain. With a tuple for states between events, these are added: at every instant at which a part
// breaks or changes its truth, and once between each two of them, so that the parts hold at no instant what they hold at no state.
func (m *mixed) states(tape *mtl.Tape, between *uint32) *mtl.Tape {
	if between != nil {
		return m.allStates(tape, *between)
	}
	within := new(mtl.Tape)
	if m.from <= m.to && tape.States() > 0 {
		for i := tape.From(m.firstNs()); i < tape.States() && float64(tape.TimeNs(i)-m.signals.OriginNs) <= m.to; i++ {
			within.Append(tape.TimeNs(i), tape.Seq(i), tape.Tuple(i))
		}
	}
	within.Close()
	return within
}

// sample asks every part at every state, and reports whether only comparisons at the threshold told somewhere.
func (m *mixed) sample(states *mtl.Tape) (threshold bool) {
	for _, p := range m.parts {
		p.bits = make([]uint64, (states.States()+63)/64)
		for i := range states.States() {
			holds, only := p.holds(m.instant(states, i))
			if threshold = threshold || only; holds {
				p.bits[i/64] |= 1 << (i % 64)
			}
		}
	}
	return threshold
}

// largestGap is the longest time between two states: what a signal does in between is not seen.
func largestGap(states *mtl.Tape) int64 {
	gap := schema.NoValue
	for i := int64(1); i < states.States(); i++ {
		gap = max(gap, states.TimeNs(i)-states.TimeNs(i-1))
	}
	return gap
}
