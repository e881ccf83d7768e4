// Package heap is the one priority queue of the house: a binary heap (Knuth, The Art of Computer Programming 3,
// section 5.2.3) over values of one type. Readers merge sorted runs and order the ends of open calls with it,
// analyses take their candidates from it by urgency.
//
// It differs from container/heap in two ways: items are stored as they are and not boxed in interfaces, and a hole
// moves through the heap where container/heap swaps, so a step costs one assignment and at most two comparisons.
// Neither Push nor Pop allocates beyond growing the slice.
package heap
