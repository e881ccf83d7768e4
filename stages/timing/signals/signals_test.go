package signals

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

const second = 1_000_000_000

// values are the values of a signal at seconds.
func values(s *Signal, at ...float64) (out []float64) {
	for _, x := range at {
		v, _ := s.At(int64(x * second))
		out = append(out, v)
	}
	return out
}

// read reads a signal of intervals.
func read(t *testing.T, all []Interval, over Span, perNs int64, of func(*Quantity) Stream) (Signal, int64) {
	t.Helper()
	ordered, _ := SortByBeginning(slices.Clone(all), nil)
	q := &Quantity{Open: func() (Intervals, error) { return Ordered(ordered), nil }, PerNs: perNs, Over: over}
	s := of(q)
	return expect.Value(s.Signal())(t).Signal, q.Instants
}

// throughput is the throughput averaged over a window.
func throughput(windowNs int64) func(*Quantity) Stream {
	return func(q *Quantity) Stream { return q.Throughput(windowNs) }
}

// TestByHand checks values that were computed by hand: two items that overlap.
func TestByHand(t *testing.T) {
	items := []Interval{{0, 4 * second, 1}, {2 * second, 6 * second, 1}}
	over := Span{0, 6 * second}
	wip, _ := read(t, items, over, second, (*Quantity).Sum)
	expect.Slice(t, wip.Pieces, []Piece{{0, 2 * second, 1, 0, 0}, {2 * second, 4 * second, 2, 0, 0}, {4 * second, 6 * second, 1, 0, 0}}, "wip")
	done, _ := read(t, items, over, second, throughput(0))
	expect.Slice(t, values(&done, 1, 3, 5), []float64{0.25, 0.5, 0.25}, "throughput")
	latency, _ := read(t, items, over, second, (*Quantity).Latency)
	expect.Slice(t, latency.Pieces, []Piece{{0, 6 * second, 4, 0, 0}}, "latency")
	averaged, _ := read(t, items, over, second, throughput(2*second))
	expect.Slice(t, values(&averaged, 3), []float64{3.0 / 8}, "throughput over 2 s")
	work, _ := read(t, items, over, second, (*Quantity).Work)
	expect.Slice(t, values(&work, 0, 2, 3, 4, 6), []float64{0, 0.5, 1, 1.5, 2}, "work")

	items = []Interval{{0, 2 * second, 1}, {1 * second, 5 * second, 1}}
	over.ToNs = 5 * second
	done, _ = read(t, items, over, second, throughput(0))
	expect.Slice(t, values(&done, 0, 1, 2), []float64{0.5, 0.75, 0.25}, "throughput")
	latency, _ = read(t, items, over, second, (*Quantity).Latency)
	expect.Slice(t, values(&latency, 0, 1, 2, 5), []float64{2, 8.0 / 3, 4, 4}, "latency")
}

// intervals are random: some of no length, some alike, in no order.
func intervals(r *rand.Rand, length int64) (out []Interval) {
	for range r.IntN(12) {
		from := r.Int64N(length)
		i := Interval{from, from + r.Int64N(length-from+1), float64(1 + r.IntN(4))}
		if r.IntN(5) == 0 {
			i.ToNs = i.FromNs
		}
		out = append(out, i)
	}
	return out
}

// near compares values that may differ by rounding.
func near(got, want float64) bool { return math.Abs(got-want) <= 1e-11*max(1, math.Abs(want)) }

