package validate

import "github.com/tracelake/tracelake/schema"

// slot is what is known of one function on one lifeline.
type slot struct {
	component, lifeline, function schema.Code
	open                          int32    // executions that have started and not finished
	last                          [2]int64 // by kind, enter or exit: the highest sequence number so far
}

// slots finds the slot of a function on a lifeline: an open-addressing table with linear probing.
type slots struct {
	all    []slot
	keys   []uint64
	places []int32 // position in all + 1; 0 is free
}

func newSlots() slots {
	const size = 1 << 10
	return slots{keys: make([]uint64, size), places: make([]int32, size)}
}

// of is the position of the slot of a function on a lifeline, which it adds when it is new.
func (s *slots) of(component, lifeline, function schema.Code) int32 {
	key := uint64(lifeline)<<32 | uint64(function)
	i := s.find(key)
	if place := s.places[i]; place != 0 {
		return place - 1
	}
	s.all = append(s.all, slot{component, lifeline, function, 0, [2]int64{schema.NoValue, schema.NoValue}})
	s.keys[i], s.places[i] = key, int32(len(s.all))
	if 2*len(s.all) > len(s.places) {
		s.grow()
	}
	return int32(len(s.all) - 1)
}

// find is where a key is, or where it belongs.
func (s *slots) find(key uint64) int {
	mask := len(s.places) - 1
	i := int(key*0x9E3779B97F4A7C15>>32) & mask
	for s.places[i] != 0 && s.keys[i] != key {
		i = (i + 1) & mask
	}
	return i
}

func (s *slots) grow() {
	old := *s
	s.keys, s.places = make([]uint64, 2*len(old.keys)), make([]int32, 2*len(old.keys))
	for i, place := range old.places {
		if place != 0 {
			at := s.find(old.keys[i])
			s.keys[at], s.places[at] = old.keys[i], place
		}
	}
}
