package heap

// Heap holds items and gives back the first of them in O(log n). The order of items of which neither comes before
// the other is not defined: an order that must be reproducible has to be strict, with a number as its last key.
type Heap[T any] struct {
	before func(a, b T) bool // a strict order
	items  []T               // items[i] does not come after items[2i+1] and items[2i+2]
}

// New returns an empty heap. before reports whether a comes out before b; it must be a strict weak order and must not
// change for items that are in the heap.
func New[T any](before func(a, b T) bool) Heap[T] { return Heap[T]{before: before} }

// Len returns the number of items.
func (h *Heap[T]) Len() int { return len(h.items) }

// First returns the item that Pop would return next. The heap must not be empty. A caller that changes the item such
// that it comes later must call FixFirst before anything else.
func (h *Heap[T]) First() *T { return &h.items[0] }

// Push adds an item: it rises from the end past all items that it comes before.
func (h *Heap[T]) Push(item T) {
	h.items = append(h.items, item)
	items, i := h.items, len(h.items)-1
	for i > 0 {
		parent := (i - 1) / 2
		if !h.before(item, items[parent]) {
			break
		}
		items[i] = items[parent]
		i = parent
	}
	items[i] = item
}

// Pop removes the first item and returns it. The heap must not be empty.
func (h *Heap[T]) Pop() T {
	var none T
	first, last := h.items[0], len(h.items)-1
	h.items[0], h.items[last] = h.items[last], none // the array must not keep alive what the item points to
	h.items = h.items[:last]
	h.FixFirst()
	return first
}

// FixFirst restores the order after the first item was changed: it sinks below all items that come before it.
func (h *Heap[T]) FixFirst() {
	items, before, i := h.items, h.before, 0
	if len(items) < 2 {
		return
	}
	item := items[0]
	for {
		child := 2*i + 1
		if child >= len(items) {
			break
		}
		if next := child + 1; next < len(items) && before(items[next], items[child]) {
			child = next
		}
		if !before(items[child], item) {
			break
		}
		items[i] = items[child]
		i = child
	}
	items[i] = item
}

// Clear removes all items and keeps the memory for the next ones.
func (h *Heap[T]) Clear() {
	clear(h.items)
	h.items = h.items[:0]
}
