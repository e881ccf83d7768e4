package functionchanges

import (
	"fmt"
	"testing"
)

// BenchmarkJudge compares five runs with five in many functions; Detect says what such a comparison would find.
func BenchmarkJudge(b *testing.B) {
	for _, functions := range []int{1_000, 34_000} {
		var costs, base [][]Cost
		for seed := uint64(0); len(costs) < functions; seed++ {
			costs = append(costs, noisy(seed, 5, 5)...)
		}
		for _, row := range costs {
			base = append(base, row[:5])
		}
		b.Run(fmt.Sprintf("judge %d functions", functions), func(b *testing.B) {
			for b.Loop() {
				Judge(costs, Design{Base: 5}, Defaults())
			}
		})
		b.Run(fmt.Sprintf("detect %d functions", functions), func(b *testing.B) {
			for b.Loop() {
				Detect(base, Detection{Runs: 5, Power: .8, Margin: .05, EffectNs: 10_000}, Defaults())
			}
		})
	}
}
