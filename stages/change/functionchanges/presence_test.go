package functionchanges

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestOneSidedByChance asks for functions that one side alone has: they are sporadic beside others that are called as often, in some runs of a
// side and not in others.
func TestOneSidedByChance(t *testing.T) {
	costs := noisy(60, 3, 3)
	without := func(i int, calls float64, runs ...int) {
		for r := range costs[i] {
			costs[i][r].Calls = calls
		}
		for _, r := range runs {
			costs[i][r] = Cost{}
		}
	}
	statesOf := func() []State {
		r := Judge(costs, Design{Base: 3}, Defaults())
		return []State{r.Changes[0].State, r.Changes[1].State, r.Changes[2].State}
	}
	without(0, 1, 0, 1, 2)
	without(1, 1, 3, 4, 5)
	without(2, 9, 0, 1, 2)
	expect.Slice(t, statesOf(), []State{Appeared, Vanished, Appeared}, "where no other is in some runs")
	without(3, 2, 0, 2, 4)
	without(4, 2, 1, 3, 5)
	without(5, 2, 1, 2, 3)
	expect.Slice(t, statesOf(), []State{Sporadic, Sporadic, Appeared}, "beside those that are")
}
