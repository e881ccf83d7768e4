package stats

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// pooled returns the difference of the means of y and x, their pooled variance and its degrees of freedom.
func pooled(x, y []float64) (difference, variance, df float64) {
	n, m := float64(len(x)), float64(len(y))
	meanX, vx := meanAndError(x)
	meanY, vy := meanAndError(y)
	return meanY - meanX, (vx*n*(n-1) + vy*m*(m-1)) / (n + m - 2), n + m - 2
}

// moderate fits a prior over rows of three runs a side and returns the rows' moderated differences.
func moderate(rows [][]float64) ([]Moderated, Prior) {
	difference, variance, df := make([]float64, len(rows)), make([]float64, len(rows)), make([]float64, len(rows))
	for i, r := range rows {
		difference[i], variance[i], df[i] = pooled(r[:3], r[3:])
	}
	prior, out := FitPrior(variance, df), make([]Moderated, len(rows))
	for i := range rows {
		v, total := prior.Squeeze(variance[i], df[i])
		out[i] = Moderated{Estimate: difference[i], SE: math.Sqrt(v * (1.0/3 + 1.0/3)), DF: total}
	}
	return out, prior
}

func numbers(t *testing.T, name string) [][]float64 {
	var rows [][]float64
	for _, r := range readCSV(t, name) {
		row := make([]float64, len(r))
		for i, text := range r {
			row[i] = number(t, text)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestLimma compares all columns with limma 3.54.1 (lmFit, eBayes, treat). The differences have 14 decimals
// there because they come from a QR decomposition, so columns near 0 are compared absolutely.
func TestLimma(t *testing.T) {
	rows, want := numbers(t, "modt_input.csv"), numbers(t, "modt_limma.csv")
	names := []string{"logFC", "t", "p", "d0", "s0sq", "se_post", "df_total", "treat_p", "tost_p", "ci_lo", "ci_hi"}
	got, prior := moderate(rows)
	if len(want) != 60 || len(got) != 60 {
		t.Fatalf("%d rows, %d reference rows", len(got), len(want))
	}
	margin := math.Log(1.02)
	for i, m := range got {
		lo, hi := m.Interval(0.95)
		for c, v := range []float64{m.Estimate, m.T(), m.P(), prior.DF, prior.Variance, m.SE, m.DF,
			m.Treat(margin), m.Equivalence(margin), lo, hi} {
			if w := want[i][c]; math.Abs(v-w) > 1e-10*math.Abs(w)+1e-14*(1+math.Abs(m.T()/m.Estimate)) {
				t.Errorf("row %d, %s: %.17g, want %.17g", i, names[c], v, w)
			}
		}
	}
}

func TestTrigammaInverse(t *testing.T) {
	for _, y := range []float64{4e-4, 1e-3, 0.1, 0.5, 1, 3.7, 100, 1e5} {
		if got := trigammaInverse(trigamma(y)); math.Abs(got-y) > 1e-9*y {
			t.Errorf("inverse of trigamma(%v) is %v", y, got)
		}
	}
	// trigamma(y) is 1/y^2 near 0 and 1/y + 1/(2 y^2) far out.
	if small, great := trigammaInverse(1e10), trigammaInverse(1e-8); math.Abs(small-1e-5) > 1e-14 || math.Abs(great-1e8) > 1 {
		t.Errorf("inverses of the extremes are %v and %v", small, great)
	}
	if got := trigamma(0.5); math.Abs(got-math.Pi*math.Pi/2) > 1e-14 {
		t.Errorf("trigamma(1/2) is %v", got)
	}
}

// TestPriorIsRecovered draws variances from a known prior, on unequal degrees of freedom.
func TestPriorIsRecovered(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	chi := func(df int) float64 {
		sum := 0.0
		for range df {
			z := r.NormFloat64()
			sum += z * z
		}
		return sum
	}
	var varied, equal, df []float64
	for i := range 20_000 {
		d := 2 + 2*(i%3)
		df = append(df, float64(d))
		varied = append(varied, 0.04*6/chi(6)*chi(d)/float64(d))
		equal = append(equal, 0.04*chi(d)/float64(d))
	}
	if p := FitPrior(varied, df); math.Abs(p.DF-6) > 0.5 || math.Abs(p.Variance-0.04) > 0.002 || p.Pooled != 79_998 {
		t.Errorf("prior %+v, want 6 degrees of freedom and 0.04", p)
	}
	if p := FitPrior(equal, df); !(p.DF > 100) || math.Abs(p.Variance-0.04) > 0.002 {
		t.Errorf("prior of equal variances %+v", p)
	}
}

func TestPriorOfFewOddOrEqualRows(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	expect.Equal(t, FitPrior([]float64{1, 2, nan, inf, -1, 3, 4}, []float64{4, 4, 4, 4, 4, 0, nan}), Prior{}, "two usable rows")
	// Variances less spread than chance makes them: limma's simple mean, and the bound on the total.
	p := FitPrior([]float64{1, 2, 3}, []float64{4, 4, 4})
	if v, total := p.Squeeze(9, 4); p != (Prior{inf, 2, 12}) || v != 2 || total != 12 {
		t.Errorf("%+v squeezes to %v on %v", p, v, total)
	}
	// A zero is lifted to 1e-5 of the median, as if it were that.
	a := FitPrior([]float64{0, 1, 2, 3, 1e4}, []float64{4, 4, 4, 4, 4})
	if b := FitPrior([]float64{2e-5, 1, 2, 3, 1e4}, []float64{4, 4, 4, 4, 4}); a != b || !(a.DF < 1) {
		t.Errorf("with a zero %+v, lifted %+v", a, b)
	}
	if p := FitPrior(make([]float64, 5), []float64{4, 4, 4, 4, 4}); math.Abs(p.Variance-1e-5) > 1e-18 || p.DF != inf {
		t.Errorf("zeros gave %+v", p)
	}
	expect.Equal(t, FitPrior([]float64{1, 2, 9}, []float64{0.5, 0.5, 0.5}).Pooled, 1.5, "half a degree of freedom")
	for _, c := range []struct {
		prior           Prior
		v, df, want, on float64
	}{
		{Prior{}, 3, 4, 3, 4}, {Prior{}, nan, 4, inf, 0}, {Prior{2, 1, 0}, 4, 4, 3, 6}, {Prior{2, 1, 0}, nan, 4, 1, 2},
		{Prior{2, 1, 0}, 7, 0, 1, 2}, {Prior{2, 1, 5}, 4, 4, 3, 5}, {Prior{inf, 1, 0}, 4, 4, 1, inf}, {Prior{}, 0, 2, 0, 2},
		{Prior{2, 1, 0}, 5, inf, 5, inf}, {Prior{2, 1, 0}, 7, -0.5, 1, 2},
	} {
		if v, total := c.prior.Squeeze(c.v, c.df); v != c.want || total != c.on {
			t.Errorf("%+v squeezes %v on %v to %v on %v, want %v on %v", c.prior, c.v, c.df, v, total, c.want, c.on)
		}
	}
}

// eachModerated runs a check over estimates, standard errors, degrees of freedom and margins.
func eachModerated(check func(m Moderated, margin float64)) {
	for _, d := range []float64{0, 1e-9, 0.01, 0.5, -0.02, -3, 40} {
		for _, se := range []float64{0, 1e-12, 0.01, 0.3, 20} {
			for _, df := range []float64{0.4, 2, 4.7, 90, 1e4, 3e5, math.Inf(1)} {
				for _, margin := range []float64{0, 1e-9, 0.01, 0.02, 0.5, 7} {
					check(Moderated{d, se, df}, margin)
				}
			}
		}
	}
}

// TestModeratedRelations checks what must hold between the p-values whatever the numbers.
func TestModeratedRelations(t *testing.T) {
	const eps = 1e-9
	eachModerated(func(m Moderated, margin float64) {
		swapped := Moderated{-m.Estimate, m.SE, m.DF}
		treat, tost := m.Treat(margin), m.Equivalence(margin)
		lo, hi := m.Interval(0.9)
		up, down := m.beyond(m.Estimate-margin), m.beyond(-m.Estimate-margin) // one-sided
		for name, holds := range map[string]bool{
			"swap keeps TREAT and TOST": treat == swapped.Treat(margin) && tost == swapped.Equivalence(margin),
			"swap turns t":              m.T() == -swapped.T(),
			"TREAT is at least p":       treat >= m.P()*(1-eps),
			"TREAT grows with margin":   m.Treat(2*margin) >= treat*(1-eps),
			"TOST falls with margin":    m.Equivalence(2*margin) <= tost*(1+eps),
			"never both small":          treat+tost >= 1-eps,
			"TREAT is at least one-sided": treat >= min(up, down) &&
				treat <= up+down+eps,
			"interval of a test": (lo > margin || hi < -margin) == (min(up, down) < 0.05) ||
				math.Abs(min(up, down)-0.05) < eps,
			"interval of TOST": (lo > -margin && hi < margin) == (tost < 0.05) || math.Abs(tost-0.05) < eps,
			"p in range":       treat >= 0 && treat <= 1 && tost >= 0 && tost <= 1,
		} {
			if !holds {
				t.Errorf("%+v, margin %v: not so: %s (treat %v tost %v interval %v %v)", m, margin, name, treat, tost, lo, hi)
			}
		}
	})
}

func TestModeratedAtTheEdges(t *testing.T) {
	inf := math.Inf(1)
	certain, still, far := Moderated{0.5, 0, 3}, Moderated{0, 0, 3}, Moderated{9, 1, inf}
	if certain.P() != 0 || certain.T() != inf || certain.Treat(0.1) != 0 || certain.Treat(0.6) != 1 ||
		certain.Equivalence(0.6) != 0 {
		t.Error("a standard error of 0 makes the estimate the truth")
	}
	if certain.Treat(0.5) != 0.5 || certain.Equivalence(0.5) != 0.5 {
		t.Error("an estimate at the margin speaks for neither side")
	}
	if still.P() != 1 || still.T() != 0 || still.Equivalence(0.1) != 0 || still.Treat(0.1) != 1 {
		t.Error("no difference without error is no change and equivalent")
	}
	if lo, hi := certain.Interval(0.95); lo != 0.5 || hi != 0.5 {
		t.Errorf("interval %v to %v", lo, hi)
	}
	// 2 P(Z > 9) by R: 2*pnorm(9, lower.tail = FALSE).
	if p := far.P(); math.Abs(p-2.2571768119076842e-19) > 1e-28 {
		t.Errorf("p is %v", p)
	}
	if lo, hi := far.Interval(0.95); math.Abs(hi-9-1.959963984540054) > 1e-12 || math.Abs(lo+hi-18) > 1e-12 {
		t.Errorf("interval %v to %v", lo, hi)
	}
	nan := math.NaN()
	for _, m := range []Moderated{
		{nan, 1, 4}, {inf, 1, 4}, {1, nan, 4}, {1, inf, 4}, {1, -1, 4}, {1, 1, 0}, {1, 0, nan},
	} {
		lo, hi := m.Interval(0.95)
		if lo != -inf || hi != inf || m.T() != 0 {
			t.Errorf("%+v has t %v and the interval %v to %v", m, m.T(), lo, hi)
		}
		for i, p := range []float64{m.P(), m.Treat(0.1), m.Equivalence(9)} {
			expect.Equal(t, p, 1, "%+v: p number %d", m, i)
		}
	}
}

// TestShiftAndSwapOfRows moves all runs of a row, and swaps the sides of all rows.
func TestShiftAndSwapOfRows(t *testing.T) {
	rows := numbers(t, "modt_input.csv")
	var moved, swapped [][]float64
	for i, r := range rows {
		m := make([]float64, 6)
		for k, v := range r {
			m[k] = v + float64(i) - 30
		}
		moved, swapped = append(moved, m), append(swapped, append(append([]float64{}, r[3:]...), r[:3]...))
	}
	a, _ := moderate(rows)
	b, _ := moderate(moved)
	c, _ := moderate(swapped)
	for i := range rows {
		turned := math.Abs(a[i].T()+c[i].T()) <= 1e-9*math.Abs(a[i].T())
		if math.Abs(a[i].P()-b[i].P()) > 1e-9 || math.Abs(a[i].P()-c[i].P()) > 1e-9 || !turned {
			t.Errorf("row %d: %+v, moved %+v, swapped %+v", i, a[i], b[i], c[i])
		}
	}
}

// FuzzModerated requires a number from everything.
func FuzzModerated(f *testing.F) {
	f.Add(0.1, 0.2, 3.0, 0.5, 4.0, 0.01)
	f.Add(math.NaN(), math.Inf(1), -1.0, 0.0, 0.0, math.NaN())
	f.Add(1e308, 5e-324, 1e-14, 1e308, 1e300, math.Inf(1))
	f.Add(0.9, 1.3e156, 6.1e43, 5.4e-05, 0.0, 0.1) // the common variance is beyond a float64
	f.Add(0.9, 1.3e156, 4.88e44, 5.4e-05, 5e-324, 0.1)
	f.Add(math.MaxFloat64, 4.9e155, 4.88e44, 5.4e-05, 5e-324, math.MaxFloat64) // as few degrees of freedom, and an infinite t
	f.Add(1./5040, 3.15, 1000.0, -104.5, 2.781342323134e-309, 34.5)
	f.Add(4.5, 1.3e156, 1.0892857142857143e+42, 92.00000675, math.MaxFloat64, 77.1)
	f.Fuzz(func(t *testing.T, d, v1, v2, v3, df, margin float64) {
		p := FitPrior([]float64{v1, v2, v3, v1, 1}, []float64{df, 2, 4, v3, df})
		s2, total := p.Squeeze(v1, df)
		m := Moderated{d, math.Sqrt(s2), total}
		lo, hi := m.Interval(0.95)
		for i, v := range []float64{p.DF, p.Variance, p.Pooled, s2, total, m.T(), lo, hi} {
			if math.IsNaN(v) {
				t.Errorf("number %d is NaN: %+v %+v", i, p, m)
			}
		}
		for i, v := range []float64{m.P(), m.Treat(margin), m.Equivalence(margin)} {
			if !(v >= 0 && v <= 1) {
				t.Errorf("p number %d is %v: %+v %+v margin %v", i, v, p, m, margin)
			}
		}
	})
}
