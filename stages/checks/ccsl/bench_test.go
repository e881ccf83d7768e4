package ccsl

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// tenConstraints are ten constraints, half relations and half expressions, and steps that they allow again and again.
func tenConstraints(t testing.TB) (*Spec, [][]ClockID) {
	spec := lightOf(`Precedence a < (max: 4) b  Precedence b <= c  Exclusion a # b  SubClocking late <- a  Precedence a <= late
		late = a $ 3  any = b or c  Let first be inf(a, b)  repeat every every 2 a  seen = a $ 2 on b`)
	expect.Equal(expect.Must(t), len(spec.Constraints), 10, "constraints")
	return spec, [][]ClockID{{0}, {0}, {1, 2}, {}, {1, 2}}
}

func BenchmarkStep(b *testing.B) {
	spec, ticks := tenConstraints(b)
	c := NewChecker(spec, []ClockID{0, 1, 2})
	i := 0
	for b.Loop() {
		c.Step(ticks[i])
		if i++; i == len(ticks) {
			i = 0
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "steps/s")
}

// A recorded run, read and checked.
func BenchmarkVCD(b *testing.B) {
	spec := lightOf("Precedence a < b Exclusion a # b")
	text := strings.NewReplacer("s__main__a", "a", "s::main::a", "a", "main__b", "b").Replace(head) +
		strings.Repeat("#0\n1!1\n#10\n1!2\n", 10000)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		v := expect.Value(OpenVCD(strings.NewReader(text), "x.vcd"))(b)
		if r, err := Check(spec, v.Run()); err != nil || r.Verdicts[0].Outcome != Holds || r.Steps != 20000 {
			b.Fatal(r, err)
		}
	}
	b.ReportMetric(float64(b.N)*20000/b.Elapsed().Seconds(), "steps/s")
}
