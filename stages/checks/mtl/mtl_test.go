package mtl

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/testdata/expect"
)

// letters are the attributes of random states: state s has letter i iff bit i of its tuple is set.
const letters = "pqr"

func holds(f *spec.Formula, tuple uint32) bool {
	for _, p := range f.Filter.Pairs {
		if tuple>>strings.Index(letters, p.Value)&1 == 0 {
			return false
		}
	}
	return true
}

// byLetter gives the leaf of an atom over letters.
func byLetter(f *spec.Formula) *Leaf {
	if f.Op != spec.Atom {
		return nil
	}
	l := &Leaf{Holds: make([]bool, 1<<len(letters))}
	for tuple := range l.Holds {
		l.Holds[tuple] = holds(f, uint32(tuple))
	}
	return l
}

// write writes a random formula; sparse ones have atoms that seldom hold.
func write(r *rand.Rand, depth int) string {
	letter := func() string { return fmt.Sprintf("{n=%c}", letters[r.IntN(len(letters))]) }
	if depth == 0 {
		return [...]string{letter(), letter(), letter(), "true", "{n=p, m=q}"}[r.IntN(5)]
	}
	bound := func() string {
		a, n := r.IntN(12), r.IntN(20)
		open, shut := "[("[r.IntN(2)], "])"[r.IntN(2)]
		if r.IntN(4) == 0 {
			return fmt.Sprintf("%c%d, inf) ns", open, a)
		}
		return fmt.Sprintf("%c%d, %d%c ns", open, a, a+n+2, shut)
	}
	part := func() string { return write(r, depth-1) }
	switch r.IntN(9) {
	case 0:
		return "not " + part()
	case 1:
		return "(" + part() + " and " + part() + " and " + letter() + ")"
	case 2:
		return "(" + part() + " or " + part() + ")"
	case 3:
		return "if " + part() + " then " + part()
	case 4:
		return "globally " + part()
	case 5:
		return "during " + bound() + " " + part()
	case 6:
		return "within " + bound() + " " + part()
	case 7:
		return "until " + part() + " we have that " + part()
	}
	return "until " + part() + " within " + bound() + " we have that " + part()
}

// random returns a random tape of some length, with ties.
func random(r *rand.Rand, states int) *Tape {
	t, now := new(Tape), r.Int64N(100)-50
	rare := r.IntN(3) == 0
	for i := range states {
		now += max(0, r.Int64N(8)-3)
		tuple := r.Uint32N(1 << len(letters))
		if rare && r.IntN(40) > 0 {
			tuple = 0
		}
		t.Append(now, int64(i)+10, tuple)
	}
	t.Close()
	return t
}

func parse(t *testing.T, text string) *spec.Formula {
	t.Helper()
	s := expect.Value(spec.Parse("f", "check c : "+text))(t)
	return expect.Value(s.Instances(&s.Checks[0], nil))(t)[0].Formula
}

// TestOracle sees that streams agree with the definitions as loops, in all three modes at every state, on thousands of formulas
// and runs with ties, empty ones and such of one state.
func TestOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 4))
	for range 10000 {
		text := write(r, r.IntN(4))
		compare(t, r, text, random(r, r.IntN(14)))
	}
	// Long enough for several words, and blocks whose ends are in a window.
	for range 40 {
		compare(t, r, write(r, 1+r.IntN(2)), random(r, 60+r.IntN(140)))
	}
}

