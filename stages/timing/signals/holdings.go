package signals

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Holdings are what executions hold of resources: claims, or, of runs that declare none, 1 of their lifeline. An interval takes 24 bytes.
type Holdings struct {
	claims *schema.Claims
	names  []string
	of     [][]Interval
	at     map[int64]int // by resource, or code of a lifeline

	lifeline schema.Code // of the last row that was added, and its position; -1: of none
	last     int
}

// NewHoldings returns holdings of the resources that a run declares, which come first. Claims are sorted by their executions.
func NewHoldings(claims *schema.Claims, resources []schema.Resource) *Holdings {
	h := &Holdings{claims: claims, at: make(map[int64]int), last: -1}
	for i := range resources {
		h.number(resources[i].Resource, func() string { return resources[i].Name })
	}
	return h
}

// number is the position of a resource.
func (h *Holdings) number(key int64, name func() string) int {
	i, known := h.at[key]
	if !known {
		i = len(h.names)
		h.at[key], h.names = i, append(h.names, name())
		if i == cap(h.of) {
			h.of = append(h.of, nil)
		}
		h.of = h.of[:i+1]
		h.of[i] = h.of[i][:0] // in the memory of one that was forgotten
	}
	return i
}

// Claimed reports whether the run has claims, so that amounts differ from numbers.
func (h *Holdings) Claimed() bool { return len(h.claims.Execution) > 0 }

// Add adds a row of executions.
func (h *Holdings) Add(x *schema.Executions, i int) {
	value, n := 1.0, 0
	if !h.Claimed() {
		if code := x.Lifeline[i]; h.last < 0 || code != h.lifeline { // rows of a lifeline come one after the other
			h.lifeline, h.last = code, h.number(int64(code), func() string { return x.Names.Lifelines.Name(code) })
		}
		n = h.last
	} else {
		c, found := slices.BinarySearch(h.claims.Execution, x.Execution[i])
		if !found {
			return
		}
		resource := h.claims.Resource[c]
		n = h.number(resource, func() string { return fmt.Sprintf("resource %d", resource) })
		value = h.claims.Amount[c]
	}
	h.of[n] = append(h.of[n], Interval{FromNs: x.StartNs[i], ToNs: x.FinishNs[i], Value: value})
}

// Streams are the usages of all resources, by amount, or by how many hold it. The holdings are put in order for that, and nothing is added
// after it.
func (h *Holdings) Streams(clients bool, over Span) (all []Stream) {
	var spare []Interval
	for i, name := range h.names {
		h.of[i], spare = SortByBeginning(h.of[i], spare)
		held := h.of[i]
		q := &Quantity{PerNs: 1e9, Over: over, Open: func() (Intervals, error) { return h.counted(Ordered(held), clients), nil }}
		s := q.Sum()
		s.Name = name
		all = append(all, s)
	}
	return all
}

// counted are intervals whose values are 1, where it is asked how many there are.
func (h *Holdings) counted(held Intervals, clients bool) Intervals {
	if !clients || !h.Claimed() {
		return held
	}
	return func() (Interval, error) {
		i, err := held()
		i.Value = 1
		return i, err
	}
}

// Forget drops the holdings of resources that the run does not declare, and their numbers: what is added next belongs to others.
func (h *Holdings) Forget() {
	clear(h.at)
	h.last = -1
	h.names, h.of = h.names[:0], h.of[:0]
}
