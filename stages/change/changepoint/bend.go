package changepoint

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// How short a line may be where a part bends. The ends of noise make a slope of fewer values; and of a long series, nobody calls a
// few weeks a trend.
const (
	fewestOnLine = 7
	lineShare    = 14 // a line has at least one in so many values of the series
	fewestToBend = 40 // values of a series that bends: in fewer, slow noise looks the same
)

// straight is the share of the variance of a part that a line may leave unexplained for the part to be one slope. Growth is never
// quite straight, and without much noise every little curve of it would be a bend.
const straight = .04

// bend is where two lines describe a part of a series best.
type bend struct {
	at   int     // position of the first value of the second line; 0 where there is none
	p    float64 // of one line instead of two, by the F test of Chow (1960, Econometrica 28), the variance inflated
	jump float64 // p of lines that meet; where it is above the level, at is where they do
}

// fitBend fits two lines at every place with at least shortest values on either side, in linear time. A part that is straight has
// no bend. Two free lines jump wherever noise moves their place, so they are compared with the best two that meet, and where they
// are better by no more than a place that was searched for explains, the part bends where the lines meet.
func fitBend(values []float64, shortest int, inflation, level float64) bend {
	n := len(values)
	one := fitLine(values, 1)
	if n < 2*shortest || one.squares < straight*(one.squares+one.slope*one.slope*squaresOfPositions(n)) {
		return bend{}
	}
	var all, before moments
	for i, v := range values {
		all.add(one.time(i), v-one.at(i))
	}
	var apart, meeting struct {
		at    int
		saves float64 // of the squares that one line leaves
	}
	for i, v := range values[:n-shortest+1] {
		if i >= shortest {
			after := all.less(&before)
			if saves := one.squares - before.squares() - after.squares(); apart.at == 0 || saves > apart.saves {
				apart.at, apart.saves = i, saves
			}
			if saves := after.hinge(one.time(i)-.5, &all); meeting.at == 0 || saves > meeting.saves {
				meeting.at, meeting.saves = i, saves
			}
		}
		before.add(one.time(i), v-one.at(i))
	}
	df := math.Max(float64(n-4)/inflation, 1)
	variance := inflation * math.Max(one.squares-apart.saves, 0) / float64(n-4)
	jump := stats.Moderated{Estimate: math.Sqrt(math.Max(apart.saves-meeting.saves, 0)), SE: math.Sqrt(variance), DF: df}
	b := bend{at: apart.at, p: upperF2(apart.saves/2/variance, df), jump: jump.P()}
	if b.jump > level {
		b.at = meeting.at
	}
	return b
}

// hinge returns by how much a second slope from time start on, where it meets the line, reduces the squares of residuals of a line. m
// are the sums over the values behind start, all those over all values, whose times have a mean of 0.
func (m *moments) hinge(start float64, all *moments) (saves float64) {
	// The second slope has the regressor h = t - start behind start, and 0 before.
	sum, squares := m.t-start*m.n, m.tt-2*start*m.t+start*start*m.n
	times, products := m.tt-start*m.t, m.ty-start*m.y
	norm := squares - sum*sum/all.n - times*times/all.tt // of h less what the line has of it
	return products * products / norm
}

// upperF2 is the upper tail of the F distribution with 2 and df degrees of freedom, which has a closed form.
func upperF2(f, df float64) float64 { return math.Pow(1+2*f/df, -df/2) }

// moments are sums over values y at times t, from which the squares that the line of least squares leaves follow.
type moments struct{ n, t, tt, y, ty, yy float64 }

func (m *moments) add(t, y float64) {
	m.n, m.t, m.tt, m.y, m.ty, m.yy = m.n+1, m.t+t, m.tt+t*t, m.y+y, m.ty+t*y, m.yy+y*y
}

// less returns the sums over the values that o does not have.
func (m *moments) less(o *moments) *moments {
	return &moments{m.n - o.n, m.t - o.t, m.tt - o.tt, m.y - o.y, m.ty - o.ty, m.yy - o.yy}
}

func (m *moments) squares() float64 {
	times, products := m.tt-m.t*m.t/m.n, m.ty-m.t*m.y/m.n
	return m.yy - m.y*m.y/m.n - products*products/times
}
