package stl

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/testdata/etfcases"
	"github.com/tracelake/tracelake/testdata/expect"
)

// fragments are the pieces of a signal of a case, with times in seconds.
func fragments(s *etfcases.Signal) (all []Fragment) {
	for _, p := range s.Pieces {
		all = append(all, Fragment{float64(p.FromNs) / 1e9, float64(p.ToNs) / 1e9, p.C, p.B, p.A})
	}
	return all
}

// inSeconds turns the bounds of a formula from ns to s.
func inSeconds(f *spec.Formula) *spec.Formula {
	g := *f
	g.Args = nil
	for _, a := range f.Args {
		g.Args = append(g.Args, inSeconds(a))
	}
	if f.Within != nil {
		w := *f.Within
		w.From, w.To = w.From/1e9, w.To/1e9
		g.Within = &w
	}
	return &g
}

func parse(t testing.TB, text string) (*spec.Spec, *spec.Formula) {
	t.Helper()
	s := expect.Value(spec.Parse("f", text))(t)
	return s, inSeconds(expect.Value(s.Instances(&s.Checks[0], nil))(t)[0].Formula)
}

func rational(t *testing.T, text string) float64 {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatal(text)
	}
	v, _ := r.Float64()
	return v
}

// TestRTAMT sees the robustness that RTAMT computed to 1e-9: at the start, at both ends and in the middle of every piece, and wherever
// a piece of ours begins.
func TestRTAMT(t *testing.T) {
	files := etfcases.Files(t, "testdata/rtamt.txtar", "stl-robustness")
	pieces := 0
	for _, name := range etfcases.Stems(files, ".etl") {
		trace := etfcases.Read(t, files[name+".etf"])
		s, f := parse(t, files[name+".etl"])
		signals := func(i int) *Signal {
			for k := range trace.Signals {
				if trace.Signals[k].Attributes["name"] == s.Signals[i].Filter.Pairs[0].Value {
					return New(fragments(&trace.Signals[k]))
				}
			}
			return nil
		}
		var want struct {
			Start      string
			AtStart    string      `json:"rho_at_start"`
			ValidUntil string      `json:"valid_until"`
			Robustness [][3]string `json:"robustness"`
		}
		expect.OK(t, json.Unmarshal([]byte(files[name+".expected.json"]), &want))
		got := Robustness(f, signals, 0, 1)
		agree := func(at, value float64) {
			if math.Abs(got.At(at)-value) > 1e-9 {
				t.Errorf("%s at %g: %g, RTAMT says %g", name, at, got.At(at), value)
			}
		}
		agree(rational(t, want.Start), rational(t, want.AtStart))
		reached := rational(t, want.Start)
		for _, piece := range want.Robustness {
			from, to, value := rational(t, piece[0]), rational(t, piece[1]), rational(t, piece[2])
			expect.Equal(t, from, reached, "where a piece of %s begins", name)
			for _, at := range []float64{from, (from + to) / 2, to - 1e-6} {
				agree(at, value)
			}
			for _, at := range got.at {
				if at >= from && at < to-1e-6 {
					agree(at, value)
				}
			}
			reached = to
			pieces++
		}
		expect.Equal(t, reached, rational(t, want.ValidUntil), "until where %s was compared", name)
	}
	if pieces < 1000 {
		t.Errorf("only %d pieces were compared", pieces)
	}
}

// samples are the values of a signal at multiples of a step, from the left and from the right: position 2k is the limit from the
// left at k steps and 2k + 1 the value there. NaN is outside of the domain.
type samples []float64

// perUnit is how many samples a unit of time has, and units how many units a signal has.
const perUnit, units = 8, 10

// sampled samples a signal; it has breaks at whole units only.
func sampled(s *Signal) samples {
	all := make(samples, 2*(units*perUnit+1))
	for k := range units*perUnit + 1 {
		t := float64(k) / perUnit
		all[2*k+1] = s.At(t)
		if all[2*k] = s.At(t); k > 0 && k%perUnit == 0 {
			i := k/perUnit - 1
			all[2*k] = s.poly[i].at(t - s.at[i])
		}
	}
	return all
}