// TestDefinitions compares with the definitions as loops, at every nanosecond of short signals.
func TestDefinitions(t *testing.T) {
	const length, per, window = 40, 10, 7
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 1))
		items := intervals(r, length)
		over := Span{0, length}
		wip, _ := read(t, items, over, per, (*Quantity).Sum)
		latency, _ := read(t, items, over, per, (*Quantity).Latency)
		work, _ := read(t, items, over, per, (*Quantity).Work)
		rate, instant := read(t, items, over, per, throughput(0))
		averaged, counted := read(t, items, over, per, throughput(window))
		for ns := range int64(length) {
			var active, tp, done, mean float64
			lo, hi, moments := math.Inf(1), 0.0, int64(0)
			for _, i := range items {
				if i.FromNs == i.ToNs {
					moments++
					if i.FromNs <= ns {
						done += i.Value
						if ns < i.FromNs+window {
							mean += i.Value * per / window
						}
					}
					continue
				}
				delta := float64(i.ToNs - i.FromNs)
				done += i.Value * float64(min(max(ns-i.FromNs, 0), i.ToNs-i.FromNs)) / delta
				mean += i.Value * per / delta * float64(max(0, min(ns, i.ToNs)-max(ns-window, i.FromNs))) / window
				if i.FromNs <= ns && ns < i.ToNs {
					active, tp = active+i.Value, tp+i.Value*per/delta
					lo, hi = min(lo, delta/per), max(hi, delta/per)
				}
			}
			late := 0.0
			if tp != 0 {
				late = active / tp
			}
			for name, c := range map[string]struct {
				signal Signal
				want   float64
			}{"wip": {wip, active}, "throughput": {rate, tp}, "latency": {latency, late}, "work": {work, done}, "average": {averaged, mean}} {
				if got, within := c.signal.At(ns); !within || !near(got, c.want) {
					t.Fatalf("seed %d, %s at %d: %v, not %v; %v", seed, name, ns, got, c.want, items)
				}
			}
			// Proposition 2: the latency is between the durations of what is active.
			if late != 0 && (late < lo*(1-1e-12) || late > hi*(1+1e-12)) || instant != moments || counted != moments {
				t.Fatalf("seed %d at %d: latency %v of %v to %v, %d of no length", seed, ns, late, lo, hi, instant)
			}
		}
	}
}

// TestProposition1 compares averages with the mean of the last w time units (Hendriks et al. 2024, Proposition 1): w = 0 gives the signal
// itself, and w > 0 the difference of two areas over w, of random signals of degree 1 at random times.
func TestProposition1(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 4))
		s := polynomial(r, 1, 8)
		from, to := s.Domain()
		area := func(until int64) (sum float64) { // from the beginning of the signal, which is 0 elsewhere
			for _, p := range s.Pieces {
				if hi := min(p.ToNs, until); hi > p.FromNs {
					x, y := p.from(p.FromNs, s.StepNs), p.from(hi, s.StepNs)
					sum += float64(hi-p.FromNs) * (x.C + y.C) / 2
				}
			}
			return sum
		}
		same := expect.Value(average(&s, 0, Span{from, to}))(t)
		window := 1 + r.Int64N(30)
		averaged := expect.Value(average(&s, window, Span{from, to + window}))(t)
		for range 50 {
			at := from + r.Int64N(to-from)
			want, _ := s.At(at)
			if got, within := same.At(at); got != want || !within {
				t.Fatalf("seed %d: average over 0 at %d is %v, and the signal %v", seed, at, got, want)
			}
			at = from + r.Int64N(to+window-from)
			want = (area(at) - area(at-window)) / float64(window)
			if got, within := averaged.At(at); !near(got, want) || !within {
				t.Fatalf("seed %d: average over %d at %d is %v, not %v", seed, window, at, got, want)
			}
		}
	}
}

// TestProposition2: the latency is defined where the throughput is not 0, and lies between the shortest and the longest duration of all
// items (Hendriks et al. 2024, Proposition 2), whatever their values, and is that duration where all take as long.
func TestProposition2(t *testing.T) {
	const per = 1000
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 5))
		alike := r.IntN(3) == 0
		var items []Interval
		shortest, longest, last := int64(math.MaxInt64), int64(0), int64(0)
		length := 1 + r.Int64N(5000)
		for range 1 + r.IntN(30) {
			if !alike {
				length = 1 + r.Int64N(5000)
			}
			from := r.Int64N(20_000)
			items = append(items, Interval{from, from + length, 0.01 + 100*r.Float64()})
			shortest, longest, last = min(shortest, length), max(longest, length), max(last, from+length)
		}
		over := Span{0, last}
		latency, _ := read(t, items, over, per, (*Quantity).Latency)
		rate, _ := read(t, items, over, per, throughput(0))
		for range 100 {
			at := r.Int64N(last)
			late, _ := latency.At(at)
			tp, _ := rate.At(at)
			active := slices.ContainsFunc(items, func(i Interval) bool { return i.FromNs <= at && at < i.ToNs })
			if active != (tp > 0) || active != (late > 0) {
				t.Fatalf("seed %d at %d: throughput %v and latency %v, active %v", seed, at, tp, late, active)
			}
			lo, hi := float64(shortest)/per, float64(longest)/per
			if active && (late < lo*(1-1e-9) || late > hi*(1+1e-9)) {
				t.Fatalf("seed %d at %d: latency %v is not within %v to %v", seed, at, late, lo, hi)
			}
		}
	}
}

