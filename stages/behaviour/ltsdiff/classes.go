package ltsdiff

import (
	"cmp"
	"slices"
)

// side is one end of all pairs of states: the states of an automaton with their arcs in one direction,
// divided into classes of equal labels. How many partners without a common label two states have
// depends on their classes alone.
type side struct {
	arcs    *Arcs
	initial []bool // nil where initial states count as others
	class   []int32
	rank    []int32 // of a state in its class
	start   []int32 // of a class in members
	members []int32 // states by class and number
}

// newSide divides the states. With initial, initial states are in other classes than the rest.
func newSide(a *Automaton, arcs *Arcs, initial []bool) side {
	n := a.States()
	s := side{arcs: arcs, initial: initial, class: make([]int32, n), rank: make([]int32, n), members: make([]int32, n)}
	for i := range s.members {
		s.members[i] = int32(i)
	}
	compare := func(x, y int32) int {
		c := cmp.Or(flag(a.Accepting[x])-flag(a.Accepting[y]), slices.Compare(arcs.labels(x), arcs.labels(y)))
		if c == 0 && initial != nil {
			c = flag(initial[x]) - flag(initial[y])
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

func flag(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (s *side) classes() int32 { return int32(len(s.start) - 1) }

func (s *side) size(class int32) int32 { return s.start[class+1] - s.start[class] }

// first is the state with the lowest number in a class.
func (s *side) first(class int32) int32 { return s.members[s.start[class]] }

// states are those of a class, by number.
func (s *side) states(class int32) []int32 { return s.members[s.start[class]:s.start[class+1]] }

// isInitial is false where initial states count as others.
func (s *side) isInitial(state int32) bool { return s.initial != nil && s.initial[state] }

// byLabel lists, for every label, the classes that have it, in order.
func (s *side) byLabel() map[uint32][]int32 {
	classes := make(map[uint32][]int32)
	for c := range s.classes() {
		labels := s.arcs.labels(s.first(c))
		for i, l := range labels {
			if i == 0 || labels[i-1] != l {
				classes[l] = append(classes[l], c)
			}
		}
	}
	return classes
}
