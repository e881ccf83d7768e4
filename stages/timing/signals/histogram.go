package signals

import (
	"maps"
	"math"
	"slices"
)

// Bar says how long a signal has a value, or one from a value to before another.
type Bar struct {
	From, To float64 // equal for one value
	Ns       float64 // whole numbers where the pieces are constants
}

// Histogram says how long a signal has which value (Hendriks et al. 2024, Definition 11), in ascending order of values: one bar a value
// for a signal of constants that has at most so many of them, and else as many equal bins from its least to its greatest value. It reads
// the signal once, or twice. It also returns how long the signal is as a whole.
func (s *Stream) Histogram(bins int) (bars []Bar, lengthNs int64, err error) {
	times := map[float64]int64{}
	st := tally{stepNs: s.StepNs}
	single := true
	err = s.Each(func(p *Piece) error {
		st.add(*p)
		if single = single && p.degree() == 0; single {
			times[p.C+0] += p.ToNs - p.FromNs // of -0 it makes 0
			single = len(times) <= max(bins, 1)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	if single {
		for _, value := range slices.Sorted(maps.Keys(times)) {
			bars = append(bars, Bar{value, value, float64(times[value])})
		}
		return bars, st.ToNs - st.FromNs, nil
	}
	edges := make([]float64, bins+1)
	for i := range edges {
		edges[i] = st.Least + (st.Greatest-st.Least)*float64(i)/float64(bins)
	}
	edges[bins] = math.Nextafter(st.Greatest, math.Inf(1)) // so that the last bar has the greatest value, too
	bars, err = s.Bins(edges)
	return bars, st.ToNs - st.FromNs, err
}

// Bins says how long a signal is at least one edge and below the next, for edges in ascending order. What lies below the first or
// at the last and above is in no bar.
func (s *Stream) Bins(edges []float64) ([]Bar, error) {
	if len(edges) < 2 {
		return nil, nil
	}
	bars := make([]Bar, len(edges)-1)
	for i := range bars {
		bars[i].From, bars[i].To = edges[i], edges[i+1]
	}
	err := s.Each(func(p *Piece) error {
		below := p.below(edges[0], s.StepNs)
		for k := range bars {
			next := p.below(edges[k+1], s.StepNs)
			bars[k].Ns += next - below
			below = next
		}
		return nil
	})
	return bars, err
}

// below is how long, in ns, a piece is below a value.
func (p *Piece) below(value float64, stepNs int64) (ns float64) {
	length := float64(p.ToNs - p.FromNs)
	if p.degree() == 0 {
		if p.C < value {
			return length
		}
		return 0
	}
	from := 0.0
	for _, x := range append(roots(p.C-value, p.B, p.A), length/float64(stepNs)) {
		to := min(max(x*float64(stepNs), from), length)
		if mid := (from + to) / 2 / float64(stepNs); p.C+mid*(p.B+mid*p.A) < value {
			ns += to - from
		}
		from = to
	}
	return ns
}
