package functionchanges

import (
	"math"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Design says to which side and to which block every run belongs.
type Design struct {
	Base   int   // the first Base runs are the baseline, all others the candidate
	Blocks []int // by run: runs of one block are compared with each other; nil compares all with all
}

// Pairs returns the number of runs on the smaller side or, with blocks, the number of blocks that have runs of both sides: as
// many independent differences are there.
func (d Design) Pairs(runs int) int {
	if d.Blocks == nil {
		return min(d.Base, runs-d.Base)
	}
	sides := make(map[int][2]bool)
	for i := range runs {
		has := sides[d.Blocks[i]]
		has[btoi(i >= d.Base)] = true
		sides[d.Blocks[i]] = has
	}
	n := 0
	for _, has := range sides {
		n += btoi(has[0] && has[1])
	}
	return n
}

// Difference returns by how much the values of the candidate's runs exceed those of the baseline's, baseline first, by their means or,
// with blocks, within these, and the interval of Student's t at a level. Nothing is taken out of the values: it is what a reader finds who works it out
// from the runs. Pairs must be 2 or more.
func (d Design) Difference(values []float64, level float64) (difference, lo, hi float64) {
	t := d.student(values)
	lo, hi = t.Interval(level)
	return t.Estimate, lo, hi
}

// student is the t test of the difference of values: Welch's, or that of the differences within blocks.
func (d Design) student(values []float64) stats.Moderated {
	t := d.contrast(len(values)).student(values)
	if d.Blocks == nil {
		left, right := values[:d.Base], values[d.Base:]
		a := squares(left) / float64(len(left)-1) / float64(len(left))
		b := squares(right) / float64(len(right)-1) / float64(len(right))
		t.SE = math.Sqrt(a + b)
		t.DF = (a + b) * (a + b) / (a*a/float64(len(left)-1) + b*b/float64(len(right)-1))
	}
	return t
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// contrast is the comparison of the sides by least squares with a constant for every block. Without blocks there is one
// constant, and the comparison is that of two means.
type contrast struct {
	x     []float64 // by run: 1 for the candidate and 0 for the baseline, less the mean of the block
	xx    float64   // sum of their squares: 1/xx times the variance of a run is the variance of the difference
	df    float64   // runs less blocks, and less 1 where there are two sides
	block []int     // by run, numbered from 0
	size  []float64 // by block: its runs

	means   []float64 // by block; it, centred and out are what fits work with, so that they allocate nothing
	centred []float64 // by run
	out     []bool    // by run
}

func (d Design) contrast(runs int) *contrast {
	c := &contrast{x: make([]float64, runs), block: make([]int, runs)}
	numbers := make(map[int]int)
	for i := range runs {
		name := 0
		if d.Blocks != nil {
			name = d.Blocks[i]
		}
		number, known := numbers[name]
		if !known {
			number = len(c.size)
			numbers[name], c.size = number, append(c.size, 0)
		}
		c.block[i] = number
		c.size[number]++
		c.x[i] = float64(btoi(i >= d.Base))
	}
	c.means = make([]float64, len(c.size))
	c.x = c.withinBlocks(make([]float64, runs), c.x)
	c.centred, c.out = make([]float64, runs), make([]bool, runs)
	for _, x := range c.x {
		c.xx += x * x
	}
	c.df = float64(runs - len(c.size) - btoi(c.xx > 0))
	return c
}

// withinBlocks writes values less the means of their blocks.
func (c *contrast) withinBlocks(to, y []float64) []float64 {
	clear(c.means)
	for i, v := range y {
		c.means[c.block[i]] += v / c.size[c.block[i]]
	}
	for i, v := range y {
		to[i] = v - c.means[c.block[i]]
	}
	return to
}

// fit returns the difference of the sides and the variance of a run around it. Runs of one side have no difference.
// A contrast serves one goroutine at a time.
func (c *contrast) fit(y []float64) (difference, variance float64) {
	centred, squares := c.withinBlocks(c.centred, y), 0.0
	for i, v := range centred {
		if c.xx > 0 {
			difference += c.x[i] * v / c.xx
		}
	}
	for i, v := range centred {
		residual := v - difference*c.x[i]
		squares += residual * residual
	}
	return difference, squares / c.df
}

// student is the t test of the difference with a variance of its own.
func (c *contrast) student(y []float64) stats.Moderated {
	difference, variance := c.fit(y)
	return stats.Moderated{Estimate: difference, SE: math.Sqrt(variance / c.xx), DF: c.df}
}

// errorOf returns the standard error of the difference of values with these standard errors.
func (c *contrast) errorOf(se []float64) float64 {
	sum := 0.0
	for i, x := range c.x {
		sum += x * x * se[i] * se[i]
	}
	return math.Sqrt(sum) / c.xx
}
