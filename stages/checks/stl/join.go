package stl

// part is a polynomial on a part of a piece, which begins and ends so long behind the piece's start.
type part struct {
	from, to float64
	poly     poly // of the time since from
}

// extreme puts the greater of two polynomials on a piece of some length, or the smaller, into at most three parts, and returns how many.
func extreme(parts *[3]part, p, q poly, length float64, greater bool) (n int) {
	if before, after, x, linear := lines(p, q, length, greater); linear {
		parts[0] = part{0, x, before}
		if x == length {
			return 1
		}
		parts[1] = part{x, length, after.moved(x)}
		return 2
	}
	zeros, crossings := p.minus(q).roots(length)
	from := 0.0
	for k := range crossings + 1 {
		to := length
		if k < crossings {
			to = zeros[k]
		}
		middle := from + (to-from)/2
		chosen := p
		if (q.at(middle) > p.at(middle)) == greater && q.at(middle) != p.at(middle) {
			chosen = q
		}
		parts[n] = part{from, to, chosen.moved(from)}
		n++
		from = to
	}
	return n
}

// lines chooses between two polynomials whose difference is a line, which is what most pieces have: the one before x, and the other
// after it. x is the length of the piece where they do not cross.
func lines(p, q poly, length float64, greater bool) (before, after poly, x float64, linear bool) {
	if p.a != q.a {
		return p, q, length, false
	}
	first := q.c - p.c
	last := first + length*(q.b-p.b)
	if first >= 0 && last >= 0 || first <= 0 && last <= 0 {
		if first+last != 0 && (first+last > 0) == greater {
			return q, p, length, true
		}
		return p, q, length, true
	}
	x = first / (p.b - q.b)
	if (first > 0) == greater {
		p, q = q, p
	}
	return p, q, x, x > 0 && x < length
}

// extreme adds the greater of two polynomials from a time to another, or the smaller.
func (b *builder) extreme(from, to float64, p, q poly, greater bool) {
	length := to - from
	if before, after, x, linear := lines(p, q, length, greater); linear {
		if x == length {
			b.add(from, to, before)
			return
		}
		b.add(from, from+x, before)
		b.add(from+x, to, after.moved(x))
		return
	}
	n := extreme(&b.parts, p, q, length, greater)
	for k := range n {
		x := &b.parts[k]
		b.add(from+x.from, x.ends(k == n-1, from, to), x.poly)
	}
}

// ends is when a part ends that is the last of a piece or not: the last ends exactly with the piece.
func (x *part) ends(last bool, from, to float64) float64 {
	if last {
		return to
	}
	return from + x.to
}

// join is the greater of two signals at each instant that both have, or the smaller; nil where they have none.
func (m *memory) join(s, u *Signal, greater bool) *Signal {
	if s == nil || u == nil {
		return nil
	}
	start, end := max(s.Start(), u.Start()), min(s.End(), u.End())
	if end < start {
		return nil
	}
	b := m.builder(max(len(s.poly), len(u.poly)))
	i, j := 0, 0
	for from := start; from < end; {
		for s.at[i+1] <= from {
			i++
		}
		for u.at[j+1] <= from {
			j++
		}
		to := min(s.at[i+1], u.at[j+1], end)
		b.extreme(from, to, s.poly[i].moved(from-s.at[i]), u.poly[j].moved(from-u.at[j]), greater)
		from = to
	}
	return b.signal(start, choose(s.At(end), u.At(end), greater))
}

// choose is the greater of two values, or the smaller.
func choose(x, y float64, greater bool) float64 {
	if greater {
		return max(x, y)
	}
	return min(x, y)
}
