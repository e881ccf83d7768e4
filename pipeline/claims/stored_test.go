package claims

import (
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestAnswers keeps answers to two questions in either order, and sees that the lake has each, says when it has them already, and has none
// to a question of another version, nor about other runs.
func TestAnswers(t *testing.T) {
	type totals struct{ WeightNs int64 }
	answers := map[string][]schema.CriticalClaim{
		"x": {{Graph: "x", Execution: 4, Wait: true, Claim: "a"}, {Graph: "x", Execution: 2}},
		"y": {{Graph: "y", Execution: 2, Name: "b"}},
	}
	var bytes []string
	for _, order := range [][]string{{"x", "y"}, {"y", "x"}} {
		l, _ := loaded(t, "TU MILLISECONDS\nR 0 1 false;name=r\nC 0 0 2 0 1;name=a\nC 1 3 4 0 1;name=b\n")
		k := &Answers[schema.CriticalClaim]{Engine: &pipeline.Engine{Lake: l, Jobs: 1}, Table: "critical_claims", Key: func(c *schema.CriticalClaim) string { return c.Graph }}
		for round := range 2 {
			for _, key := range order {
				a, weight := Asked{Key: key, Of: []string{"b"}, Version: 3}, int64(1)
				stored := expect.Value(k.Store(t.Context(), "a", a, totals{weight}, answers[key]))(t)
				expect.Equal(t, stored, round == 0, "%s, round %d: stored", key, round)
			}
		}
		for key, want := range answers {
			var whole totals
			rows, found, err := k.Answer("a", Asked{Key: key, Of: []string{"b"}, Version: 3}, &whole)
			expect.OK(t, err)
			expect.Equal(t, found, true, "%s is in the lake", key)
			expect.Deep(t, rows, want, "rows of %s", key)
			expect.Equal(t, whole.WeightNs, 1, "what is said of %s as a whole", key)
			for _, other := range []Asked{{Key: key, Of: []string{"b"}, Version: 4}, {Key: key, Of: []string{"c"}, Version: 3}, {Key: key + "z", Of: []string{"b"}, Version: 3}} {
				_, found, err := k.Answer("a", other, &whole)
				expect.OK(t, err)
				expect.Equal(t, found, false, "%v is in the lake", other)
			}
		}
		v := expect.Value(l.Inventory(lake.Run("a")))(t)
		bytes = append(bytes, v.Table("critical_claims").Fingerprint)
	}
	expect.Equal(t, bytes[0], bytes[1], "the order of questions")
}
