package stl

// part is a polynomial on a part of a piece, which begins and ends so long behind the piece's start.
type part struct {
	from, to float64
	poly     poly // of the time since from
}

// extreme puts the greater of two polynomials on a piece of some length, or the smaller, into at most three parts, and returns how many.
func extreme(parts *[3]part, p, q poly, length float64, greater bool) (n int) {
	if q, apart := apart(p, q, length, greater); apart {
		parts[0] = part{0, length, q}
		return 1
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

// apart chooses between two lines that do not cross on a piece, which is what most pieces have: as the middle of their distance says.
func apart(p, q poly, length float64, greater bool) (chosen poly, apart bool) {
	if p.a != q.a {
		return p, false
	}
	first := q.c - p.c
	last := first + length*(q.b-p.b)
	if !(first >= 0 && last >= 0 || first <= 0 && last <= 0) {
		return p, false
	}
	if first+last != 0 && (first+last > 0) == greater {
		return q, true
	}
	return p, true
}

// extreme adds the greater of two polynomials from a time to another, or the smaller.
func (b *builder) extreme(from, to float64, p, q poly, greater bool) {
	if q, apart := apart(p, q, to-from, greater); apart {
		b.add(from, to, q)
		return
	}
	n := extreme(&b.parts, p, q, to-from, greater)
	for k := range n {
		x := &b.parts[k]
		end := to
		if k < n-1 {
			end = from + x.to
		}
		b.add(from+x.from, end, x.poly)
	}
}

// join is the greater of two signals at each instant that both have, or the smaller; nil where they have none.
func join(s, u *Signal, greater bool) *Signal {
	if s == nil || u == nil {
		return nil
	}
	start, end := max(s.Start(), u.Start()), min(s.End(), u.End())
	if end < start {
		return nil
	}
	b := newBuilder(max(len(s.poly), len(u.poly)))
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
