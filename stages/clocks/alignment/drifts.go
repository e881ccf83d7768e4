package alignment

import (
	"cmp"
	"iter"
	"math"
	"slices"
)

// What is gained by drifts that suit the fastest messages best may be chance. Among those that suit them nearly as well, the latencies of all messages
// decide (offset.Latencies), and pairs decide together: clocks that others show to run alike are taken to, so that what each of them says about
// those others counts.

// drifts are those of a tree while they are settled.
type drifts struct {
	*solver
	paces map[*node]*pace
	moved []*pace // those that are not fixed
	unit  float64 // ns, of times
}

// pace is a set of clocks of a tree between which no drift is believed: one parameter, by how much they run faster than the reference.
type pace struct {
	rate  float64 // logarithm of ns per ns of the reference
	fixed bool    // they run as the reference does
	edges []*edge // of the tree, to other paces
	into  *pace   // which they have joined
}

// now is the set that clocks have come to.
func (p *pace) now() *pace {
	for p.into != nil {
		p = p.into
	}
	return p
}

// of is the paces of the clocks of a pair.
func (d *drifts) of(e *edge) (a, b *pace) {
	return d.paces[d.at[e.key[0]]].now(), d.paces[d.at[e.key[1]]].now()
}

// settleDrifts gives the pairs of a tree the drifts that all of them together suggest.
func (s *solver) settleDrifts(root *node) {
	d := &drifts{solver: s, paces: s.pacesOf(root), unit: float64(s.collector.unit)}
	var between []*edge
	for _, e := range s.edges {
		if !e.used || d.paces[s.at[e.key[0]]] == nil {
			continue
		}
		if a, b := d.of(e); a != b {
			between = append(between, e)
			a.edges, b.edges = append(a.edges, e), append(b.edges, e)
		}
	}
	if len(between) == 0 || len(between) > mostSettled {
		return
	}
	all := []*pace{d.paces[root]}
	for _, e := range between {
		e.latencies, e.grain = e.sure.Latencies(), e.sure.Grain(e.bounds.Drift)
		for _, p := range []*pace{d.paces[s.at[e.key[0]]], d.paces[s.at[e.key[1]]]} {
			if !slices.Contains(all, p) {
				all, d.moved = append(all, p), append(d.moved, p)
			}
		}
	}
	var pairs [][2]*pace
	for i, p := range all {
		for _, q := range all[:i] {
			pairs = append(pairs, [2]*pace{p, q})
		}
	}
	slices.SortStableFunc(pairs, func(a, b [2]*pace) int {
		return cmp.Compare(math.Abs(a[0].rate-a[1].rate), math.Abs(b[0].rate-b[1].rate))
	})
	for _, pair := range pairs {
		d.join(pair[0], pair[1])
	}
	for range settling {
		for _, p := range d.moved {
			if p.into == nil {
				d.settle(p)
			}
		}
	}
	for range averaging {
		for _, p := range d.moved {
			if p.into == nil {
				d.average(p)
			}
		}
	}
	for _, e := range between {
		a, b := d.of(e)
		e.bounds.Line, e.bounds.Gap = e.sure.LineAt(math.Expm1(b.rate - a.rate))
		e.latencies = nil
	}
}

// mostSettled is how many pairs of clocks settle drifts together: the time grows with the cube of them.
const mostSettled = 24

// settling is how often every pace is brought to where it suits the others best: two of them rarely have each other move by more than a little.
const settling = 3

// pacesOf finds which clocks of a tree run alike, and how fast.
func (s *solver) pacesOf(root *node) map[*node]*pace {
	paces := map[*node]*pace{root: {fixed: true}}
	for reached := []*node{root}; len(reached) > 0; reached = reached[1:] {
		from := reached[0]
		for _, e := range from.near {
			to := s.at[e.key[0]+e.key[1]-from.domain]
			if paces[to] != nil {
				continue
			}
			rate := 0.0
			if e.verdict == apart {
				rate = math.Log1p(e.bounds.Drift)
			}
			switch {
			case rate == 0:
				paces[to] = paces[from]
			case to.domain == e.key[1]:
				paces[to] = &pace{rate: paces[from].rate + rate}
			default:
				paces[to] = &pace{rate: paces[from].rate - rate}
			}
			reached = append(reached, to)
		}
	}
	return paces
}

