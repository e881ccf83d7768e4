package changepoint

import "math"

// cutter cuts one series.
type cutter struct {
	Options
	places    float64 // that the series can be cut at
	onLine    int     // values of a line at least, where the series bends
	inflation float64 // of its variance, by correlation
}

// newCutter estimates by how much the variance of a series is inflated: from what is left around whatever describes the series best,
// a stair or lines, so that neither steps nor slopes pass for correlation.
func newCutter(o Options, values []float64) *cutter {
	c := &cutter{o, float64(o.places(len(values))), max(fewestOnLine, len(values)/lineShare), 1}
	if len(values) < fewestToBend {
		c.onLine = len(values)
	}
	if len(values) >= shortest {
		best, lines := c.stair(values), c.lines(values)
		if lines.price() <= best.price() {
			best = lines
		}
		c.inflation = inflate(best.residuals, best.parameters)
	}
	return c
}

// cut adds to a shape the places at which part of a series is cut; it begins at position from of the series. With slopes, a part
// that lines describe better than a stair is cut where two lines describe it better than one, or where a step stands out from
// the line: a slope that is cut into a stair names releases in which nothing happened.
func (c *cutter) cut(found *Shape, part []float64, from int, slopes bool) {
	if len(part) < 2*c.MinSegment {
		return
	}
	step, b := fitStep(part, c.MinSegment, false, c.inflation), bend{}
	if slopes && len(part) >= shortest {
		lines, stair := c.lines(part), c.stair(part)
		// In a part that is too short to bend, a stair is dearer than a line by more than a great step saves.
		if short := len(part) < fewestToBend; lines.price() <= stair.price() && !(short && sumOfSquares(lines.residuals) >= step.squares) {
			step = fitStep(part, c.MinSegment, true, c.inflation)
			if lines.parts > 1 {
				b = c.bend(part)
			}
		}
	}
	at, p := b.at, c.places*b.jump // of a step where it bends; above the level there is none
	if at == 0 || c.places*b.p > c.Level {
		if at, p = step.at, c.places*step.p; at == 0 || p > c.Level {
			return
		}
	}
	c.cut(found, part[:at], from, slopes)
	if p > c.Level {
		found.Bends = append(found.Bends, from+at)
	} else {
		found.Breaks = append(found.Breaks, Break{At: from + at, P: p})
	}
	c.cut(found, part[at:], from+at, slopes)
}

// bend is where a part bends.
func (c *cutter) bend(part []float64) bend {
	return fitBend(part, c.onLine, c.inflation, c.Level/c.places)
}

// description is what a stair or lines leave of the values of a part.
type description struct {
	residuals  []float64
	parts      int // steps of the stair, or lines
	parameters int // levels, slopes and places
}

// stair describes a part by levels alone.
func (c *cutter) stair(part []float64) description {
	var s Shape
	c.cut(&s, part, 0, false)
	residuals, levels := s.residuals(part)
	return description{residuals, levels, levels + len(s.Breaks)}
}

// lines describes a part by lines alone.
func (c *cutter) lines(part []float64) description {
	if b := c.bend(part); b.at > 0 && c.places*b.p <= c.Level {
		left, right := c.lines(part[:b.at]), c.lines(part[b.at:])
		return description{append(left.residuals, right.residuals...), left.parts + right.parts, left.parameters + right.parameters + 1}
	}
	line := fitLine(part, 1)
	return description{line.residuals(part), 1, 2}
}

// pricePerParameter is half as much again as the criterion of Schwarz asks, since places of steps and bends were searched for.
const pricePerParameter = 1.5

// price is the criterion of Schwarz (1978, Annals of Statistics 6), by which descriptions of the same values are compared, the
// smaller the better: the logarithm of the squares, and a price for each parameter. What leaves nothing has no price.
func (d *description) price() float64 {
	squares := sumOfSquares(d.residuals)
	if squares <= 0 {
		return math.Inf(-1)
	}
	n := float64(len(d.residuals))
	return n*math.Log(squares) + pricePerParameter*float64(d.parameters)*math.Log(n)
}