// oracle is Definition 18 on samples, with a loop for each sup and inf.
func oracle(f *spec.Formula, signals []samples) samples {
	n := 2 * (units*perUnit + 1)
	to := make(samples, n)
	var parts []samples
	for _, a := range f.Args {
		parts = append(parts, oracle(a, signals))
	}
	from, until := 0, n
	if f.Within != nil {
		from = 2 * int(f.Within.From*perUnit)
		if !math.IsInf(f.Within.To, 1) {
			until = 2 * int(f.Within.To*perUnit)
		}
	}
	for i := range to {
		switch f.Op {
		case spec.True:
			to[i] = math.Inf(1)
		case spec.Compare:
			d := signals[f.Signal][i] - f.Threshold
			to[i] = map[spec.Relation]float64{spec.AtLeast: d, spec.Above: d, spec.AtMost: -d, spec.Below: -d, spec.Equal: -math.Abs(d)}[f.Relation]
		case spec.Not:
			to[i] = -parts[0][i]
		case spec.If:
			to[i] = max(-parts[0][i], parts[1][i])
		case spec.And, spec.Or:
			to[i] = parts[0][i]
			for _, p := range parts[1:] {
				if to[i] = min(to[i], p[i]); f.Op == spec.Or {
					to[i] = max(parts[0][i], p[i])
				}
			}
		case spec.Finally, spec.Globally, spec.Until:
			to[i] = oracleUntil(f.Op, parts, i, from, until)
		}
	}
	return to
}

// oracleUntil is the sup over the witnesses of a window.
func oracleUntil(op spec.Op, parts []samples, i, from, until int) float64 {
	goal, sign := parts[len(parts)-1], 1.0
	if op == spec.Globally {
		sign = -1
	}
	most, least := math.NaN(), math.Inf(1)
	for j := i; j < len(goal) && j <= i+until; j++ {
		if op == spec.Until {
			least = min(least, parts[0][j])
		}
		if v := min(sign*goal[j], least); j >= i+from && !math.IsNaN(goal[j]) && !math.IsNaN(least) && !(most >= v) {
			most = v
		}
	}
	return sign * most
}

// write writes a random formula over signals x and y.
func write(r *rand.Rand, depth int) string {
	if depth == 0 {
		return fmt.Sprintf("%c %s %d", "xy"[r.IntN(2)], []string{">=", "<=", "==", ">", "<"}[r.IntN(5)], r.IntN(7)-3)
	}
	part := func() string { return write(r, depth-1) }
	a := r.IntN(3)
	bound := fmt.Sprintf("[%d, %d] s", a, a+r.IntN(4))
	if r.IntN(5) == 0 {
		bound = fmt.Sprintf("[%d, inf) s", a)
	}
	switch r.IntN(8) {
	case 0:
		return "not " + part()
	case 1:
		return "(" + part() + " and " + part() + ")"
	case 2:
		return "(" + part() + " or " + part() + ")"
	case 3:
		return "if " + part() + " then " + part()
	case 4:
		return "during " + bound + " " + part()
	case 5:
		return "within " + bound + " " + part()
	case 6:
		return "until " + part() + " we have that " + part()
	}
	return "until " + part() + " within " + bound + " we have that " + part()
}

// random returns a signal of degree up to 2 with breaks at whole units, and the greatest of its slopes.
func random(r *rand.Rand) (*Signal, float64) {
	var all []Fragment
	steepest := 0.0
	degree := r.IntN(3)
	for i := range units {
		f := Fragment{float64(i), float64(i + 1), float64(r.IntN(9) - 4), 0, 0}
		if degree > 0 {
			f.B = float64(r.IntN(9) - 4)
		}
		if degree > 1 {
			f.A = float64(r.IntN(9) - 4)
		}
		steepest = max(steepest, math.Abs(f.B)+2*math.Abs(f.A))
		all = append(all, f)
	}
	s := New(all)
	return s, steepest
}