// average is the average of a signal in memory.
func average(s *Signal, windowNs int64, over Span) (Named, error) {
	stream := (&Named{Signal: *s}).Stream()
	averaged := stream.Average(windowNs, over)
	return averaged.Signal()
}

// polynomial is a random signal of a degree at most.
func polynomial(r *rand.Rand, degree int, stepNs int64) Signal {
	s := Signal{StepNs: stepNs}
	at := r.Int64N(5)
	for range 1 + r.IntN(6) {
		to := at + 1 + r.Int64N(12)
		p := Piece{at, to, float64(r.IntN(9) - 4), 0, 0}
		if degree > 0 {
			p.B = float64(r.IntN(9)-4) / 2
		}
		if degree > 1 {
			p.A = float64(r.IntN(5)-2) / 4
		}
		s.append(p)
		at = to
	}
	return s
}

// TestCombinations compares operations on signals with those on their values.
func TestCombinations(t *testing.T) {
	for seed := range uint64(2000) {
		r := rand.New(rand.NewPCG(seed, 2))
		s, u := polynomial(r, 1, 4), polynomial(r, 1, 8)
		sum, less, more := Add(&s, &u), Min(&s, &u), Max(&s, &u)
		product := expect.Value(Multiply(&s, &u))(t)
		scaled, shifted := Scale(&s, 2, 1), Shift(&s, 3)
		window := 1 + r.Int64N(20)
		from, to := s.Domain()
		averaged := expect.Value(average(&s, window, Span{from, to + window}))(t)
		for ns := from; ns < to; ns++ {
			a, _ := s.At(ns)
			if got, _ := scaled.At(ns); got != 2*a+1 {
				t.Fatal("scale", seed)
			}
			if got, _ := shifted.At(ns + 3); got != a {
				t.Fatal("shift", seed)
			}
			b, both := u.At(ns)
			if _, end := u.Domain(); !both || ns == end {
				continue
			}
			for name, c := range map[string]struct {
				signal Signal
				want   float64
			}{"sum": {sum, a + b}, "product": {product, a * b}, "min": {less, min(a, b)}, "max": {more, max(a, b)}} {
				if got, within := c.signal.At(ns); !within || !near(got, c.want) {
					t.Fatalf("seed %d: %s at %d is %v, not %v", seed, name, ns, got, c.want)
				}
			}
		}
		// Definition 10: the mean of the window, by Simpson's rule on every piece, which is exact.
		for ns := from; ns < to+window; ns++ {
			area := 0.0
			for _, p := range s.Pieces {
				lo, hi := max(p.FromNs, ns-window), min(p.ToNs, ns)
				if lo < hi {
					x, y := p.from(lo, 4), p.from(hi, 4)
					area += float64(hi-lo) * (x.C + y.C) / 2
				}
			}
			if got, _ := averaged.At(ns); !near(got, area/float64(window)) {
				t.Fatalf("seed %d: average over %d at %d is %v, not %v", seed, window, ns, got, area/float64(window))
			}
		}
	}
}

// TestFragments adds fragments that overlap, as a loop over them does.
func TestFragments(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 3))
		var fragments []Piece
		for range 1 + r.IntN(6) {
			from := r.Int64N(30)
			fragments = append(fragments, Piece{from, from + 1 + r.Int64N(12), float64(r.IntN(5)), float64(r.IntN(5)), float64(r.IntN(3))})
		}
		slices.SortFunc(fragments, func(a, b Piece) int { return int(a.FromNs - b.FromNs) })
		s := FromFragments(fragments, 1)
		from, to := s.Domain()
		for ns := from; ns < to; ns++ {
			want := 0.0
			for _, f := range fragments {
				if f.FromNs <= ns && ns < f.ToNs {
					want += f.from(ns, 1).C
				}
			}
			if got, within := s.At(ns); got != want || !within {
				t.Fatalf("seed %d at %d: %v, not %v", seed, ns, got, want)
			}
		}
		cut := s.Within(from+2, to+5)
		for ns := from + 2; ns < to+5; ns++ {
			want, within := s.At(ns)
			if got, is := cut.At(ns); !is || within && ns < to && got != want || ns >= to && got != 0 {
				t.Fatalf("seed %d: within at %d: %v, not %v", seed, ns, got, want)
			}
		}
	}
}

