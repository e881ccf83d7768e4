package stl

// memory keeps what signals were in that nobody reads any more, for those made next, so that not every signal between the parts of a
// formula and its robustness is in memory that has to be cleared. A signal is freed once, by who made it.
type memory struct {
	at   [][]float64
	poly [][]poly
}

// builder returns a builder with room for about as many pieces: signals are long, and to move them costs more than to make them.
func (m *memory) builder(pieces int) *builder {
	return &builder{at: last(&m.at, pieces+1)[:0], poly: last(&m.poly, pieces)[:0]}
}

// backBuilder returns a builder of a signal that ends at a time, with room for about as many pieces.
func (m *memory) backBuilder(pieces int, end float64) backBuilder {
	b := backBuilder{at: last(&m.at, pieces+1), poly: last(&m.poly, pieces)}
	n := min(len(b.at)-1, len(b.poly))
	b.at, b.poly, b.first = b.at[:n+1], b.poly[:n], n
	b.at[n] = end
	return b
}

// last takes what was freed last, if it has room for as many elements, and makes room otherwise. It is as long as it has room.
func last[E any](freed *[][]E, room int) []E {
	n := len(*freed)
	if n == 0 || cap((*freed)[n-1]) < room {
		return make([]E, room)
	}
	e := (*freed)[n-1]
	*freed = (*freed)[:n-1]
	return e[:cap(e)]
}

// free takes what the signals are in, which are not read afterwards.
func (m *memory) free(all ...*Signal) {
	for _, s := range all {
		if s == nil {
			continue
		}
		if s.ownAt != nil {
			m.at = append(m.at, s.ownAt)
		}
		if s.ownPoly != nil {
			m.poly = append(m.poly, s.ownPoly)
		}
	}
}