// TestOracle sees that the robustness agrees with Definition 18 on samples, as far as signals move between two of them, and exactly
// where signals are constant.
func TestOracle(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 8))
	for range 10000 {
		x, steepX := random(r)
		y, steepY := random(r)
		text := "signal x : {n=x} signal y : {n=y} check c : " + write(r, 1+r.IntN(3))
		_, f := parse(t, text)
		got := Robustness(f, func(i int) *Signal { return []*Signal{x, y}[i] }, 0, 1)
		want := oracle(f, []samples{sampled(x), sampled(y)})
		tolerance := max(steepX, steepY)/perUnit + 1e-9
		for k := range units*perUnit + 1 {
			at := float64(k) / perUnit
			value := want[2*k+1]
			switch {
			case got == nil || at > got.End():
				if !math.IsNaN(value) {
					t.Fatalf("%s at %g: outside of the domain, %g expected", text, at, value)
				}
			case math.IsNaN(value) || math.Abs(got.At(at)-value) > tolerance && got.At(at) != value:
				t.Fatalf("%s at %g: %g, %g expected up to %g", text, at, got.At(at), value, tolerance)
			}
		}
	}
}

// TestByHand sees the values of annex D.
func TestByHand(t *testing.T) {
	s := New([]Fragment{{0, 5, 5, -4, 1}}) // (t-2)^2 + 1
	for _, c := range []struct {
		text      string
		rho       float64
		holds     bool
		threshold bool
	}{
		{"globally s >= 1", 0, true, true}, {"globally s > 1", 0, false, true}, {"finally s >= 10", 0, true, true}, {"finally s >= 9", 1, true, false},
		{"during [0, 1] s s >= 1.5", 0.5, true, false}, {"globally derivative of s <= 6", 0, true, true}, {"not globally s >= 1", 0, false, true},
		{"finally s == 1", 0, true, true}, {"not finally s > 10", 0, true, true},
	} {
		_, f := parse(t, "signal s : {n=s} check c : "+c.text)
		of := func(int) *Signal { return s }
		plain, moved := Robustness(f, of, 0, 1), Robustness(f, of, Moved, 1)
		holds, threshold := Holds(plain, moved, 0)
		if math.Abs(plain.At(0)-c.rho) > 1e-12 || holds != c.holds || threshold != c.threshold {
			t.Errorf("%s: %g, %v, %v", c.text, plain.At(0), holds, threshold)
		}
	}
}

// TestDomains sees the ends of domains: a window that begins behind the signal, a single instant, sums, and gaps.
func TestDomains(t *testing.T) {
	s := New([]Fragment{{0, 4, 1, 0, 0}, {2, 4, 2, 1, 0}, {6, 8, 7, 0, 0}})
	for at, want := range map[float64]float64{0: 1, 1.9: 1, 2: 3, 3: 4, 4: 0, 5.5: 0, 6: 7, 8: 7} {
		expect.Equal(t, s.At(at), want, "sum at %g", at)
	}
	if late := new(memory).window(s, 9, 10, true); late != nil {
		t.Error("a window behind the signal")
	}
	one := new(memory).window(s, 8, 10, true)
	expect.Equal(t, one.At(0), 7, "a domain of one instant")
	expect.Equal(t, one.Start(), one.End(), "its ends")
	expect.Equal(t, new(memory).join(one, s, false).At(0), 1, "and joined")
	if New(nil) != nil || new(memory).join(one, New([]Fragment{{3, 4, 0, 0, 0}}), true) != nil {
		t.Error("an empty domain")
	}
}

// BenchmarkNested is a nested formula and an until over a million pieces, in both.
func BenchmarkNested(b *testing.B) {
	r := rand.New(rand.NewPCG(15, 9))
	var all [2][]Fragment
	const n = 1_000_000
	for k := range all {
		for i := range n {
			all[k] = append(all[k], Fragment{float64(i), float64(i + 1), r.Float64(), r.Float64() - 0.5, 0})
		}
	}
	x, y := New(all[0]), New(all[1])
	for name, text := range map[string]string{
		"globally-finally": "globally if x >= 0.9 then within 50 s y >= 0.8", "until": "globally until x <= 0.9 within [5, 5000] s we have that y >= 0.9",
	} {
		_, f := parse(b, "signal x : {n=x} signal y : {n=y} check c : "+text)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Robustness(f, func(i int) *Signal { return []*Signal{x, y}[i] }, 0, 1)
			}
			b.ReportMetric(n*float64(b.N)/b.Elapsed().Seconds(), "pieces/s")
		})
	}
}
