package signals

import (
	"maps"
	"slices"
)

// Bar says how long a signal has a value, or one from a value to before another.
type Bar struct {
	From, To float64 // equal for one value
	Ns       float64 // whole numbers where the pieces are constants
}

// Histogram says how long a signal has which value (Hendriks et al. 2024, Definition 11), in ascending order of values. It is for
// signals of constants; others get a *DegreeError, and have Bins.
func Histogram(s *Signal) ([]Bar, error) {
	if s.Degree() > 0 {
		return nil, &DegreeError{"histogram of values", s.Degree()}
	}
	times := map[float64]int64{}
	for _, p := range s.Pieces {
		times[p.C+0] += p.ToNs - p.FromNs // of -0 it makes 0
	}
	var bars []Bar
	for _, value := range slices.Sorted(maps.Keys(times)) {
		bars = append(bars, Bar{value, value, float64(times[value])})
	}
	return bars, nil
}

// Bins says how long a signal is at least one edge and below the next, for edges in ascending order. What lies below the first or
// at the last and above is in no bar.
func Bins(s *Signal, edges []float64) []Bar {
	if len(edges) < 2 {
		return nil
	}
	bars := make([]Bar, len(edges)-1)
	for i := range bars {
		bars[i].From, bars[i].To = edges[i], edges[i+1]
	}
	for i := range s.Pieces {
		p := &s.Pieces[i]
		below := p.below(edges[0], s.StepNs)
		for k := range bars {
			next := p.below(edges[k+1], s.StepNs)
			bars[k].Ns += next - below
			below = next
		}
	}
	return bars
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
