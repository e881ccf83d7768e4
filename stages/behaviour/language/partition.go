package language

// partition divides the numbers from 0 to n-1 into classes that can be split: those marked from those not. Splitting takes
// time in the marked ones only (Valmari 2012, section 3).
type partition struct {
	elements  []int32 // class after class; of a class the marked ones first
	place     []int32 // by element: its position in elements
	class     []int32 // by element
	from, to  []int32 // by class: its positions
	marked    []int32 // by class: how many of its elements are
	withMarks []int32 // the classes with marked elements
}

// newPartition has one class of all n, or none where n is 0.
func newPartition(n int) *partition {
	p := &partition{elements: make([]int32, n), place: make([]int32, n), class: make([]int32, n)}
	for i := range p.elements {
		p.elements[i], p.place[i] = int32(i), int32(i)
	}
	if n > 0 {
		p.from, p.to, p.marked = []int32{0}, []int32{int32(n)}, []int32{0}
	}
	return p
}

func (p *partition) classes() int { return len(p.from) }

// of returns the elements of a class. Marking must wait until they are no longer needed.
func (p *partition) of(class int) []int32 { return p.elements[p.from[class]:p.to[class]] }

// mark marks an element that may be marked already.
func (p *partition) mark(e int32) {
	c := p.class[e]
	i, j := p.place[e], p.from[c]+p.marked[c]
	if i < j {
		return
	}
	if p.marked[c] == 0 {
		p.withMarks = append(p.withMarks, c)
	}
	other := p.elements[j]
	p.elements[i], p.place[other] = other, i
	p.elements[j], p.place[e] = e, j
	p.marked[c]++
}

// split takes the marked elements of every class from the others. The smaller part becomes the new class.
func (p *partition) split() {
	for _, c := range p.withMarks {
		from, to := p.from[c], p.to[c]
		middle := from + p.marked[c]
		p.marked[c] = 0
		if middle == to {
			continue
		}
		if middle-from <= to-middle {
			p.from[c], to = middle, middle
		} else {
			p.to[c], from = middle, middle
		}
		for _, e := range p.elements[from:to] {
			p.class[e] = int32(len(p.from))
		}
		p.from, p.to, p.marked = append(p.from, from), append(p.to, to), append(p.marked, 0)
	}
	p.withMarks = p.withMarks[:0]
}