// TestDegrees: what leaves degree 2 is an error that names the operation.
func TestDegrees(t *testing.T) {
	square := Signal{1, []Piece{{0, 5, 1, 2, 1}}}
	line := Signal{1, []Piece{{0, 5, 1, 2, 0}}}
	slope := Derivative(&square)
	expect.Slice(t, slope.Pieces, []Piece{{0, 5, 2, 2, 0}}, "derivative")
	_, product := Multiply(&square, &line)
	_, averaged := average(&square, 2, Span{0, 5})
	for want, err := range map[DegreeError]error{{"product", 3}: product, {"average", 3}: averaged} {
		var of *DegreeError
		if !errors.As(err, &of) || *of != want || of.Error() == "" {
			t.Error(err)
		}
	}
}

// TestBins: a parabola that is below 2.25 for 3 s in its middle, and 1 at its lowest.
func TestBins(t *testing.T) {
	s := Signal{second, []Piece{{0, 5 * second, 3.25, -3, 1}, {5 * second, 6 * second, 7, 0, 0}}}
	var ns []float64
	stream := (&Named{Signal: s}).Stream()
	for _, bar := range expect.Value(stream.Bins([]float64{0, 2, 3.25, 7, 7.5}))(t) {
		ns = append(ns, math.Round(bar.Ns))
	}
	expect.Slice(t, ns, []float64{2 * second, 1 * second, 949_489_743, second + 100_020_014}, "bins")
}

// TestManyItems: a sum to which much was added and from which it was taken away is exactly 0 again, and as exact as one item.
func TestManyItems(t *testing.T) {
	var items []Interval
	r := rand.New(rand.NewPCG(4, 4))
	for range 100_000 {
		from := r.Int64N(1e9)
		items = append(items, Interval{from, from + 1 + r.Int64N(1e6), 0.1 + r.Float64()*1e6})
	}
	items = append(items, Interval{2e9, 2e9 + 3, 0.1}, Interval{0, 3e9, 1e-9})
	s, _ := read(t, items, Span{0, 4e9}, second, (*Quantity).Sum)
	for at, want := range map[int64]float64{15e8: 1e-9, 2e9: 0.1 + 1e-9, 3e9: 0} {
		if got, _ := s.At(at); math.Abs(got-want) > 1e-12*want {
			t.Errorf("at %d: %v, not %v", at, got, want)
		}
	}
}

// TestCombine compares the signals that are made of many with what is made of them one after the other.
func TestCombine(t *testing.T) {
	for n := 1; n < 9; n++ {
		var all []Named
		for i := range n {
			all = append(all, Named{Name: "s", Unit: "1/s", Signal: Signal{StepNs: second, Pieces: []Piece{
				{0, 3 * second, float64(i%3 + 1), 0, 0}, {3 * second, 9 * second, float64(5 - i), 0, 0}}}})
		}
		for word, combine := range combinations {
			want := all[0].Signal
			for i := range all[1:] {
				want = expect.Value(combine(&want, &all[i+1].Signal))(t)
			}
			got := expect.Value(Combine(all, word))(t)
			expect.Slice(t, got.Pieces, want.Pieces, "%s of %d", word, n)
			expect.Equal(t, got.Unit == "", word == "product", "whether the %s has no unit", word)
		}
	}
}

// TestParseOperation has each operation done to a signal, and mistakes refused.
func TestParseOperation(t *testing.T) {
	s := &Signal{StepNs: second / 2, Pieces: []Piece{{0, 4 * second, 3, 1, 0}}} // 2 a second
	for text, want := range map[string]Piece{
		"derivative": {0, 4 * second, 2, 0, 0}, "shift=-1s": {-second, 3 * second, 3, 1, 0}, "scale=-2": {0, 4 * second, -6, -2, 0}, "plus=.5": {0, 4 * second, 3.5, 1, 0},
	} {
		got := expect.Value(ParseOperation(text))(t)(s)
		expect.Slice(t, got.Pieces, []Piece{want}, "%s", text)
	}
	for _, text := range []string{"", "derivative=1", "shift", "shift=3", "scale=x", "plus=", "min=2"} {
		if _, err := ParseOperation(text); err == nil {
			t.Errorf("%q is taken", text)
		}
	}
}
