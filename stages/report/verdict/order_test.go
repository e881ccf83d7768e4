package verdict

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestOrderText says in which order findings stand as they do.
func TestOrderText(t *testing.T) {
	small, great := 1e-6, .02
	of := func(lo, hi int64, q *float64) schema.Finding {
		return schema.Finding{EffectLoNs: lo, EffectHiNs: hi, Q: q}
	}
	bySize, byChance := "the greatest sure effect first", "what is least likely by chance first, and of that the greatest sure effect"
	for _, c := range []struct {
		name  string
		found []schema.Finding
		want  string
	}{
		{"nothing", nil, bySize},
		{"by size", []schema.Finding{of(50, 60, &great), of(-30, -20, &small)}, bySize},
		{"the surer one may be chance", []schema.Finding{of(20, 30, &small), of(50, 90, &great)}, byChance},
		{"so may one that improved", []schema.Finding{of(20, 30, &small), of(-90, -50, &great)}, byChance},
		{"an interval that holds 0 is no sure effect", []schema.Finding{of(20, 30, &small), of(-90, 50, &great)}, bySize},
		{"no q", []schema.Finding{of(20, 30, nil), of(50, 90, &great)}, bySize},
	} {
		expect.Equal(t, orderText(c.found), c.want, "%s", c.name)
	}
}
