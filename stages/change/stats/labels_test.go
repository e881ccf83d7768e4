package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestEverySplit(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for k := 0; k <= n; k++ {
			seen := map[int]bool{}
			all := eachSplit(n, k, 70, func(chosen []int) {
				mask := 0
				for _, i := range chosen {
					mask |= 1 << i
				}
				seen[mask] = len(chosen) == k
			})
			if !all || float64(len(seen)) != binomial(n, k) || binomial(n, k) != binomial(n, n-k) {
				t.Errorf("%d of %d: %d splits, want %v", k, n, len(seen), binomial(n, k))
			}
		}
	}
	if binomial(20, 10) != 184_756 {
		t.Errorf("20 over 10 is %v", binomial(20, 10))
	}
}

// TestRandomSplitsAreEven counts how often each position is chosen: 5000*4/20 = 1000 times, standard error 28.
func TestRandomSplitsAreEven(t *testing.T) {
	times := make([]int, 20)
	if eachSplit(20, 4, 4000, func([]int) {}) {
		t.Error("4845 splits are more than 4000")
	}
	eachSplit(20, 10, 2000, func(chosen []int) {
		for _, i := range chosen {
			times[i]++
		}
	})
	for i, c := range times {
		if c < 880 || c > 1120 {
			t.Errorf("position %d chosen %d times of 1000", i, c)
		}
	}
}

// TestLabelPermutation compares with the definition over sorted subsets, and with the least p.
func TestLabelPermutation(t *testing.T) {
	mean := func(v []int64) (sum float64) {
		for _, a := range v {
			sum += float64(a) / float64(len(v))
		}
		return sum
	}
	eachPair(t, 6, func(t *testing.T, x, y []int64) {
		total, far := 0.0, 0.0
		observed := math.Abs(mean(y) - mean(x))
		subsets(append(slices.Clone(x), y...), len(x), func(a, b []int64) {
			total++
			far += is(math.Abs(mean(b)-mean(a)) >= observed*(1-1e-9))
		})
		fx, fy := floats(x), floats(y)
		if got := LabelPermutation(fx, fy); !near(got, far/total) {
			t.Errorf("%v %v: %v, want %v", x, y, got, far/total)
		}
		if a, b := LabelPermutation(fx, fy), LabelPermutation(fy, fx); a != b {
			t.Errorf("%v %v: %v, swapped %v", x, y, a, b)
		}
	})
	if p := LabelPermutation([]float64{1, 2, 3, 4, 5, 6}, []float64{7, 8, 9, 10, 11, 12}); p != 2.0/924 {
		t.Errorf("separated sides have p %v", p)
	}
	if p := LabelPermutation(slices.Repeat([]float64{1, 2}, 15), slices.Repeat([]float64{9, 10}, 15)); p != 1.0/200_001 {
		t.Errorf("thirty against thirty separated have p %v", p)
	}
}

// TestLabelsDoNotOverflow has differences beyond the greatest float.
func TestLabelsDoNotOverflow(t *testing.T) {
	x, y := []float64{-1.7e308, -1.6e308}, []float64{1.7e308, 1.5e308}
	if p := LabelPermutation(x, y); p != 2.0/6 {
		t.Errorf("p is %v", p)
	}
}

func floats(v []int64) []float64 {
	out := make([]float64, len(v))
	for i, a := range v {
		out[i] = float64(a)
	}
	return out
}

func noise(r *rand.Rand, rows, n, nBase, changed int, step float64) [][]float64 {
	out := make([][]float64, rows)
	for i := range out {
		for k := range n {
			out[i] = append(out[i], r.NormFloat64()+step*is(k >= nBase && i < changed))
		}
	}
	return out
}

// TestMaxTByDefinition computes pooled t of every row and split anew.
func TestMaxTByDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	tOf := func(row []float64, base []int) float64 {
		var x, y []float64
		for i, v := range row {
			if slices.Contains(base, i) {
				x = append(x, v)
			} else {
				y = append(y, v)
			}
		}
		d, v, _ := pooled(x, y)
		return math.Abs(d) / math.Sqrt(v*(1/float64(len(x))+1/float64(len(y))))
	}
	for _, nBase := range []int{2, 3, 5} {
		rows := noise(r, 6, 7, nBase, 2, 3)
		order, extreme, splits := identity(6), make([]float64, 6), 0.0
		first := identity(nBase)
		slices.SortFunc(order, func(a, b int) int { return int(math.Copysign(1, tOf(rows[b], first)-tOf(rows[a], first))) })
		everySplit(7, nBase, func(base []int) {
			splits++
			greatest := 0.0
			for i := 5; i >= 0; i-- {
				greatest = max(greatest, tOf(rows[order[i]], base))
				extreme[i] += is(greatest >= tOf(rows[order[i]], first)*(1-1e-9))
			}
		})
		got, least := MaxT(rows, nBase), 0.0
		for i, row := range order {
			least = max(least, extreme[i]/splits)
			if !near(got[row], least) {
				t.Errorf("%d base values, row %d: %v, want %v", nBase, row, got[row], least)
			}
		}
	}
}

