package signals

// Items gathers what belongs together: an item lasts from the earliest time of its parts to the latest (Hendriks et al. 2024,
// section 3.3). Parts come in any order.
type Items struct {
	all    []Interval
	number map[uint32]int
}

// Add adds a part to the item of a code.
func (i *Items) Add(code uint32, fromNs, toNs int64) {
	at, known := i.number[code]
	if !known {
		if i.number == nil {
			i.number = make(map[uint32]int)
		}
		at = len(i.all)
		i.number[code] = at
		i.all = append(i.all, Interval{fromNs, toNs, 1})
	}
	item := &i.all[at]
	item.FromNs, item.ToNs = min(item.FromNs, fromNs), max(item.ToNs, toNs)
}

// All returns the items, in the order of their first parts, each with the value 1.
func (i *Items) All() []Interval { return i.all }
