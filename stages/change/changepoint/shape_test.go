package changepoint

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// autoregressive is a series of standard deviation 1 whose neighbours have a correlation.
func autoregressive(rng *rand.Rand, n int, correlation float64) []float64 {
	v, x := make([]float64, n), rng.NormFloat64()
	for i := range v {
		x = correlation*x + math.Sqrt(1-correlation*correlation)*rng.NormFloat64()
		v[i] = x
	}
	return v
}

// TestShapeRates simulates series of several kinds. Levels with one odd value in twenty, and values that resemble their
// neighbours, are said to change no more often than the level says; a slope is a trend and hardly ever a stair; a step of three
// standard deviations is found as by the method that knows of none of these.
func TestShapeRates(t *testing.T) {
	const series = 200
	rng, o := rand.New(rand.NewPCG(11, 12)), Defaults()
	o.Permutations = 9 // the rank scan decides nothing
	for _, c := range []struct {
		name string
		make func(n int) []float64
		want func(s Shape, n int) bool
		most float64 // bound of the rate, where it is a fault; 0: the rate has a minimum
		min  float64
	}{
		{"level", func(n int) []float64 { return autoregressive(rng, n, 0) }, cutAnywhere, .05, 0},
		{"correlated", func(n int) []float64 { return autoregressive(rng, n, .6) }, cutAnywhere, .05, 0},
		{"odd values", func(n int) []float64 {
			v := autoregressive(rng, n, 0)
			for i := range v {
				if rng.IntN(20) == 0 {
					v[i] += float64(2*rng.IntN(2)-1) * (5 + 15*rng.Float64())
				}
			}
			return v
		}, cutAnywhere, .05, 0},
		{"slope", func(n int) []float64 { return sloping(rng, n, 8) }, cutAnywhere, .05, 0},
		{"slope, told", func(n int) []float64 { return sloping(rng, n, 8) }, func(s Shape, n int) bool {
			return len(s.Trends) == 1 && math.Abs(s.Trends[0].Change-8) < 2.5
		}, 0, .9},
		{"step", func(n int) []float64 { return stepped(rng, n, 3) }, cutInTheMiddle, 0, .85},
	} {
		for _, n := range []int{24, 60, 200} {
			hits := 0
			for range series {
				if c.want(Find([][]float64{c.make(n)}, o)[0], n) {
					hits++
				}
			}
			rate := float64(hits) / series
			t.Logf("%s, %d values: %.3f", c.name, n, rate)
			if c.most > 0 && rate > c.most+3*math.Sqrt(c.most*(1-c.most)/series) || rate < c.min {
				t.Errorf("%s, %d values: %.3f, want at most %.2f or at least %.2f", c.name, n, rate, c.most, c.min)
			}
		}
	}
}