// join takes two sets of clocks to run alike where nothing contradicts it by more than chance. Those that speak with each other do not, as the drift
// between them was found to be worth it.
func (d *drifts) join(p, q *pace) {
	if p, q = p.now(), q.now(); p.fixed {
		p, q = q, p
	}
	if p == q || p.fixed {
		return
	}
	rates, own := make(map[*pace]float64), len(q.edges)
	for _, o := range d.moved {
		rates[o] = o.rate
	}
	for _, e := range p.edges {
		if a, b := d.of(e); a == q || b == q {
			return
		}
	}
	p.into, q.edges = q, append(q.edges, p.edges...)
	ok := true
	if q.fixed {
		for _, e := range p.edges {
			a, b := d.of(e)
			if a == q {
				a = b
			}
			ok = ok && d.settle(a)
		}
	} else {
		ok = d.settle(q)
	}
	if !ok {
		p.into, q.edges = nil, q.edges[:own]
		for o, rate := range rates {
			o.rate = rate
		}
	}
}

// settle gives clocks the rate that suits the others best, and is false where the fastest messages of a pair contradict all of them by more than
// chance.
func (d *drifts) settle(p *pace) bool {
	if p.fixed {
		return true
	}
	rate, ok := d.best(p)
	if ok {
		p.rate = rate
	}
	return ok
}

// candidates are the rates that the latencies of single messages with clocks of other paces suggest, while those stay as they are.
func (d *drifts) candidates(p *pace) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for _, e := range p.edges {
			a, b := d.of(e)
			for _, drift := range e.latencies.Drifts() {
				rate := a.rate + math.Log1p(drift)
				if p != b {
					rate = b.rate - math.Log1p(drift)
				}
				if !yield(rate) {
					return
				}
			}
		}
	}
}

// best finds the rate at which the latencies of the messages with clocks of other paces are likeliest, while those stay as they are.
func (d *drifts) best(p *pace) (rate float64, ok bool) {
	likelihood := math.Inf(-1)
	for at := range d.candidates(p) {
		if l := d.likelihoodAt(p, at); l > likelihood {
			rate, likelihood, ok = at, l, true
		}
	}
	return rate, ok
}

// averaging is how often every pace is brought to the mean of what suits the others.
const averaging = 6

// averaged are the rates at which a mean is taken, and unlikely is the difference of logarithms of likelihoods from which on a rate counts for nothing.
const (
	averaged = 48
	unlikely = 12
)

// average gives clocks the mean of the rates that are possible, each as much as it is likely, while the others stay as they are. Of latencies that end
// sharply at a fastest and a slowest one this estimate of Pitman (1939) errs less than the rate that is likeliest, which lies at an edge of what is possible.
func (d *drifts) average(p *pace) {
	type at struct{ rate, likelihood float64 }
	var all []at
	best := math.Inf(-1)
	for rate := range d.candidates(p) {
		if l := d.likelihoodAt(p, rate); !math.IsInf(l, -1) {
			all, best = append(all, at{rate, l}), max(best, l)
		}
	}
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range all {
		if x.likelihood >= best-unlikely {
			lo, hi = min(lo, x.rate), max(hi, x.rate)
		}
	}
	sum, weights := 0.0, 0.0
	for i := range averaged {
		rate := lo + (hi-lo)*(float64(i)+.5)/averaged
		if w := math.Exp(d.likelihoodAt(p, rate) - best); w > 0 {
			sum, weights = sum+w*(rate-p.rate), weights+w
		}
	}
	if weights > 0 {
		p.rate += sum / weights
	}
}

// likelihoodAt is that of all messages with clocks of other paces, and minus infinity where the fastest of a pair contradict the rate.
func (d *drifts) likelihoodAt(p *pace, rate float64) (l float64) {
	for _, e := range p.edges {
		a, b := d.of(e)
		drift := math.Expm1(rate - a.rate)
		if p == a {
			drift = math.Expm1(b.rate - rate)
		}
		if gap := e.latencies.GapAt(drift); gap < min(0, e.bounds.Gap) || gap < e.bounds.Gap-driftGrains*e.grain {
			return math.Inf(-1)
		}
		l += e.latencies.LikelihoodAt(drift, d.unit)
	}
	return l
}