// compare compares the truths and the judgement of a formula with the oracle's.
func compare(t *testing.T, r *rand.Rand, text string, tape *Tape) {
	t.Helper()
	f := parse(t, text)
	o := &oracle{holds: func(f *spec.Formula, i int) bool { return holds(f, tape.Tuple(int64(i))) }}
	for i := range tape.States() {
		o.timeNs = append(o.timeNs, tape.TimeNs(i))
	}
	for m := Finite; m <= Weak; m++ {
		truthAt(tape, f, byLetter, m, func(i int64, got bool) {
			if want := o.at(f, m, int(i)); got != want {
				t.Fatalf("%s, mode %d, state %d of %v: %v, the definition says %v", text, m, i, o.timeNs, got, want)
			}
		})
	}
	j := Judge(tape, f, byLetter, false, Keep{Failing: 1000})
	if len(o.timeNs) == 0 {
		expect.Equal(t, j.Verdict, Undefined, "verdict of no states")
		return
	}
	want := StillFalse
	switch {
	case o.at(f, Strong, 0):
		want = Good
	case !o.at(f, Weak, 0):
		want = Bad
	case o.at(f, Finite, 0):
		want = StillTrue
	}
	expect.Equal(t, j.Verdict, want, "verdict of %s over %v", text, o.timeNs)
	two := Judge(tape, f, byLetter, true, Keep{Failing: 0})
	expect.Equal(t, two.Verdict == Good, o.at(f, Finite, 0), "two-valued verdict of %s", text)
	o.counts(t, text, f, j)
}

// counts compares triggers, failures and what is open with the definitions.
func (o *oracle) counts(t *testing.T, text string, f *spec.Formula, j Judgement) {
	t.Helper()
	if f.Op != spec.Globally || f.Within != nil {
		return
	}
	triggers, open := int64(0), int64(0)
	var failing []int64
	body := f.Args[0]
	for i := range o.timeNs {
		if !o.at(body, Weak, i) {
			failing = append(failing, int64(i))
		}
		if body.Op == spec.If && o.at(body.Args[0], Finite, i) {
			triggers++
			if o.at(body, Weak, i) && !o.at(body, Strong, i) {
				open++
			}
		}
	}
	expect.Equal(t, j.Failures, int64(len(failing)), "failures of %s", text)
	if body.Op == spec.If {
		expect.Equal(t, j.Triggers, triggers, "triggers of %s", text)
		expect.Equal(t, j.Open, open, "open triggers of %s over %v", text, o.timeNs)
	}
	for i, one := range j.Failing {
		expect.Equal(t, one.State, failing[i], "failing state %d of %s", i, text)
	}
}

// TestPrefixes sees that GOOD and BAD stay when a run goes on.
func TestPrefixes(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 5))
	for range 300 {
		text := write(r, 1+r.IntN(3))
		f, whole := parse(t, text), random(r, 20)
		settled := Undefined
		for n := int64(1); n <= whole.States(); n++ {
			prefix := new(Tape)
			for i := range n {
				prefix.Append(whole.TimeNs(i), whole.Seq(i), whole.Tuple(i))
			}
			prefix.Close()
			v := Judge(prefix, f, byLetter, false, Keep{Failing: 0}).Verdict
			if settled != Undefined && v != settled {
				t.Fatalf("%s: %d after %d at state %d", text, v, settled, n)
			}
			if v == Good || v == Bad {
				settled = v
			}
		}
	}
}

// TestByHand sees the values of annex D: p at 0 and 40, q at 60, and the run ends at 100.
func TestByHand(t *testing.T) {
	const p, q, end = 1, 2, 0
	f := parse(t, "globally if {n=p} then within [0, 50] ns {n=q}")
	for _, c := range []struct {
		states  [][2]int64
		verdict Verdict
		margin  int64
		open    int64
		failing []Failure
	}{
		{[][2]int64{{0, p}, {40, p}, {60, q}, {100, end}}, Bad, -10, 0, []Failure{{0, 60, 10}}},
		{[][2]int64{{40, p}, {60, q}, {100, end}}, StillTrue, 30, 0, nil},
		{[][2]int64{{40, p}, {60, q}, {90, p}, {100, end}}, StillFalse, 30, 1, nil},
		{[][2]int64{{40, p}, {100, end}}, Bad, -10, 0, []Failure{{0, schema.NoValue, 10}}},
		{[][2]int64{{60, q}, {100, end}}, StillTrue, schema.NoValue, 0, nil},
	} {
		tape := new(Tape)
		for i, s := range c.states {
			tape.Append(s[0], int64(i), uint32(s[1]))
		}
		tape.Close()
		j := Judge(tape, f, byLetter, false, Keep{Failing: 10})
		expect.Equal(t, j.Verdict, c.verdict, "verdict of %v", c.states)
		expect.Equal(t, j.MarginNs, c.margin, "margin of %v", c.states)
		expect.Equal(t, j.Open, c.open, "open of %v", c.states)
		expect.Slice(t, j.Failing, c.failing, "failing states of %v", c.states)
	}
}

