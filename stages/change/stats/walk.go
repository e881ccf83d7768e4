package stats

// Number is the type of a sample's values: measured floats, or integer nanoseconds.
type Number interface{ int64 | float64 }

// steps walks the distinct values of two sorted samples in ascending order.
type steps[T Number] struct {
	x, y   []T
	value  T   // the current distinct value
	i, j   int // values of x and of y that are at most value
	nx, ny int // values of x and of y that equal value
}

// walk starts before the first distinct value.
func walk[T Number](x, y []T) steps[T] { return steps[T]{x: x, y: y} }

// next moves to the next distinct value. The comparisons are negated so that a NaN ends the walk
// instead of stopping it for ever.
func (s *steps[T]) next() bool {
	i, j := s.i, s.j
	switch {
	case i < len(s.x) && (j == len(s.y) || s.x[i] <= s.y[j]):
		s.value = s.x[i]
	case j < len(s.y):
		s.value = s.y[j]
	default:
		return false
	}
	for s.i < len(s.x) && !(s.x[s.i] > s.value) {
		s.i++
	}
	for s.j < len(s.y) && !(s.y[s.j] > s.value) {
		s.j++
	}
	s.nx, s.ny = s.i-i, s.j-j
	return true
}
