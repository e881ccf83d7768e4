package sampletests

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

const ms = 1_000_000

func compare(left, right []int64) Result {
	return Compare(NewSample(left), NewSample(right), Defaults())
}

// scaled returns values in ms as nanoseconds.
func scaled(values ...float64) []int64 {
	out := make([]int64, len(values))
	for i, v := range values {
		out[i] = int64(math.Round(v * ms))
	}
	return out
}

// grid returns n values, one every step from start.
func grid(n int, start, step int64) []int64 {
	out := make([]int64, n)
	for i := range out {
		out[i] = start + int64(i)*step
	}
	return out
}

// fired names the methods that detect a change, in the order of the paper.
func fired(r Result) string {
	var names []string
	for _, m := range Methods() {
		if r.Detected(m) {
			names = append(names, string(m))
		}
	}
	return strings.Join(names, " ")
}

func TestCompare(t *testing.T) {
	narrow, wide := grid(50, 10*ms, 2_000), append(grid(25, 9*ms, 2_000), grid(25, 11*ms+58_000, 2_000)...)
	for _, c := range []struct {
		name        string
		left, right []int64
		want        string
	}{
		{"the example of section 3.5.4", scaled(1, 5, 1, 5, 1, 5), scaled(2, 6, 2, 6, 2, 6), "shift dyn"},
		{"the same the other way round", scaled(2, 6, 2, 6, 2, 6), scaled(1, 5, 1, 5, 1, 5), "shift dyn"},
		{"identical", scaled(1, 5, 1, 5, 1, 5), scaled(5, 5, 5, 1, 1, 1), ""},
		{"constant and equal", scaled(3, 3, 3), scaled(3, 3, 3), ""},
		{"both empty", nil, nil, ""},
		{"left empty", nil, scaled(100, 200), ""},
		{"right empty", scaled(100, 200), nil, ""},
		{"ABS is strict and DYN is not", scaled(10), scaled(16), "rel shift dyn"},
		{"one ns more", scaled(10), []int64{16*ms + 1}, "abs rel shift dyn"},
		{"REL is strict", scaled(10), scaled(15), "shift dyn"},
		{"6 ms alone, no test and no direction", scaled(10, 20, 30), scaled(9, 20, 37), "dyn"},
		{"one ns less", scaled(10, 20, 30), append(scaled(9, 20), 37*ms-1), ""},
		{"guard met", []int64{10 * ms}, []int64{10*ms + 100_000}, "shift dyn"},
		{"guard missed by one ns", []int64{10 * ms}, []int64{10*ms + 99_999}, "shift"},
		{"from nothing to something", []int64{0}, []int64{5}, "rel shift"},
		{"zero sums", []int64{0, 0}, []int64{0}, ""},
		{"another shape about the same centre (Fig. 3.7)", narrow, wide, "ks dyn"},
		{"a small shift of all (Fig. 3.8)", grid(100, 10*ms, 1_000), grid(100, 10*ms+9_000, 1_000), "mwu shift dyn"},
		{"equal deciles, other counts", scaled(0.05, 0.05), scaled(0.05, 0.05, 0.05, 0.05), "rel dyn"},
	} {
		expect.Equal(t, fired(compare(c.left, c.right)), c.want, "%s", c.name)
	}
}

func TestResultOfPaperExample(t *testing.T) {
	r := compare(scaled(1, 5, 1, 5, 1, 5), scaled(2, 6, 2, 6, 2, 6))
	if !r.ShiftUp || r.ShiftDown || r.AbsNs != 6*ms || r.ShiftNs != 1*ms {
		t.Errorf("%+v", r)
	}
	if math.Abs(r.Ratio-24.0/18) > 1e-15 || math.Abs(r.KS.D-0.5) > 1e-15 {
		t.Errorf("%+v", r)
	}
}

// TestSwap checks that the order of the traces changes the direction only.
func TestSwap(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		distinct := []int64{3, 50, 20 * ms}[r.IntN(3)]
		draw := func() []int64 {
			v := make([]int64, r.IntN(40))
			for i := range v {
				v[i] = r.Int64N(distinct)
			}
			return v
		}
		x, y := draw(), draw()
		a, b := compare(x, y), compare(y, x)
		if fired(a) != fired(b) || a.ShiftUp != b.ShiftDown || a.AbsNs != b.AbsNs || a.Ratio != b.Ratio {
			t.Errorf("%v %v: %+v, swapped %+v", x, y, a, b)
		}
		if len(x)*len(y) > 0 && (a.ShiftNs != -b.ShiftNs || a.Delta != -b.Delta) {
			t.Errorf("%v %v: %+v, swapped %+v", x, y, a, b)
		}
	}
}

func TestOrderOfValuesDoesNotMatter(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	x, y := grid(60, 5, 7), grid(45, 20, 9)
	want := compare(x, y)
	for range 20 {
		r.Shuffle(len(x), func(i, j int) { x[i], x[j] = x[j], x[i] })
		expect.Equal(t, compare(x, y), want, "in another order")
	}
}

func TestNewSampleCopies(t *testing.T) {
	v := []int64{3, 1, 2}
	s := NewSample(v)
	if !slices.Equal(v, []int64{3, 1, 2}) || !slices.Equal(s.Sorted(), []int64{1, 2, 3}) {
		t.Errorf("%v became %v", v, s.Sorted())
	}
}

func TestSumIsExact(t *testing.T) {
	s := NewSample([]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64, -7})
	expect.Equal(t, s.Sum().Float64(), 3*float64(math.MaxInt64), "sum")
	less := NewSample([]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64, -9})
	expect.Equal(t, Compare(s, less, Defaults()).AbsNs, 2, "difference")
	low := NewSample([]int64{math.MinInt64, math.MinInt64, math.MinInt64})
	expect.Equal(t, low.Sum().Float64(), 3*float64(math.MinInt64), "negative sum")
	if r := Compare(s, low, Defaults()); r.AbsNs != math.MaxInt64 || !r.Fired.ABS {
		t.Errorf("a difference beyond int64 became %d", r.AbsNs)
	}
}

func TestParseMethod(t *testing.T) {
	for _, m := range Methods() {
		if got, err := ParseMethod(string(m)); got != m || err != nil {
			t.Errorf("%s: %v, %v", m, got, err)
		}
	}
	const want = `unknown detection method "ttest": use one of abs, rel, ks, mwu, shift, dyn`
	if _, err := ParseMethod("ttest"); err == nil || err.Error() != want {
		t.Errorf("error %q, want %q", err, want)
	}
	if (Result{Fired: Fired{true, true, true, true, true, true}}).Detected("ttest") {
		t.Error("an unknown method detected something")
	}
}
