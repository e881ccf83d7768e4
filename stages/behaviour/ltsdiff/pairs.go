package ltsdiff

import (
	"cmp"
	"slices"
)

// scoreTable holds the scores above 0 in one direction: the states of a left class share one list of partners, so
// the table is sparse and yet indexed without a map. It replaces the dense |L| x |R| matrix of gLTSdiff.
type scoreTable struct {
	left, right labelClasses
	start       []int32   // by left class: where its blocks begin
	blocks      []block   // by left class and right class
	row         []int64   // by left state: where its values begin
	accepting   [2][]bool // by side and state
	value       []float64 // by left state and partner; nil while all pairs of a block score the same
	terms       []term    // scratch of sumTerms
}

// block is a pair of classes that share a label, or of initial states where those count.
type block struct {
	right  int32   // class
	offset int32   // position of its first state among the partners of a left state
	both   float64 // a of the recurrence: 1 if both states are initial and that counts
	parts  float64 // 2 (U + |N| + b), the denominator
	whole  float64 // the score after one refinement, (|N| + a) / parts
}

// newScoreTable finds the pairs over outgoing transitions (forward) or incoming ones. With lone, two initial states
// count backwards even when they have no label in common, as in gLTSdiff's global scores.
func newScoreTable(l, r *Automaton, forward, lone bool) *scoreTable {
	p := &scoreTable{accepting: [2][]bool{l.Accepting, r.Accepting}}
	if forward {
		p.left, p.right = newLabelClasses(l, &l.Out, nil), newLabelClasses(r, &r.Out, nil)
	} else {
		p.left, p.right = newLabelClasses(l, &l.In, l.Initial), newLabelClasses(r, &r.In, r.Initial)
	}
	// 1. Classes that share a label make a block; others score 0 and need none.
	byLabel := p.right.classesByLabel()
	partners := make([]int32, p.left.count()) // of a left class: the number of states on the right
	for c := range p.left.count() {
		p.start = append(p.start, int32(len(p.blocks)))
		partners[c] = p.addBlocks(c, byLabel, lone)
	}
	p.start = append(p.start, int32(len(p.blocks)))
	// 2. The values of a left state lie side by side, block after block.
	p.row = make([]int64, l.States()+1)
	for x := range l.States() {
		p.row[x+1] = p.row[x] + int64(partners[p.left.class[x]])
	}
	return p
}

// addBlocks makes the blocks of a left class and returns the number of partners of each of its states.
func (p *scoreTable) addBlocks(c int32, byLabel map[uint32][]int32, lone bool) int32 {
	x := p.left.representative(c)
	var classes []int32
	for i, l := range p.left.arcs.labelsAt(x) {
		if i == 0 || p.left.arcs.labelsAt(x)[i-1] != l {
			classes = append(classes, byLabel[l]...)
		}
	}
	if lone && p.left.isInitial(x) {
		for d := range p.right.count() {
			if p.right.isInitial(p.right.representative(d)) {
				classes = append(classes, d)
			}
		}
	}
	slices.Sort(classes)
	offset := int32(0)
	for _, d := range slices.Compact(classes) {
		if y := p.right.representative(d); p.accepting[0][x] == p.accepting[1][y] {
			b := p.weighClasses(x, y)
			b.right, b.offset = d, offset
			p.blocks = append(p.blocks, b)
			offset += p.right.sizeOf(d)
		}
	}
	return offset
}

// weighClasses computes the constants of the recurrence for the classes of x and y.
func (p *scoreTable) weighClasses(x, y int32) block {
	// n is |N|; u is U, the transitions on either side whose label the other side lacks.
	n, bothLeft, bothRight := int32(0), int32(0), int32(0)
	p.left.arcs.eachCommonRun(x, p.right.arcs, y, func(i, iTo, j, jTo int32) {
		n += (iTo - i) * (jTo - j)
		bothLeft += iTo - i
		bothRight += jTo - j
	})
	u := int32(len(p.left.arcs.labelsAt(x))) - bothLeft + int32(len(p.right.arcs.labelsAt(y))) - bothRight
	i, j := p.left.isInitial(x), p.right.isInitial(y)
	both, parts := float64(intOf(i && j)), float64(2*(u+n+int32(intOf(i || j))))
	return block{both: both, parts: parts, whole: (float64(n) + both) / parts}
}

