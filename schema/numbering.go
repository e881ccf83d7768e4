package schema

// Numbering numbers distinct values from 0 in the order in which they first come: the keys and marks of a reader, whose
// blocks refer to them by these numbers, or whatever else is passed on as a number. The zero Numbering is empty and ready
// for use. It never forgets a value, so it suits what a trace has thousands of and not what it has millions of.
// Names have a Dictionary; keys that are looked up for every row of a table have package stages/numbering, which is faster.
type Numbering[V comparable] struct {
	List   []V // the values by their numbers
	number map[V]uint32
}

// Number returns the number of a value, which is added when it is new. It costs one look into a map.
func (n *Numbering[V]) Number(value V) uint32 {
	number, _ := n.Add(value)
	return number
}

// Add is Number for callers that keep something beside each value: it also reports whether the value is new.
func (n *Numbering[V]) Add(value V) (number uint32, isNew bool) {
	number, known := n.number[value]
	if !known {
		if n.number == nil {
			n.number = make(map[V]uint32)
		}
		number = uint32(len(n.List))
		n.List = append(n.List, value)
		n.number[value] = number
	}
	return number, !known
}
