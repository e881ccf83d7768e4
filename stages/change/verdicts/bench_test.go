package verdicts_test

import "testing"

// BenchmarkJudge is two releases of five runs with 20,000 transitions.
func BenchmarkJudge(b *testing.B) {
	s := sides(5, 5)
	subjects := mixture(random(1), s, 20_000)
	b.ResetTimer()
	for b.Loop() {
		judge(s, subjects...)
	}
	b.ReportMetric(float64(len(subjects))*float64(b.N)/b.Elapsed().Seconds(), "subjects/s")
}
