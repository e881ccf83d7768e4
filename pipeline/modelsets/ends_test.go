package modelsets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/testdata/expect"
)

// endsAt is a context that has ended when it is asked for the n-th time. It counts how often it is asked.
type endsAt struct {
	context.Context
	n, asked int
}

func (c *endsAt) Err() error {
	if c.asked++; c.asked < c.n {
		return nil
	}
	return context.Canceled
}

// TestModelsEnd ends the making of models wherever it looks whether it should end: it looks for each fragment of a run, and for each entity.
func TestModelsEnd(t *testing.T) {
	for _, fragments := range []int{1, 30} {
		in := &inferred{states: make(map[string][]schema.State), transitions: make(map[string][]schema.Transition)}
		for i := range fragments {
			name := fmt.Sprint("f", i)
			in.fragments = append(in.fragments, schema.Fragment{Component: "c", Fragment: name})
			in.states[name] = []schema.State{{Fragment: name, Initial: true, Accepting: true}}
		}
		models := func() *bucketModels {
			s := &survey{Spec: Spec{Sets: []Set{{"one", []string{"a"}}}, Of: Fragments}, alphabet: map[matching.Symbol]uint32{}, home: map[string]int{"c": 0}}
			return &bucketModels{survey: s, known: map[uint64][]*language.Automaton{}, parts: map[entityName][]parts{}}
		}
		for n := 1; n <= fragments+1; n++ {
			c := &endsAt{Context: t.Context(), n: n}
			if err := models().addRun(c, "a", in, 0); c.asked != min(n, fragments)+1 && n <= fragments || (n <= fragments) != errors.Is(err, context.Canceled) {
				t.Errorf("of %d fragments, ended at the %d. question: it asked %d times and returns %v", fragments, n, c.asked, err)
			}
		}
		m := models()
		expect.OK(t, m.addRun(t.Context(), "a", in, 0))
		whole := &endsAt{Context: t.Context(), n: 1 << 30}
		expect.Equal(t, len(expect.Value(m.rows(whole))(t)), fragments, "models")
		if least := 1 + fragments; whole.asked < least || fragments == 1 && whole.asked > least { // and once for each comparison of names
			t.Errorf("of %d entities, it asked %d times", fragments, whole.asked)
		}
		for n := 1; n <= whole.asked; n++ {
			c := &endsAt{Context: t.Context(), n: n} // names come from a map, so that a sort asks more or less often
			if _, err := m.rows(c); c.asked >= n && !errors.Is(err, context.Canceled) {
				t.Errorf("of %d entities, ended at the %d. question: %v", fragments, n, err)
			}
		}
	}
}

// TestSortUntil sees that a sort is left when its context ends: it compares nothing more.
func TestSortUntil(t *testing.T) {
	var all []int
	for i := range 1000 {
		all = append(all, i*7919%1000)
	}
	compared := 0
	compare := func(x, y int) int { compared++; return x - y }
	if err := sortUntil(&endsAt{Context: t.Context(), n: 100}, slices.Clone(all), compare); !errors.Is(err, context.Canceled) || compared != 99 {
		t.Errorf("%v after %d comparisons", err, compared)
	}
	expect.OK(t, sortUntil(t.Context(), all, compare))
	expect.Equal(t, slices.IsSorted(all), true, "sorted")
}

// TestSurveyEnds ends the survey of a row group at any of its rows.
func TestSurveyEnds(t *testing.T) {
	const rows = 20
	c := newLabels()
	for i := range rows {
		c.function = append(c.function, c.names.Code(fmt.Sprint("f", i)))
	}
	c.peer = make([]schema.Code, rows)
	c.kind, c.direction = make([]uint8, rows), make([]uint8, rows)
	for n := 1; n <= rows+1; n++ {
		clear(c.seen)
		symbols := make(map[matching.Symbol]bool)
		if err := c.addTo(&endsAt{Context: t.Context(), n: n}, symbols); len(symbols) != n-1 || (n <= rows) != errors.Is(err, context.Canceled) {
			t.Errorf("ended at the %d. question, it has %d symbols and returns %v", n, len(symbols), err)
		}
	}
}
