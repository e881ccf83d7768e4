package signals

// exact is a sum of float64 with twice their digits: the sum is hi + lo.
type exact struct{ hi, lo float64 }

// add adds a number without rounding it off (Knuth's TwoSum), as long as two float64 hold the sum.
func (e *exact) add(x float64) {
	s := e.hi + x
	bb := s - e.hi
	e.lo += (e.hi - (s - bb)) + (x - bb)
	e.hi = s
	// The parts stay apart: hi is the sum as near as a float64 comes.
	s = e.hi + e.lo
	e.lo -= s - e.hi
	e.hi = s
}

// value is the sum, rounded once.
func (e *exact) value() float64 { return e.hi + e.lo }

// minus is the difference of two sums, rounded once where they are near each other.
func (e exact) minus(f exact) float64 {
	e.add(-f.hi)
	e.add(-f.lo)
	return e.value()
}
