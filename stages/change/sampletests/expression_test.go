package sampletests_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/testdata/expect"
)

// term is a random expression as a tree, with its text in one of several spellings.
type term struct {
	text  string
	value func(*sampletests.Result) bool
}

// randomTerm makes an expression of some depth. Parentheses stand around every one of several parts, so that the tree does not depend on
// which operator binds closer.
func randomTerm(rng *rand.Rand, depth int) term {
	if depth == 0 {
		limit := rng.Int64N(40)
		leaves := []term{
			{"ks", func(r *sampletests.Result) bool { return r.Fired.KS }}, {"mwu", func(r *sampletests.Result) bool { return r.Fired.MWU }},
			{"shift", func(r *sampletests.Result) bool { return r.Fired.SHIFT }}, {"dyn", func(r *sampletests.Result) bool { return r.Fired.DYN }},
			{fmt.Sprintf("abs > %dns", limit), func(r *sampletests.Result) bool { return r.AbsNs > limit }},
			{fmt.Sprintf("abs<=%dns", limit), func(r *sampletests.Result) bool { return r.AbsNs <= limit }},
			{"ks.p < 0.3", func(r *sampletests.Result) bool { return r.KS.P < 0.3 }},
			{"delta >= 0.25", func(r *sampletests.Result) bool { return r.Delta >= 0.25 || r.Delta <= -0.25 }},
			{"n > 3", func(r *sampletests.Result) bool { return r.LeftN > 3 && r.RightN > 3 }},
			{"slower", func(r *sampletests.Result) bool { return r.RightSum.Float64() > r.LeftSum.Float64() }},
		}
		return leaves[rng.IntN(len(leaves))]
	}
	a, b := randomTerm(rng, depth-1), randomTerm(rng, rng.IntN(depth))
	switch rng.IntN(3) {
	case 0:
		return term{[]string{"not ", "!"}[rng.IntN(2)] + "(" + a.text + ")", func(r *sampletests.Result) bool { return !a.value(r) }}
	case 1:
		return term{"(" + a.text + ")" + []string{" and ", "&", " && "}[rng.IntN(3)] + "(" + b.text + ")", func(r *sampletests.Result) bool { return a.value(r) && b.value(r) }}
	}
	return term{"(" + a.text + ")" + []string{" or ", "|", " || "}[rng.IntN(3)] + "(" + b.text + ")", func(r *sampletests.Result) bool { return a.value(r) || b.value(r) }}
}

// results are comparisons of random samples.
func results(rng *rand.Rand, n int) (all []sampletests.Result) {
	for range n {
		sides := make([]sampletests.Sample, 2)
		for i := range sides {
			values := make([]int64, 1+rng.IntN(8))
			for k := range values {
				values[k] = rng.Int64N(12)
			}
			sides[i] = sampletests.NewSample(values)
		}
		all = append(all, sampletests.Compare(sides[0], sides[1], sampletests.Options{AbsNs: 20, Rel: 1.5, P: .2, GuardNs: 5}))
	}
	return all
}

// An expression holds where the tree that its text was made of does.
func TestExpressions(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	all := results(rng, 40)
	held := 0
	for range 500 {
		want := randomTerm(rng, rng.IntN(5))
		e := expect.Value(sampletests.ParseExpression(want.text))(t)
		for i := range all {
			if got := e.Holds(&all[i]); got != want.value(&all[i]) {
				t.Fatalf("%s of %+v: %t", want.text, all[i], got)
			} else if got {
				held++
			}
		}
	}
	if held < 2000 || held > 18_000 {
		t.Errorf("%d of 20,000 hold: nothing is compared", held)
	}
}

// And binds closer than or, and not closest. The paper's combined method (section 3.5.5) is an expression.
func TestPrecedence(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	all := results(rng, 300)
	for _, same := range [][2]string{
		{"ks or mwu and shift", "ks or (mwu and shift)"}, {"ks and mwu or shift", "(ks and mwu) or shift"}, {"not ks and mwu", "(not ks) and mwu"},
		{"!!ks", "ks"}, {"dyn", "(ks or mwu or not (delta > -1) or shift or abs >= 20ns) and abs >= 5ns or abs >= 20ns"},
	} {
		a, b := expect.Value(sampletests.ParseExpression(same[0]))(t), expect.Value(sampletests.ParseExpression(same[1]))(t)
		for i := range all {
			r := &all[i]
			if r.ShiftUp && r.ShiftDown { // SHIFT within DYN also takes equal deciles, as printed
				continue
			}
			expect.Equal(t, a.Holds(r), b.Holds(r), "%s and %s of %+v", same[0], same[1], *r)
		}
	}
}

// Without samples nothing is tested and nothing holds.
func TestNothingHoldsOfNothing(t *testing.T) {
	e := expect.Value(sampletests.ParseExpression("not ks or n >= 0"))(t)
	r := sampletests.Compare(sampletests.NewSample(nil), sampletests.NewSample([]int64{1}), sampletests.Defaults())
	expect.Equal(t, e.Holds(&r), false, "of an empty sample")
}

// FuzzExpression parses any text: an error is at a byte of it, and an expression has the same text and meaning again.
func FuzzExpression(f *testing.F) {
	for _, text := range []string{"(ks or mwu) & abs > 0.1ms", "not (rel >= 1.5)", "!ks||mwu.p<1e-3 && n>9", strings.Repeat("(", 300), "typical>"} {
		f.Add(text)
	}
	all := results(rand.New(rand.NewPCG(9, 1)), 5)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := sampletests.ParseExpression(text)
		if err != nil {
			at := (*sampletests.ExpressionError)(nil)
			if !errors.As(err, &at) || at.At < 0 || at.At > len(text) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		again := new(sampletests.Expression)
		expect.OK(t, again.UnmarshalText(expect.Value(e.MarshalText())(t)))
		for i := range all {
			expect.Equal(t, again.Holds(&all[i]), e.Holds(&all[i]), "%q", text)
		}
	})
}
