package stl

// backBuilder puts a signal together from right to left. It fills its memory from the end, so that nothing is turned around.
type backBuilder struct {
	at    []float64 // at[first:] are the beginnings of pieces, and the end
	poly  []poly    // poly[first:] are the pieces
	first int
	parts [3]part // memory of extreme
}

// add puts a piece before those that were added. Equal constants become one piece, and a piece of no length is left out.
func (b *backBuilder) add(from, to float64, p poly) {
	if to <= from {
		return
	}
	if p.b == 0 && p.a == 0 && b.first < len(b.poly) && b.poly[b.first] == p {
		b.at[b.first] = from
		return
	}
	if b.first == 0 {
		b.grow()
	}
	b.first--
	b.at[b.first], b.poly[b.first] = from, p
}

// grow makes room for as many pieces again before those that were added.
func (b *backBuilder) grow() {
	more := max(len(b.poly), 1)
	b.at = append(make([]float64, more, more+len(b.at)), b.at...)
	b.poly = append(make([]poly, more, more+len(b.poly)), b.poly...)
	b.first = more
}

// extreme adds the greater of two polynomials from a time to another, or the smaller.
func (b *backBuilder) extreme(from, to float64, p, q poly, greater bool) {
	length := to - from
	if before, after, x, linear := lines(p, q, length, greater); linear {
		if x == length {
			b.add(from, to, before)
			return
		}
		b.add(from+x, to, after.moved(x))
		b.add(from, from+x, before)
		return
	}
	n := extreme(&b.parts, p, q, length, greater)
	for k := n - 1; k >= 0; k-- {
		x := &b.parts[k]
		b.add(from+x.from, x.ends(k == n-1, from, to), x.poly)
	}
}

// signal returns what was added, or a single instant where nothing was.
func (b *backBuilder) signal(at, last float64) *Signal {
	if b.first == len(b.poly) {
		return new(builder).signal(at, last)
	}
	return &Signal{at: b.at[b.first:], poly: b.poly[b.first:], last: last, ownAt: b.at, ownPoly: b.poly}
}
