package etf

import (
	"cmp"
	"slices"
)

// starts are the claims that start at one time. They come the longest first, so that each finds the lane of one that holds it, and
// are entered in the order of the text, as checks have it; a claim that holds another is entered before it.
type starts struct {
	timeNs int64
	claims []starting
	points []point // ends of dependencies at their starts
	order  []int32 // memory for the order in which they are entered
	turn   uint32  // counts the times that there were: lanes are asked with it whether they hold a claim of this time
}

// starting is a claim that is to be entered.
type starting struct {
	record
	number               int64 // in the order in which claims get lanes
	lane                 *lane
	key                  uint32
	holder               int32 // the claim of the same start in which it lies on its lane, or -1
	entered              bool  // it has its place in the order
	firstPoint, endPoint int   // its part of points
}

// add appends a claim that has its lane.
func (s *starts) add(c starting) {
	if len(s.claims) == 0 {
		s.timeNs = c.from
		s.turn++
	}
	at := int32(len(s.claims))
	c.holder, c.firstPoint, c.endPoint = -1, len(s.points), len(s.points)
	if c.lane.turn == s.turn {
		c.holder = c.lane.innermost
	}
	// A claim without length is over before the next one begins, so it holds nothing.
	if c.to > c.from {
		c.lane.turn, c.lane.innermost = s.turn, at
	}
	s.claims = append(s.claims, c)
}

// attach gives the last claim an end of a dependency.
func (s *starts) attach(p point) {
	s.points = append(s.points, p)
	s.claims[len(s.claims)-1].endPoint++
}

// inOrder are the positions of the claims in the order in which they are entered.
func (s *starts) inOrder() []int32 {
	byLine := s.order[:0]
	for i := range s.claims {
		byLine = append(byLine, int32(i))
	}
	if len(byLine) > 1 {
		slices.SortFunc(byLine, func(a, b int32) int { return cmp.Compare(s.claims[a].line, s.claims[b].line) })
		byLine = s.withHolders(byLine)
	}
	s.order = byLine
	return byLine
}

// withHolders puts those that hold a claim before it: all that were not entered yet, the outermost first.
func (s *starts) withHolders(byLine []int32) []int32 {
	order := make([]int32, 0, len(byLine))
	for _, at := range byLine {
		first := len(order)
		for ; at >= 0 && !s.claims[at].entered; at = s.claims[at].holder {
			s.claims[at].entered = true
			order = append(order, at)
		}
		slices.Reverse(order[first:])
	}
	return order
}

// clear forgets the claims and keeps their memory.
func (s *starts) clear() { s.claims, s.points = s.claims[:0], s.points[:0] }
