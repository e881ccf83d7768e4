package claims

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/claimorder"
)

// Distance compares the order of a run with that of a reference, by attributes.
func (s *Set) Distance(reference, r *Run, by []string, full bool) (*claimorder.Distance, error) {
	return claimorder.Compare(s.order(reference, by, ""), s.order(r, by, ""), full)
}

// order is a run as its order is compared.
func (s *Set) order(r *Run, by []string, except string) *claimorder.Claims {
	c := &claimorder.Claims{StartNs: r.StartNs, EndNs: r.EndNs}
	c.Key, c.Events = s.Keys(r, by, except)
	return c
}

// Item is a thing that a run processes.
type Item struct {
	Run          *Run
	Value        string
	Class        uint32
	FromNs, ToNs int64 // from its first event to its last
}

// Items finds the items of all runs, which are the values of an attribute in the order of their first events, with the class of
// behaviour of each, by some attributes.
func (s *Set) Items(item string, by []string, full bool) (all []Item) {
	classes := &claimorder.Classes{Full: full}
	for _, r := range s.Runs {
		ofClaims, ofEvents := s.Values(r, item)
		of := claimorder.Items{OfClaims: make([]uint32, len(ofClaims)), OfEvents: make([]uint32, len(ofEvents))}
		number := make(map[schema.Code]uint32)
		first := len(all)
		add := func(value schema.Code, fromNs, toNs int64) uint32 {
			if value == schema.NoCode {
				return claimorder.NoItem
			}
			n, known := number[value]
			if !known {
				n = uint32(len(number))
				number[value] = n
				all = append(all, Item{Run: r, Value: s.Value(value), FromNs: fromNs, ToNs: toNs})
			}
			it := &all[first+int(n)]
			it.FromNs, it.ToNs = min(it.FromNs, fromNs), max(it.ToNs, toNs)
			return n
		}
		// Claims and events are merged by time, so that items are numbered by their first events.
		event := 0
		for i, value := range ofClaims {
			for ; event < len(ofEvents) && r.EventNs[event] < r.StartNs[i]; event++ {
				of.OfEvents[event] = add(ofEvents[event], r.EventNs[event], r.EventNs[event])
			}
			of.OfClaims[i] = add(value, r.StartNs[i], r.EndNs[i])
		}
		for ; event < len(ofEvents); event++ {
			of.OfEvents[event] = add(ofEvents[event], r.EventNs[event], r.EventNs[event])
		}
		for i, class := range classes.Of(s.order(r, by, item), of, len(number)) {
			all[first+i].Class = class
		}
	}
	return all
}