// TestTape sees that narrow and wide columns keep every state, also where times are far apart, and tuples many.
func TestTape(t *testing.T) {
	for _, step := range []int64{1, 5e9} {
		tape := new(Tape)
		for i := range int64(3*blockStates + 5) {
			tape.Append(-7+i*step, i+i/100, uint32(i*30))
		}
		tape.Close()
		for i := range tape.States() {
			if tape.TimeNs(i) != -7+i*step || tape.Seq(i) != i+i/100 || tape.Tuple(i) != uint32(i*30) {
				t.Fatalf("state %d: %d, %d, %d", i, tape.TimeNs(i), tape.Seq(i), tape.Tuple(i))
			}
		}
		expect.Equal(t, tape.From(-7+step*5000), 5000, "first state at a time")
	}
}

// TestBlocks sees that answers in another block are found, and that the tail of the run, where modes differ, may begin anywhere.
func TestBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 6))
	for _, text := range []string{
		"globally if {n=p} then within [10000, 30000] ns {n=q}", "globally if {n=q} then not within [1, 90000] ns {n=q}",
		"globally (if {n=p} then until not {n=r} within (5, 70000] ns we have that {n=q} or {n=r})", "globally if {n=p} then finally {n=q}",
	} {
		f := parse(t, text)
		tape, now := new(Tape), int64(0)
		for i := range int64(3*blockStates + 77) {
			now += r.Int64N(20)
			tuple := uint32(0)
			if r.IntN(700) == 0 {
				tuple = 1 << r.IntN(3)
			}
			tape.Append(now, i, tuple)
		}
		tape.Close()
		j := Judge(tape, f, byLetter, false, Keep{Failing: 1 << 20})
		// Every mode at every state must give the same counts as the pass that takes the tail alone.
		body, failures, open := f.Args[0], int64(0), int64(0)
		truths := make([][]bool, 3)
		for m := Finite; m <= Weak; m++ {
			truthAt(tape, body, byLetter, m, func(_ int64, holds bool) { truths[m] = append(truths[m], holds) })
		}
		finite := true
		for i := range truths[Weak] {
			if !truths[Weak][i] {
				failures++
			} else if !truths[Strong][i] {
				open++
			}
			finite = finite && truths[Finite][i]
		}
		expect.Equal(t, j.Failures, failures, "failures of %s", text)
		expect.Equal(t, j.Finite, finite, "finite truth of %s", text)
		if body.Op == spec.If {
			expect.Equal(t, j.Open, open, "open triggers of %s", text)
		}
		expect.Equal(t, int64(len(j.Failing)), failures, "failing states of %s", text)
	}
}

// BenchmarkResponse is one response over a million states in memory.
func BenchmarkResponse(b *testing.B) {
	r := rand.New(rand.NewPCG(15, 7))
	s, _ := spec.Parse("f", "check c : globally if {n=p} then within 50 us {n=q}")
	all, _ := s.Instances(&s.Checks[0], nil)
	tape, now := new(Tape), int64(0)
	for i := range int64(1e6) {
		now += r.Int64N(2000)
		tape.Append(now, i, r.Uint32N(100)/97)
	}
	tape.Close()
	for b.Loop() {
		Judge(tape, all[0].Formula, byLetter, false, Keep{Failing: 10})
	}
	b.ReportMetric(1e6*float64(b.N)/b.Elapsed().Seconds(), "states/s")
}
