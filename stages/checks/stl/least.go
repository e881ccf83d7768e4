package stl

// Least returns the infimum of the values on [from, to] within the domain, and the first instant at which it is reached or, from the
// left, approached.
func (s *Signal) Least(from, to float64) (value, at float64) {
	from, to = max(from, s.Start()), min(to, s.End())
	value, at = s.At(from), from
	lower := func(v, t float64) {
		if v < value {
			value, at = v, t
		}
	}
	for i, p := range s.poly {
		begin, end := max(s.at[i], from), min(s.at[i+1], to)
		if begin > end {
			continue
		}
		lower(p.at(begin-s.at[i]), begin)
		if x := -p.b / (2 * p.a); p.a > 0 && s.at[i]+x > begin && s.at[i]+x < end {
			lower(p.at(x), s.at[i]+x)
		}
		lower(p.at(end-s.at[i]), end)
	}
	if to == s.End() {
		lower(s.last, to)
	}
	return value, at
}

// Greatest returns the supremum likewise.
func (s *Signal) Greatest(from, to float64) (value, at float64) {
	value, at = new(memory).scaled(s, 0, -1, 0).Least(from, to)
	return -value, at
}
