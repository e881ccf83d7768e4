package offset

import "math"

// Latencies are those of the messages of a pair as a drift makes them: the fastest and the slowest of either direction, and their
// mean. They are taken once; messages that come later are not in them.
type Latencies struct {
	directions [2]direction
	drifts     []float64
}

// direction is the messages one way. Their distances y to a line of slope d are least at the intercept of early and greatest at that of late, which
// is upside down. Of messages back, y is upside down itself, and so is the slope.
type direction struct {
	early, late           hull
	earlySides, lateSides []float64
	sign                  float64 // of the slope
	n                     float64
	meanX, meanY          float64
}

// Latencies returns those of a pair with messages both ways.
func (p *Pair) Latencies() *Latencies {
	l := &Latencies{drifts: []float64{0}}
	for i, of := range []struct {
		early, late *hull
		sums        *sums
		n           int64
		sign        float64
	}{{&p.upper, &p.upperLate, &p.forth, p.Forth, 1}, {&p.lower, &p.lowerLate, &p.back, p.Back, -1}} {
		of.early.rebuild()
		of.late.rebuild()
		n := float64(of.n)
		d := direction{early: *of.early, late: *of.late, earlySides: of.early.sideSlopes(), lateSides: of.late.sideSlopes(),
			sign: of.sign, n: n, meanX: float64(of.sums.x) / n * 1000, meanY: of.sign * float64(of.sums.y) / n}
		for _, s := range d.earlySides {
			l.drifts = append(l.drifts, d.sign*s)
		}
		for _, s := range d.lateSides {
			l.drifts = append(l.drifts, -d.sign*s)
		}
		l.directions[i] = d
	}
	return l
}

// Drifts returns those at which the fastest or slowest message of a direction is another one, between which nothing is best.
func (l *Latencies) Drifts() []float64 { return l.drifts }

// GapAt returns the ns between the bounds at a drift.
func (l *Latencies) GapAt(drift float64) float64 {
	gap := 0.0
	for i := range l.directions {
		d := &l.directions[i]
		gap += d.early.minIntercept(d.sign*drift, d.earlySides)
	}
	return gap
}

// LikelihoodAt returns the logarithm of how likely the latencies are at a drift, but for what is the same at all drifts. Each direction is taken to have
// latencies that are equally likely from the fastest to the slowest, or that are exponential from the fastest on, whichever suits it better: the
// former have two sharp ends, which say more about a drift than one. No latency is known better than to a unit, in ns.
func (l *Latencies) LikelihoodAt(drift, unit float64) float64 {
	likelihood := 0.0
	for i := range l.directions {
		d := &l.directions[i]
		fastest := d.early.minIntercept(d.sign*drift, d.earlySides)
		slowest := -d.late.minIntercept(-d.sign*drift, d.lateSides)
		mean := d.meanY - d.sign*drift*d.meanX
		likelihood -= d.n * min(math.Log(max(slowest-fastest, unit)), math.Log(max(mean-fastest, unit))+1)
	}
	return likelihood
}
