package ltsdiff

import (
	"slices"
)

// pairs are the pairs of states that score above 0 in one direction, by class of the left state: the
// states of a class have the same partners.
type pairs struct {
	left, right side
	start       []int32   // of a left class in blocks
	blocks      []block   // by left class and right class
	row         []int64   // of a left state: where its values start
	accepting   [2][]bool // left, right
	value       []float64 // by left state and partner; nil while all pairs of a block score the same
	terms       []term    // of a pair, while it is refined
}

// block is a pair of classes that share a label, or of initial states where those count.
type block struct {
	right  int32   // class
	offset int32   // of its first state among the partners of a left state
	both   float64 // a of the recurrence: 1 if both states are initial and that counts
	parts  float64 // 2 (U + |N| + b), its denominator
	whole  float64 // the score after one refinement, (|N| + a) / parts
}

// newPairs finds the pairs over outgoing transitions (forward) or incoming ones. With lone, two initial states
// count backwards even when they have no label in common, as in gLTSdiff's global scores.
func newPairs(l, r *Automaton, forward, lone bool) *pairs {
	p := &pairs{accepting: [2][]bool{l.Accepting, r.Accepting}}
	if forward {
		p.left, p.right = newSide(l, &l.Out, nil), newSide(r, &r.Out, nil)
	} else {
		p.left, p.right = newSide(l, &l.In, l.Initial), newSide(r, &r.In, r.Initial)
	}
	byLabel := p.right.byLabel()
	partners := make([]int32, p.left.classes()) // of a left class: the number of states on the right
	for c := range p.left.classes() {
		p.start = append(p.start, int32(len(p.blocks)))
		partners[c] = p.addBlocks(c, byLabel, lone)
	}
	p.start = append(p.start, int32(len(p.blocks)))
	p.row = make([]int64, l.States()+1)
	for x := range l.States() {
		p.row[x+1] = p.row[x] + int64(partners[p.left.class[x]])
	}
	return p
}

// addBlocks makes the blocks of a left class and returns the number of partners of its states.
func (p *pairs) addBlocks(c int32, byLabel map[uint32][]int32, lone bool) int32 {
	x := p.left.first(c)
	var classes []int32
	for i, l := range p.left.arcs.labels(x) {
		if i == 0 || p.left.arcs.labels(x)[i-1] != l {
			classes = append(classes, byLabel[l]...)
		}
	}
	if lone && p.left.isInitial(x) {
		for d := range p.right.classes() {
			if p.right.isInitial(p.right.first(d)) {
				classes = append(classes, d)
			}
		}
	}
	slices.Sort(classes)
	offset := int32(0)
	for _, d := range slices.Compact(classes) {
		if y := p.right.first(d); p.accepting[0][x] == p.accepting[1][y] {
			b := p.weigh(x, y)
			b.right, b.offset = d, offset
			p.blocks = append(p.blocks, b)
			offset += p.right.size(d)
		}
	}
	return offset
}

// weigh finds the constants of the recurrence for the classes of x and y.
func (p *pairs) weigh(x, y int32) block {
	n, bothLeft, bothRight := int32(0), int32(0), int32(0)
	p.left.arcs.common(x, p.right.arcs, y, func(i, iTo, j, jTo int32) {
		n += (iTo - i) * (jTo - j)
		bothLeft += iTo - i
		bothRight += jTo - j
	})
	u := int32(len(p.left.arcs.labels(x))) - bothLeft + int32(len(p.right.arcs.labels(y))) - bothRight
	i, j := p.left.isInitial(x), p.right.isInitial(y)
	both, parts := float64(flag(i && j)), float64(2*(u+n+int32(flag(i || j))))
	return block{both: both, parts: parts, whole: (float64(n) + both) / parts}
}

// of are the blocks of a left state.
func (p *pairs) of(x int32) []block {
	c := p.left.class[x]
	return p.blocks[p.start[c]:p.start[c+1]]
}

// find is the block of a pair of states, or nil if it scores 0.
func (p *pairs) find(x, y int32) *block {
	blocks, class := p.of(x), p.right.class[y]
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

// at is the score of a pair of states that may be combined.
func (p *pairs) at(x, y int32) float64 {
	b := p.find(x, y)
	if b == nil {
		return 0
	}
	if p.value == nil {
		return b.whole
	}
	return p.value[p.row[x]+int64(b.offset+p.right.rank[y])]
}
