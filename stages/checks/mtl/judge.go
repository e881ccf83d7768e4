package mtl

import (
	"math"
	"math/bits"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
)

// Verdict is what a run says of a check, from the worst to the best.
type Verdict uint8

const (
	Undefined  Verdict = iota // there is no state to ask
	Bad                       // it does not hold, however the run goes on
	StillFalse                // it does not hold yet
	StillTrue                 // it holds so far
	Good                      // it holds, however the run goes on
)

// Judgement is what a run says of a formula.
type Judgement struct {
	Verdict  Verdict
	Finite   bool  // the truth on the run as it is
	States   int64 // that the formula was asked over
	Triggers int64 // states at which the A of "globally if A then F" holds; schema.NoValue for other formulas
	Failures int64 // states that break it for good: of the part of a globally, else the first state
	Open     int64 // triggers whose answer the run does not have yet
	// MarginNs is the smallest distance of an answer to its bound: negative where it came outside of it, schema.NoValue
	// where the formula has no such bound or nothing was asked.
	MarginNs int64
	Tightest int64     // the state whose answer has this margin, by its number on the tape; schema.NoValue where there is none
	Failing  []Failure // the first failures, at most as many as were asked for
	Delays   []int64   // in ns: how long each trigger waited for its answer, in time or not, if they were asked for
}

// Keep says what a judgement keeps beside its counts.
type Keep struct {
	Failing int  // failures
	Among   int  // failures of a check, which the values of its foralls share: as many more than Failing as that gives each
	Delays  bool // of all triggers that were answered: 8 bytes each
}

// Vacuous reports whether the formula holds only because nothing was ever asked.
func (j *Judgement) Vacuous() bool { return j.Triggers == 0 }

// Failure is a state that breaks a check.
type Failure struct {
	State   int64 // its number on the tape, from 0
	DelayNs int64 // until the answer came; schema.NoValue where none came, or where the formula has no bound
	// ExcessNs is how far outside of the bound the answer was; where none came, at least so much. schema.NoValue as above.
	ExcessNs int64
}

// Judge evaluates a formula that is asked at the first state. twoValued takes the run as it is.
//
// Of "globally F" F is asked at every state. Its three modes differ only where F looks beyond the end of the run, so that the
// states before are evaluated once.
func Judge(t *Tape, f *spec.Formula, leaves Leaves, twoValued bool, keep Keep) Judgement {
	j := Judgement{States: t.states + t.left, Triggers: schema.NoValue, MarginNs: schema.NoValue, Tightest: schema.NoValue}
	if j.States == 0 {
		return j
	}
	r := &run{t, leaves}
	if f.Op == spec.Globally && f.Within == nil && leaves(f) == nil {
		p := r.newPass(f.Args[0], twoValued, keep, &j)
		p.all()
		j.conclude(false, j.Failures == 0, twoValued)
		return j
	}
	j.Finite = r.at(f, Finite, 0)
	strong, weak := j.Finite, j.Finite
	if !twoValued {
		strong, weak = r.at(f, Strong, 0), r.at(f, Weak, 0)
	}
	if !weak {
		j.Failures = 1
		j.Failing = append(j.Failing, Failure{0, schema.NoValue, schema.NoValue})
	}
	j.conclude(strong, weak, twoValued)
	return j
}

// conclude makes a verdict of the truths at the first state.
func (j *Judgement) conclude(strong, weak, twoValued bool) {
	switch {
	case !weak || twoValued && !j.Finite:
		j.Verdict = Bad
	case strong || twoValued:
		j.Verdict = Good
	case j.Finite:
		j.Verdict = StillTrue
	default:
		j.Verdict = StillFalse
	}
}

// pass asks the part of a globally at every state.
type pass struct {
	*run
	j            *Judgement
	keep         Keep
	trigger      stream // nil: the part is no implication
	finite       stream
	strong, weak stream // begin at tail
	tail         int64  // the first block in which the modes may differ; beyond the last one where they never do
	answer       *answer
	body         *spec.Formula
}

