package reconciliation

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCouplingsAreRelations compares the couplings of random models with what their relations say, pair by pair: those between two
// events, and any two that meet at an instant of no trace.
func TestCouplingsAreRelations(t *testing.T) {
	arranged := 0
	for seed := range int64(3000) {
		m := random(rand.New(rand.NewSource(seed)))
		a, err := m.Arrange()
		if err != nil {
			continue
		}
		arranged++
		var want []string
		say := func(left, right int32, together bool) {
			kind := schema.ByPrecedence
			if together || a.group[left] == a.group[right] {
				kind = schema.ByCoincidence
			}
			if left != right {
				want = append(want, fmt.Sprint(left, right, kind))
			}
		}
		events := int32(m.Events())
		for _, r := range m.Relations {
			left, right := r.Left.Instant, r.Right.Instant
			if left < events && right < events {
				say(left, right, r.Kind == schema.Coincides)
			}
			for _, other := range m.Relations {
				if left < events && right >= events && other.Left.Instant == right && other.Right.Instant < events {
					say(left, other.Right.Instant, false)
				}
			}
		}
		c := a.Couple()
		lefts, rights, kinds := map[int64]int32{}, map[int64]int32{}, map[int64]schema.ConstraintKind{}
		for i := range events {
			for _, end := range c.At(i) {
				kinds[end.Number] = end.Kind
				if end.Waits {
					rights[end.Number] = i
				} else {
					lefts[end.Number] = i
				}
			}
		}
		var got []string
		for number, left := range lefts {
			got = append(got, fmt.Sprint(left, rights[number], kinds[number]))
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) || len(lefts) != len(rights) {
			t.Fatalf("seed %d:\n%s got %v\nwant %v", seed, dump(m), got, want)
		}
	}
	if arranged < 1000 {
		t.Errorf("only %d models have an order", arranged)
	}
}

// Messages order units by themselves, in their traces.
func TestMessagesAreNoCouplings(t *testing.T) {
	m := random(rand.New(rand.NewSource(5)))
	m.Constraints[0].Name = Messages
	a, err := m.Arrange()
	expect.OK(t, err)
	expect.Equal(t, len(a.Couple().ends), 0, "ends of couplings")
}