// TestBends looks at slopes that end: a rise and a fall have a bend between them, a rise and a level as well, and neither is a step. A
// parabola, and growth by a rate, with next to no noise are one slope.
func TestBends(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for _, c := range []struct {
		name   string
		noise  float64
		at     func(x float64) float64 // x from 0 to 1
		bends  int
		trends int
	}{
		{"a rise and a fall", 1, func(x float64) float64 { return 16 * min(x, 1-x) }, 1, 2},
		{"a rise and a level", 1, func(x float64) float64 { return 16 * min(x, .5) }, 1, 1},
		{"growth", .001, func(x float64) float64 { return math.Exp(.7 * x) }, 0, 1},
		{"a parabola", .01, func(x float64) float64 { return x + .3*x*x }, 0, 1},
	} {
		right, tries := 0, 20
		for range tries {
			v := autoregressive(rng, 120, 0)
			for i := range v {
				v[i] = c.noise*v[i] + c.at(float64(i)/119)
			}
			s := Find([][]float64{v}, Defaults())[0]
			near := !slices.ContainsFunc(s.Bends, func(at int) bool { return at < 50 || at > 70 })
			right += btoi(near && len(s.Bends) == c.bends && len(s.Trends) == c.trends && len(s.Breaks) == 0)
		}
		if right < tries-4 {
			t.Errorf("%s: %d of %d are told as they are", c.name, right, tries)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func sloping(rng *rand.Rand, n int, change float64) []float64 {
	v := autoregressive(rng, n, 0)
	for i := range v {
		v[i] += change * float64(i) / float64(n-1)
	}
	return v
}

func stepped(rng *rand.Rand, n int, change float64) []float64 {
	v := autoregressive(rng, n, 0)
	for i := n / 2; i < n; i++ {
		v[i] += change
	}
	return v
}

// cutAnywhere reports whether a shape tells a change of the level: a break whose q is within the rate, or a bend.
func cutAnywhere(s Shape, _ int) bool {
	return len(s.Bends) > 0 || slices.ContainsFunc(s.Breaks, func(b Break) bool { return b.Q <= .05 })
}

func cutInTheMiddle(s Shape, n int) bool {
	return slices.ContainsFunc(s.Breaks, func(b Break) bool { return b.At >= n/2-1 && b.At <= n/2+1 && b.Q <= .05 })
}

// TestTigerBeetle looks at 365 nights of a real benchmark. Its authors see one anomalous night (10), a drop (15), a rise (71),
// and then an upward slope with ordinary noise.
func TestTigerBeetle(t *testing.T) {
	var values []float64
	for _, v := range readSeries(t, "testdata/tigerbeetle.csv", func([]string) string { return "" })[""] {
		values = append(values, math.Log(v))
	}
	o := Defaults()
	o.Margin = math.Log1p(.05)
	s := Find([][]float64{values}, o)[0]
	var at []int
	for _, b := range s.Breaks {
		at = append(at, b.At)
	}
	expect.Slice(t, at, []int{15, 71}, "breaks")
	expect.Slice(t, s.Outliers, []int{10}, "outliers")
	if len(s.Trends) != 1 || s.Trends[0].From != 71 || s.Trends[0].To != 365 || s.Trends[0].Change < .05 {
		t.Errorf("trends %+v, want a rise from 71 on", s.Trends)
	}
}

// TestOutliersOfNoisyParts plants an odd value in the quiet and in the noisy part of series that vary four times as much from
// some place on. Both are found, and hardly any value beside them; where noise is the same everywhere, nothing else is.
func TestOutliersOfNoisyParts(t *testing.T) {
	const tries, n = 200, 200
	rng := rand.New(rand.NewPCG(15, 16))
	for _, noise := range []float64{1, 4} {
		planted, others := 0, 0
		for range tries {
			v := autoregressive(rng, n, 0)
			for i := 150; i < n; i++ {
				v[i] *= noise
			}
			v[50], v[180] = v[50]+20, v[180]+12*noise
			for _, at := range Find([][]float64{v}, Defaults())[0].Outliers {
				if at == 50 || at == 180 {
					planted++
				} else {
					others++
				}
			}
		}
		t.Logf("noise times %g: %d of %d found, %d others", noise, planted, 2*tries, others)
		if planted < 2*tries*95/100 || others > tries*5/100 {
			t.Errorf("noise times %g: %d of %d odd values are found and %d others", noise, planted, 2*tries, others)
		}
	}
}

// TestSeriesOfTheOracle cuts the series of the oracle: a step at 10; steps at 20 and 50 with an outlier; none.
func TestSeriesOfTheOracle(t *testing.T) {
	series := readSeries(t, "../../../testdata/oracle/series.csv", func(row []string) string { return row[0] })
	for name, want := range map[string][]int{"s1_otava_step20": {10}, "s2_two_steps_outlier70": {20, 50}, "s3_flat40": nil} {
		var at []int
		for _, b := range Find([][]float64{series[name]}, Defaults())[0].Breaks {
			at = append(at, b.At)
		}
		expect.Slice(t, at, want, "%s is cut", name)
	}
}

// readSeries reads series from a table whose last column is their values, by their names.
func readSeries(t *testing.T, path string, name func(row []string) string) map[string][]float64 {
	t.Helper()
	file := expect.Value(os.Open(path))(t)
	defer file.Close()
	rows := expect.Value(csv.NewReader(file).ReadAll())(t)
	series := make(map[string][]float64)
	for _, row := range rows[1:] {
		v := expect.Value(strconv.ParseFloat(row[len(row)-1], 64))(t)
		series[name(row)] = append(series[name(row)], v)
	}
	return series
}
