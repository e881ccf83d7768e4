package reconciliation

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/ccsl"
	"github.com/tracelake/tracelake/testdata/expect"
)

// specify reads a specification in LightCCSL.
func specify(t *testing.T, text string) *ccsl.Spec {
	t.Helper()
	spec := expect.Value(ccsl.ReadLight(fstest.MapFS{"main.lc": {Data: []byte(text)}}, "main.lc", ccsl.Dialect{}))(t)
	return spec
}

// trace makes a unit of words, one an event, 10 ns apart: the clocks that tick at it, joined by "+", or "." for none.
func trace(t *testing.T, spec *ccsl.Spec, name, words string) *Unit {
	t.Helper()
	u := &Unit{Name: name}
	for i, word := range strings.Fields(words) {
		if word == "." {
			continue
		}
		for _, clock := range strings.Split(word, "+") {
			id, found := spec.Find(clock)
			if !found {
				t.Fatalf("no clock %s", clock)
			}
			u.Tick(id, u.Event(int64(i), int64(10*i)))
		}
	}
	return u
}

// dump writes the relations of a model.
func dump(m *Model) string {
	var b strings.Builder
	say := func(o Occurrence) string {
		u, e := m.Place(o.Instant)
		if u == NoUnit {
			return fmt.Sprintf("%s[%d]", m.Clocks[o.Clock], o.Index)
		}
		return fmt.Sprintf("%s[%d]@%s:%d", m.Clocks[o.Clock], o.Index, m.Units[u].Name, m.Units[u].Position[e])
	}
	for _, r := range m.Relations {
		fmt.Fprintf(&b, "%s: %s %s %s\n", m.Constraints[r.Constraint].Name, say(r.Left), schema.RelationWords[r.Kind], say(r.Right))
	}
	for _, c := range m.Constraints {
		if c.Missing > 0 {
			fmt.Fprintf(&b, "%s: %d missing, %s\n", c.Name, c.Missing, c.First)
		}
	}
	for _, u := range m.Unresolved {
		fmt.Fprintf(&b, "unresolved %s %s: %s", u.At, u.Name, u.Why)
		if u.Forced+u.Possible+u.Impossible > 0 {
			fmt.Fprintf(&b, " (%d ordered, %d not, %d at once)", u.Forced, u.Possible, u.Impossible)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func equal(t *testing.T, got, want string) {
	t.Helper()
	expect.Equal(t, strings.TrimSpace(got), strings.TrimSpace(want), "story")
}

// random makes units with events at random times, some running back, and random relations between them.
func random(r *rand.Rand) *Model {
	units := make([]*Unit, 1+r.Intn(3))
	for u := range units {
		units[u] = &Unit{Name: fmt.Sprint("u", u)}
		at := int64(r.Intn(8))
		for e := range r.Intn(5) {
			units[u].Event(int64(e), at)
			at += int64(r.Intn(7) - 1)
		}
	}
	m := NewModel(units)
	m.clockCode("c")
	m.Constraints = []Constraint{{Name: "x"}}
	if r.Intn(3) == 0 {
		m.addBlock(1 + r.Intn(2))
	}
	if n := m.Instants(); n > 0 {
		for range r.Intn(6) {
			m.addRelation(schema.Relation(r.Intn(3)), Occurrence{Instant: int32(r.Intn(n))}, Occurrence{Instant: int32(r.Intn(n))})
		}
	}
	return m
}
