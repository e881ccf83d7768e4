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
}

// NewHoldings returns holdings of the resources that a run declares, which come first. Claims are sorted by their executions.
func NewHoldings(claims *schema.Claims, resources []schema.Resource) *Holdings {
	h := &Holdings{claims: claims, at: make(map[int64]int)}
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
		h.at[key], h.names, h.of = i, append(h.names, name()), append(h.of, nil)
	}
	return i
}

// Claimed reports whether the run has claims, so that amounts differ from numbers.
func (h *Holdings) Claimed() bool { return len(h.claims.Execution) > 0 }

// Add adds a row of executions.
func (h *Holdings) Add(x *schema.Executions, i int) {
	value, n := 1.0, 0
	if !h.Claimed() {
		code := x.Lifeline[i]
		n = h.number(int64(code), func() string { return x.Names.Lifelines.Name(code) })
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

// Len is the number of resources, and Signal the usage of one: by amount, or by how many hold it.
func (h *Holdings) Len() int { return len(h.names) }
func (h *Holdings) Signal(resource int, clients bool, over Span) Named {
	held := h.of[resource]
	if clients && h.Claimed() {
		held = slices.Clone(held)
		for i := range held {
			held[i].Value = 1
		}
	}
	return Named{Name: h.names[resource], Signal: Sum(held, over)}
}
