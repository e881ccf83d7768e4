package mtl

import (
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestExplain sees that each part of an explanation has the truth that the definitions say, and that what decided it does.
func TestExplain(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 15))
	for range 1500 {
		text := write(r, 1+r.IntN(3))
		tape := random(r, 1+r.IntN(30))
		o := &oracle{holds: func(f *spec.Formula, i int) bool { return holds(f, tape.Tuple(int64(i))) }}
		for i := range tape.States() {
			o.timeNs = append(o.timeNs, tape.TimeNs(i))
		}
		state := r.Int64N(tape.States())
		o.explained(t, text, Explain(tape, parse(t, text), byLetter, false, state))
	}
}

// explained checks an explanation and its parts.
func (o *oracle) explained(t *testing.T, text string, e *Explanation) {
	t.Helper()
	f, i := e.Formula, int(e.State)
	finite := o.at(f, Finite, i)
	want := StillFalse
	switch {
	case o.at(f, Strong, i):
		want = Good
	case !o.at(f, Weak, i):
		want = Bad
	case finite:
		want = StillTrue
	}
	expect.Equal(t, e.Verdict, want, "%s at state %d of %v", text, i, o.timeNs)
	if f.Temporal() {
		o.decided(t, text, e, finite)
	}
	for _, p := range e.Parts {
		o.explained(t, text, p)
	}
}

// decided checks what decided a temporal formula.
func (o *oracle) decided(t *testing.T, text string, e *Explanation, finite bool) {
	t.Helper()
	f, first := e.Formula, schema.NoValue
	late := false
	for j := int(e.State); j < len(o.timeNs) && first == schema.NoValue; j++ {
		after := o.timeNs[j] - o.timeNs[e.State]
		if (f.Within == nil || after >= f.Within.FromNs) && o.at(f.Args[len(f.Args)-1], Finite, j) != (f.Op == spec.Globally) {
			first, late = int64(j), f.Within != nil && after > f.Within.ToNs
		}
	}
	expect.Equal(t, e.Deciding, first, "deciding state of %s at %d of %v", text, e.State, o.timeNs)
	expect.Equal(t, e.Late, late, "%s: it comes too late", text)
	found := first != schema.NoValue && !late && (e.Broken == schema.NoValue || first <= e.Broken)
	expect.Equal(t, found, finite != (f.Op == spec.Globally), "%s: what decided it agrees with its truth", text)
}
