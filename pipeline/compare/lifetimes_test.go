package compare

import (
	"testing"

	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCostOfOneLifetime sees that a run costs what one of its lifetimes takes, however many there are: costs are totals divided by root executions.
func TestCostOfOneLifetime(t *testing.T) {
	for _, c := range []struct{ count, totalNs, roots, want float64 }{
		{4, 400, 2, 100}, {8, 800, 2, 100}, {8, 800, 1, 100}, {1, 100, 5, 100},
		{3, 300, 0, 100}, // a run without root executions counts as one
		{0, 0, 2, 0},
	} {
		got := ofOne(verdicts.Run{Count: c.count, TotalNs: c.totalNs}, c.roots)
		expect.Equal(t, got.TotalNs/max(c.roots, 1), c.want, "%+v", c)
		expect.Equal(t, got.Count, c.count, "how many there are")
	}
}
