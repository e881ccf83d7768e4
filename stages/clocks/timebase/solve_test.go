package timebase

import (
	"math"
	"math/rand"
	"testing"
)

// happening is a system of clocks with what they truly show.
type happening struct {
	clocks int
	shown  func(clock int, t int64) int64
	orders *Orders
}

// exchange has messages between the pairs of clocks, at random times of a span, with latencies from a least to a most.
func (h *happening) exchange(r *rand.Rand, pairs [][2]int, messages int, span, least, most int64) {
	for range messages {
		p := pairs[r.Intn(len(pairs))]
		if r.Intn(2) == 0 {
			p[0], p[1] = p[1], p[0]
		}
		at := r.Int63n(span)
		h.orders.Add(int32(p[0]), int32(p[1]), h.shown(p[0], at), h.shown(p[1], at+least+r.Int63n(most-least)))
	}
}

// even makes clocks with random offsets and drifts, related by a random connected web.
func even(r *rand.Rand, messages int) (*happening, []int64, []float64) {
	n := 2 + r.Intn(5)
	offsets, drifts := make([]int64, n), make([]float64, n)
	for u := 1; u < n; u++ {
		offsets[u], drifts[u] = r.Int63n(4e18)-2e18, r.NormFloat64()*50e-6
	}
	h := &happening{clocks: n, orders: new(Orders), shown: func(u int, t int64) int64 {
		return t + offsets[u] + int64(math.Round(drifts[u]*float64(t)))
	}}
	var pairs [][2]int
	for u := 1; u < n; u++ {
		pairs = append(pairs, [2]int{r.Intn(u), u})
	}
	for range r.Intn(4) {
		if u, v := r.Intn(n), r.Intn(n); u != v {
			pairs = append(pairs, [2]int{u, v})
		}
	}
	most := 20_000 + r.Int63n(5_000_000)
	h.exchange(r, pairs, messages, 60e9, 10_000, most)
	return h, offsets, drifts
}

// broken counts the orders that the curves of a solution do not keep by a nanosecond.
func (h *happening) broken(s *Solution) (n int) {
	for i := range h.orders.From {
		if s.Clocks[h.orders.To[i]].Curve.At(h.orders.ToNs[i]) <= s.Clocks[h.orders.From[i]].Curve.At(h.orders.FromNs[i]) {
			n++
		}
	}
	return n
}

// TestEven has systems of two to six even clocks: no order is broken, so that no event is moved, each clock is one line, and all
// bounds hold the truth.
func TestEven(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		messages := 1 + r.Intn(40)
		if seed%10 == 0 {
			messages = 3000
		}
		h, offsets, drifts := even(r, messages)
		s := Solve(h.orders, h.clocks, 0)
		if n := h.broken(s); n > 0 {
			t.Errorf("seed %d: %d of %d orders of even clocks are broken", seed, n, messages)
		}
		for u, c := range s.Clocks {
			if c.Reference == u {
				continue
			}
			if len(c.Curve) != 1 || len(c.Pieces) != 1 || !c.Fits {
				t.Fatalf("seed %d: clock %d is %+v", seed, u, c)
			}
			p, v := c.Pieces[0], c.Reference
			at := float64(p.OriginNs-offsets[u]) / (1 + drifts[u])
			truth := h.shown(v, int64(math.Round(at))) - p.OriginNs
			drift := (1+drifts[v])/(1+drifts[u]) - 1
			if p.LeastNs != nil && truth < *p.LeastNs-2 || p.MostNs != nil && truth > *p.MostNs+2 {
				t.Errorf("seed %d: clock %d: offset %d is not in %d to %d", seed, u, truth, *p.LeastNs, *p.MostNs)
			}
			if p.Least != nil && drift < *p.Least-1e-9 || p.Most != nil && drift > *p.Most+1e-9 {
				t.Errorf("seed %d: clock %d: drift %g is not in %g to %g", seed, u, drift, *p.Least, *p.Most)
			}
			if p.LeastNs != nil && p.OffsetNs < *p.LeastNs || p.MostNs != nil && p.OffsetNs > *p.MostNs {
				t.Errorf("seed %d: clock %d: estimate %d is not in %d to %d", seed, u, p.OffsetNs, *p.LeastNs, *p.MostNs)
			}
		}
	}
}

// TestSine has a clock whose drift is a sine of 20 ppm over an hour, beside even ones, with latencies of 50 to 100 us: it is found
// within 0.1 ms at all times, the even ones stay lines, and no order is broken.
func TestSine(t *testing.T) {
	for _, bent := range []int{0, 1, 2} {
		r := rand.New(rand.NewSource(int64(bent)))
		const hour = 3600e9
		offsets := []int64{0, 5e9, -7e12, 123456}
		h := &happening{clocks: 4, orders: new(Orders)}
		h.shown = func(u int, t int64) int64 {
			at := t + offsets[u] + int64(1e-5*float64(u)*float64(t))
			if u == bent {
				at += int64(20e-6 * hour / (2 * math.Pi) * (1 - math.Cos(2*math.Pi*float64(t)/hour)))
			}
			return at
		}
		h.exchange(r, [][2]int{{0, 1}, {1, 2}, {0, 2}, {2, 3}, {0, 3}}, 20_000, hour, 50_000, 100_000)
		s := Solve(h.orders, h.clocks, 0)
		if n := h.broken(s); n > 0 {
			t.Errorf("clock %d is bent: %d orders are broken", bent, n)
		}
		for u, c := range s.Clocks {
			if even := bent != 0 && u != bent; u > 0 && even != (len(c.Curve) == 1) {
				t.Errorf("clock %d is bent: clock %d has %d lines", bent, u, len(c.Curve))
			}
			worst := int64(0)
			for at := int64(0); at < hour; at += 1e9 {
				off := c.Curve.At(h.shown(u, at)) - h.shown(0, at)
				worst = max(worst, off, -off)
			}
			t.Logf("clock %d is bent: clock %d, of %d lines, is off by %d ns at most", bent, u, len(c.Curve), worst)
			if worst >= 100_000 {
				t.Errorf("clock %d is bent: clock %d is off by %d ns", bent, u, worst)
			}
		}
	}
}

// TestFarApartRates has two orders, between clocks of which one runs nine hundred times as fast.
func TestFarApartRates(t *testing.T) {
	for reference := range 2 {
		h := &happening{clocks: 2, orders: new(Orders)}
		h.orders.Add(1, 0, 1000e9, 5_000_000e9)
		h.orders.Add(0, 1, 5_900_000e9, 2000e9)
		s := Solve(h.orders, 2, reference)
		if n := h.broken(s); n > 0 || !s.Clocks[0].Fits || !s.Clocks[1].Fits {
			t.Errorf("reference %d: %d orders are broken: %+v", reference, n, s.Clocks)
		}
	}
}