// blocksOf returns the blocks of a left state.
func (p *scoreTable) blocksOf(x int32) []block {
	c := p.left.class[x]
	return p.blocks[p.start[c]:p.start[c+1]]
}

// findBlock returns the block of a pair of states, or nil if the pair scores 0, in O(log blocks).
func (p *scoreTable) findBlock(x, y int32) *block {
	blocks, class := p.blocksOf(x), p.right.class[y]
	// Written out, because this is the innermost loop of the scores.
	from, to := 0, len(blocks)
	for from < to {
		mid := (from + to) / 2
		if blocks[mid].right < class {
			from = mid + 1
		} else {
			to = mid
		}
	}
	if from < len(blocks) && blocks[from].right == class {
		return &blocks[from]
	}
	return nil
}

// scoreAt returns the score in this direction of a pair of states that may be combined.
func (p *scoreTable) scoreAt(x, y int32) float64 {
	b := p.findBlock(x, y)
	if b == nil {
		return 0
	}
	if p.value == nil {
		return b.whole
	}
	return p.value[p.row[x]+int64(b.offset+p.right.rank[y])]
}

// labelClasses divides the states of an automaton, with their arcs in one direction, into classes of equal labels
// and equal acceptance. The constants U and |N| of the recurrence in Scores depend on the classes of two states
// alone, so they are computed once per pair of classes.
type labelClasses struct {
	arcs    *Arcs
	initial []bool  // by state; nil where initial states are treated as others
	class   []int32 // by state
	rank    []int32 // by state: its position in its class
	start   []int32 // by class: where its states begin in members
	members []int32 // states by class and number
}

// newLabelClasses divides the states by sorting them, O(n log n) comparisons of label lists. With initial, initial
// states are in other classes than the rest.
func newLabelClasses(a *Automaton, arcs *Arcs, initial []bool) labelClasses {
	n := a.States()
	s := labelClasses{arcs: arcs, initial: initial, class: make([]int32, n), rank: make([]int32, n), members: make([]int32, n)}
	for i := range s.members {
		s.members[i] = int32(i)
	}
	compare := func(x, y int32) int {
		c := cmp.Or(intOf(a.Accepting[x])-intOf(a.Accepting[y]), slices.Compare(arcs.labelsAt(x), arcs.labelsAt(y)))
		if c == 0 && initial != nil {
			c = intOf(initial[x]) - intOf(initial[y])
		}
		return c
	}
	slices.SortFunc(s.members, func(x, y int32) int { return cmp.Or(compare(x, y), cmp.Compare(x, y)) })
	for i, x := range s.members {
		if i == 0 || compare(s.members[i-1], x) != 0 {
			s.start = append(s.start, int32(i))
		}
		s.class[x] = int32(len(s.start) - 1)
		s.rank[x] = int32(i) - s.start[s.class[x]]
	}
	s.start = append(s.start, n)
	return s
}

// intOf returns 1 for true, so that flags can be compared and added up.
func intOf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// count returns the number of classes.
func (s *labelClasses) count() int32 { return int32(len(s.start) - 1) }

// sizeOf returns the number of states in a class.
func (s *labelClasses) sizeOf(class int32) int32 { return s.start[class+1] - s.start[class] }

// representative returns the state with the lowest number in a class.
func (s *labelClasses) representative(class int32) int32 { return s.members[s.start[class]] }

// statesOf returns the states of a class by number. The slice is owned by the classes.
func (s *labelClasses) statesOf(class int32) []int32 {
	return s.members[s.start[class]:s.start[class+1]]
}

// isInitial reports whether a state counts as initial.
func (s *labelClasses) isInitial(state int32) bool { return s.initial != nil && s.initial[state] }

// classesByLabel lists, for every label, the classes that have it, in order.
func (s *labelClasses) classesByLabel() map[uint32][]int32 {
	classes := make(map[uint32][]int32)
	for c := range s.count() {
		labels := s.arcs.labelsAt(s.representative(c))
		for i, l := range labels {
			if i == 0 || labels[i-1] != l {
				classes[l] = append(classes[l], c)
			}
		}
	}
	return classes
}
