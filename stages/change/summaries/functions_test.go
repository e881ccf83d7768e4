package summaries_test

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/summaries"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The rows of functions are what the own times of their calls come to. Calls that were invented and blocking calls are left out, and
// the order in which calls come, and in how many parts, does not matter.
func TestFunctionsByTheLetter(t *testing.T) {
	for seed := range int64(50) {
		rng := rand.New(rand.NewSource(seed))
		names := new(schema.Names)
		parts := []*schema.Executions{schema.NewExecutions(names), schema.NewExecutions(names)}
		want := make(map[string]*heap)
		for range rng.Intn(400) {
			x := parts[rng.Intn(2)]
			component, function := fmt.Sprint("c", rng.Intn(3)), fmt.Sprint("f", rng.Intn(4))
			self, synthetic := rng.Int63n(1_000_000), rng.Intn(10) == 0
			role := schema.Role(0)
			if rng.Intn(10) == 0 {
				role = schema.BlockingCall
			}
			x.Component, x.Function = append(x.Component, names.Components.Code(component)), append(x.Function, names.Functions.Code(function))
			x.SelfNs, x.Synthetic, x.Role = append(x.SelfNs, self), append(x.Synthetic, synthetic), append(x.Role, role)
			if synthetic || role == schema.BlockingCall {
				continue
			}
			key := component + "." + function
			if want[key] == nil {
				want[key] = new(heap)
			}
			want[key].count++
			want[key].values = append(want[key].values, self)
		}
		b := summaries.NewFunctions(names, new(stats.Estimator))
		for _, x := range parts {
			b.Add(x)
		}
		rows := b.Rows()
		expect.Equal(expect.Must(t), len(rows), len(want), "seed %d: rows", seed)
		for i := range rows {
			r := &rows[i]
			h := want[r.Component+"."+r.Function]
			if h == nil || r.Level != schema.LevelFunction {
				t.Fatalf("seed %d: a row of level %s for %s.%s", seed, r.Level, r.Component, r.Function)
			}
			check(t, r, h)
		}
		if !slices.IsSortedFunc(rows, func(a, b schema.Summary) int {
			return cmp.Or(cmp.Compare(a.Component, b.Component), cmp.Compare(a.Function, b.Function))
		}) {
			t.Fatalf("seed %d: not in order", seed)
		}
	}
}
