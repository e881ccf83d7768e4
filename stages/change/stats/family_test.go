package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func TestSimes(t *testing.T) {
	for _, c := range []struct {
		p    []float64
		want float64
	}{
		{nil, 1}, {[]float64{0.3}, 0.3}, {[]float64{0.04, 0.03}, 0.04}, {[]float64{0.9, 0.01, 0.02}, 0.03},
		{[]float64{math.NaN(), 0.01}, 0.02}, {[]float64{0, 1}, 0}, {[]float64{1, 1}, 1},
	} {
		if got := Simes(c.p); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%v: %v, want %v", c.p, got, c.want)
		}
	}
}

// TestTwoLevelByHand: Simes 0.01, 0.3, 0.04 and 0.9 in m = 4 families. At q = 0.1 the first and third are
// selected (0.04 <= 0.1*2/4 = 0.05), so the level inside is 0.05 and the factor 2.
func TestTwoLevelByHand(t *testing.T) {
	families := [][]float64{{0.005, 0.6}, {0.3}, {}, {0.04, 0.04, 0.03}, {0.9, 0.9}}
	selected, adjusted := TwoLevel(families, 0.1)
	expect.Slice(t, selected, []bool{true, false, false, true, false}, "selected")
	want := [][]float64{{0.02, 1}, {1}, {}, {0.08, 0.08, 0.08}, {1, 1}}
	for i, p := range want {
		for k, v := range p {
			if math.Abs(adjusted[i][k]-v) > 1e-15 {
				t.Errorf("family %d is %v, want %v", i, adjusted[i], p)
			}
		}
	}
	expect.Deep(t, families[0], []float64{0.005, 0.6}, "families given")
}

func drawFamilies(r *rand.Rand) [][]float64 {
	families := make([][]float64, r.IntN(12))
	for i := range families {
		families[i] = make([]float64, r.IntN(8))
		effect := r.IntN(3)
		for k := range families[i] {
			families[i][k] = math.Pow(r.Float64(), float64(1+3*effect))
		}
	}
	return families
}

// TestTwoLevelRelations checks the definition from the decisions, and that the order of families and of
// their tests is nothing.
func TestTwoLevelRelations(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		families, q := drawFamilies(r), []float64{0.01, 0.05, 0.2}[r.IntN(3)]
		selected, adjusted := TwoLevel(families, q)
		m, found := 0.0, 0.0
		for i, p := range families {
			m += is(len(p) > 0)
			found += is(selected[i])
		}
		for i, p := range families {
			decided := false
			for k, v := range BenjaminiHochberg(p) {
				rejected := adjusted[i][k] <= q
				decided = decided || rejected
				if level := q * found / m; rejected != (selected[i] && v <= level) && math.Abs(v-level) > 1e-12 {
					t.Errorf("%v at %v: family %d test %d decided %v", families, q, i, k, rejected)
				}
			}
			expect.Equal(t, decided, selected[i], "%v at %v: family %d selected, any test rejected", families, q, i)
		}
		order := r.Perm(len(families))
		shuffled := make([][]float64, len(families))
		for i, k := range order {
			shuffled[i] = slices.Clone(families[k])
			slices.Reverse(shuffled[i])
		}
		selected2, adjusted2 := TwoLevel(shuffled, q)
		for i, k := range order {
			slices.Reverse(adjusted2[i])
			if selected2[i] != selected[k] || !slices.Equal(adjusted2[i], adjusted[k]) {
				t.Errorf("%v at %v: the order of families matters", families, q)
			}
		}
	}
}

// TestTwoLevelOfOneFamily is plain Benjamini-Hochberg when something is found.
func TestTwoLevelOfOneFamily(t *testing.T) {
	p := readFamilies(t)
	for name, family := range p {
		selected, adjusted := TwoLevel([][]float64{family}, 0.05)
		if want := BenjaminiHochberg(family); selected[0] && !slices.Equal(adjusted[0], want) {
			t.Errorf("%s: %v, want %v", name, adjusted[0], want)
		}
		if selected[0] != (Simes(family) <= 0.05) {
			t.Errorf("%s: selected %v at Simes %v", name, selected[0], Simes(family))
		}
	}
}

// TestTwoLevelNull draws families without any effect: some family is selected in at most about q of the
// draws. 4000 draws have a standard error of 0.0034 at 0.05.
func TestTwoLevelNull(t *testing.T) {
	r, alarms := rand.New(rand.NewPCG(9, 10)), 0.0
	const draws = 4000
	for range draws {
		families := make([][]float64, 6)
		for i := range families {
			for range 5 {
				families[i] = append(families[i], r.Float64())
			}
		}
		selected, _ := TwoLevel(families, 0.05)
		alarms += is(slices.Contains(selected, true))
	}
	if share := alarms / draws; math.Abs(share-0.05) > 0.011 {
		t.Errorf("false alarms in %v of the draws", share)
	}
}

func FuzzTwoLevel(f *testing.F) {
	f.Add(0.1, 0.2, math.NaN(), -1.0, 0.05)
	f.Add(math.Inf(1), math.Inf(-1), 2.0, 0.0, 1.0)
	f.Fuzz(func(t *testing.T, a, b, c, d, q float64) {
		families := [][]float64{{a, b}, nil, {c}, {d, a, c}}
		_, adjusted := TwoLevel(families, q)
		for i, p := range adjusted {
			expect.Equal(t, len(p), len(families[i]), "values of family %d", i)
			for _, v := range p {
				if !(v >= 0 && v <= 1) {
					t.Errorf("%v at %v: %v", families, q, adjusted)
				}
			}
		}
	})
}