// TestMaxTKeepsItsLevel draws 8 rows that depend on each other, 3 against 3, where the least p is 0.1: some
// row is called at 0.1 in at most a tenth of the draws (standard error 0.0067).
func TestMaxTKeepsItsLevel(t *testing.T) {
	r, alarms := rand.New(rand.NewPCG(23, 24)), 0.0
	for range 2000 {
		rows := noise(r, 8, 6, 3, 0, 0)
		for i := range rows[1:] {
			for k := range rows[i] {
				rows[i+1][k] += 2 * rows[0][k]
			}
		}
		alarms += is(slices.Min(MaxT(rows, 3)) <= 0.1) / 2000
	}
	if alarms > 0.12 || alarms < 0.06 {
		t.Errorf("alarms in %v of the draws", alarms)
	}
}

func TestMaxTRelations(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, n := range [][2]int{{3, 3}, {5, 4}, {2, 6}, {9, 8}} {
		rows := noise(r, 12, n[0]+n[1], n[0], 3, 4)
		p := MaxT(rows, n[0])
		moved, swapped := make([][]float64, 12), make([][]float64, 12)
		for i, row := range rows {
			for _, v := range row {
				moved[11-i] = append(moved[11-i], 3*v+float64(i))
			}
			swapped[i] = slices.Concat(row[n[0]:], row[:n[0]])
		}
		m, s := MaxT(moved, n[0]), MaxT(swapped, n[1])
		for i := range p {
			if p[i] != m[11-i] || !(p[i] > 0 && p[i] <= 1) {
				t.Errorf("%v row %d: %v, in other units and place %v", n, i, p[i], m[11-i])
			}
			if exact := n != [2]int{9, 8}; exact && p[i] != s[i] {
				t.Errorf("%v row %d: %v, swapped %v", n, i, p[i], s[i])
			}
			if alone := LabelPermutation(rows[i][:n[0]], rows[i][n[0]:]); p[i] < alone-0.02*is(n == [2]int{9, 8})-1e-12 {
				t.Errorf("%v row %d: adjusted %v, alone %v", n, i, p[i], alone)
			}
		}
	}
}

func TestMaxTLeavesOut(t *testing.T) {
	good, flat := []float64{1, 2, 3, 7, 8, 9}, []float64{0.1, 0.1, 0.1, 0.1, 0.1, 0.1}
	p := MaxT([][]float64{good, flat, {1, 2, math.NaN(), 3, 4, 5}, {1, 2}, {1, 2, 3, math.Inf(1), 5, 6}}, 3)
	if want := []float64{0.1, 1, 1, 1, 1}; !slices.Equal(p, want) {
		t.Errorf("%v, want %v", p, want)
	}
	for _, nBase := range []int{-1, 0, 6, 7} {
		if p := MaxT([][]float64{good}, nBase); p[0] != 1 {
			t.Errorf("%d base values: p %v", nBase, p[0])
		}
	}
	if len(MaxT(nil, 3)) != 0 || LabelPermutation(nil, good) != 1 || LabelPermutation(flat, flat) != 1 {
		t.Error("nothing to test must give p = 1")
	}
}

func FuzzLabels(f *testing.F) {
	f.Add(1.0, 2.0, 3.0, math.NaN(), math.Inf(1))
	f.Add(1e308, -1e308, 0.0, 5e-324, 5.0)
	f.Fuzz(func(t *testing.T, a, b, c, d, e float64) {
		p := MaxT([][]float64{{a, b, c, d, e}, {b, b, a, a, a}, {1, 2, 4, c, 9}}, 2)
		for _, v := range append(p, LabelPermutation([]float64{a, b}, []float64{c, d, e})) {
			if !(v > 0 && v <= 1) {
				t.Errorf("%v %v %v %v %v: p %v", a, b, c, d, e, p)
			}
		}
	})
}

func BenchmarkMaxT(b *testing.B) {
	rows := noise(rand.New(rand.NewPCG(1, 1)), 2000, 20, 10, 0, 0)
	for b.Loop() {
		MaxT(rows, 10)
	}
}
