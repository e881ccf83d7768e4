package ltsdiff

import (
	"cmp"
	"slices"
)

// candidate is a pair that could be made.
type candidate struct {
	Pair
	score float64
}

// grow pairs the neighbours of pairs: the free predecessors and successors by equal labels of all pairs,
// the highest score first, and on ties the first found; then those of the new pairs, until there are none.
//
// When a wave is over, every neighbour of the pairs before it has a partner or is at odds with one, so the next
// wave starts from the new pairs only.
func (m *matching) grow(s *Scores) {
	var wave []candidate
	for from := 0; from < len(m.pairs); {
		wave = wave[:0]
		for _, p := range m.pairs[from:] {
			wave = m.surrounding(wave, &m.left.In, &m.right.In, p)
			wave = m.surrounding(wave, &m.left.Out, &m.right.Out, p)
		}
		for i := range wave {
			wave[i].score = s.At(wave[i].Left, wave[i].Right)
		}
		slices.SortStableFunc(wave, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
		from = len(m.pairs)
		for _, c := range wave {
			if m.free(c.Left, c.Right) {
				m.join(c.Left, c.Right)
			}
		}
	}
}

// surrounding appends the neighbours of a pair in one direction that could be pairs, in the order of the
// transitions of the left automaton and then of the right one.
func (m *matching) surrounding(wave []candidate, l, r *Arcs, p Pair) []candidate {
	type arcs struct{ left, right int32 }
	var found []arcs
	l.common(p.Left, r, p.Right, func(i, iTo, j, jTo int32) {
		for ; i < iTo; i++ {
			for k := j; k < jTo; k++ {
				if x, y := l.End[i], r.End[k]; m.free(x, y) && m.combinable(x, y) {
					found = append(found, arcs{i, k})
				}
			}
		}
	})
	slices.SortFunc(found, func(a, b arcs) int {
		return cmp.Or(cmp.Compare(l.Number[a.left], l.Number[b.left]), cmp.Compare(r.Number[a.right], r.Number[b.right]))
	})
	for _, a := range found {
		wave = append(wave, candidate{Pair: Pair{l.End[a.left], r.End[a.right]}})
	}
	return wave
}