// newPass prepares a pass, which adds to j.
func (r *run) newPass(body *spec.Formula, twoValued bool, keep Keep, j *Judgement) *pass {
	p := &pass{run: r, j: j, keep: keep, body: body, finite: r.build(body, Finite, 0), tail: math.MaxInt64}
	if !twoValued {
		p.tail = 0
		if h := horizon(body); h != spec.Unbounded {
			p.tail = r.tape.From(r.tape.lastNs-h) >> blockBits
		}
	}
	if body.Op == spec.If && r.leaves(body) == nil {
		j.Triggers = 0
		p.trigger = r.build(body.Args[0], Finite, 0)
		p.answer = r.newAnswer(body.Args[1])
	}
	return p
}

// all goes through the states.
func (p *pass) all() {
	p.j.Finite = true
	var trigger, finite, strong, weak truth
	for b := range int64(len(p.tape.blocks)) {
		p.finite.next(&finite)
		if p.trigger != nil {
			p.trigger.next(&trigger)
		}
		if b == p.tail {
			p.strong, p.weak = p.build(p.body, Strong, b), p.build(p.body, Weak, b)
		}
		if b >= p.tail {
			p.strong.next(&strong)
			p.weak.next(&weak)
		} else {
			strong, weak = finite, finite
		}
		p.block(b, &trigger, &finite, &strong, &weak)
	}
}

// block counts what a block has.
func (p *pass) block(b int64, trigger, finite, strong, weak *truth) {
	first := b << blockBits
	for w := range finite {
		from := first + int64(w*64)
		if from >= p.tape.states {
			return
		}
		there := ^uint64(0)
		if left := p.tape.states - from; left < 64 {
			there = 1<<left - 1
		}
		if p.trigger != nil {
			asked := trigger[w] & there
			p.j.Triggers += int64(bits.OnesCount64(asked))
			p.j.Open += int64(bits.OnesCount64(asked & weak[w] &^ strong[w]))
			if p.answer != nil {
				for ; asked != 0; asked &= asked - 1 {
					p.measure(from+int64(bits.TrailingZeros64(asked)), weak[w]>>bits.TrailingZeros64(asked)&1 == 0)
				}
			}
		}
		p.j.Finite = p.j.Finite && ^finite[w]&there == 0
		failed := ^weak[w] & there
		p.j.Failures += int64(bits.OnesCount64(failed))
		if p.answer == nil {
			for ; failed != 0 && len(p.j.Failing) < p.keep.Failing; failed &= failed - 1 {
				p.j.Failing = append(p.j.Failing, Failure{from + int64(bits.TrailingZeros64(failed)), schema.NoValue, schema.NoValue})
			}
		}
	}
}

// answer measures how long triggers wait: of "within I B" until the first B that is not before I, of "not within I B" also.
type answer struct {
	within *spec.Interval
	never  bool // it must not come within the interval
	seek   *until
}

// newAnswer returns what measures the answers of a formula, or nil if it has no bound.
func (r *run) newAnswer(f *spec.Formula) *answer {
	a := &answer{}
	if f.Op == spec.Not && r.leaves(f) == nil {
		a.never, f = true, f.Args[0]
	}
	if r.leaves(f) != nil || f.Op != spec.Finally || f.Within == nil || f.Within.ToNs == spec.Unbounded {
		return nil
	}
	a.within = f.Within
	a.seek = newUntil(r.tape, f.Within, false, newScanner(r.build(f.Args[0], Finite, 0), false, 0, r.tape.states), nil, 0)
	return a
}

// measure takes the margin of a trigger, and keeps it if it failed.
func (p *pass) measure(state int64, failed bool) {
	timeNs := p.tape.TimeNs(state)
	s := p.answer.seek
	s.seek(state, timeNs)
	delay, waited := schema.NoValue, p.tape.lastNs-timeNs
	if s.n < p.tape.states {
		delay = s.nNs - timeNs
		waited = delay
		if p.keep.Delays {
			p.j.Delays = append(p.j.Delays, delay)
		}
	}
	margin := s.toNs - waited
	if p.answer.never {
		margin = -margin - 1 // the bound itself is still within
	}
	// An answer that may still come has no margin, and one that must not come has none until it does.
	if delay != schema.NoValue || failed && !p.answer.never {
		if p.j.MarginNs == schema.NoValue || margin < p.j.MarginNs {
			p.j.MarginNs, p.j.Tightest = margin, state
		}
	}
	if failed && len(p.j.Failing) < p.keep.Failing {
		p.j.Failing = append(p.j.Failing, Failure{state, delay, -margin})
	}
}
