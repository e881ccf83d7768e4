package levels

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestLetters(t *testing.T) {
	for variant, want := range map[int64]string{0: "-", 1: "A", 26: "Z", 27: "AA", 52: "AZ", 53: "BA", 702: "ZZ", 703: "AAA"} {
		expect.Equal(t, letter(variant), want, "variant %d", variant)
	}
}

// TestPage puts three sets on a page: the last has lost an entity, and the second can do more in another one.
func TestPage(t *testing.T) {
	two, three := int64(2), int64(3)
	of := func(set, entity string, variant int64) schema.Variant {
		return schema.Variant{Level: schema.OfEntities, Component: "c", Entity: entity, ModelSet: set, Variant: variant, Origin: schema.FromInput}
	}
	r := &Report{
		Comparison: "x", Entities: "fragments", Sets: []Set{{"a", []string{"a1"}}, {"b", []string{"b1"}}, {"c", []string{"c1"}}},
		Variants: []schema.Variant{
			{Level: schema.OfModelSets, ModelSet: "a", Variant: 1, Origin: schema.FromInput, Entities: &two},
			{Level: schema.OfModelSets, ModelSet: "b", Variant: 2, Origin: schema.FromInput, Entities: &two},
			{Level: schema.OfModelSets, ModelSet: "c", Variant: 3, Origin: schema.FromInput, Entities: &two},
			of("a", "c.f", 1), of("b", "c.f", 2), of("c", "c.f", 2), of("a", "c.g", 1), of("b", "c.g", 1), of("c", "c.g", 0), of("a", "c.h", 1), of("b", "c.h", 1), of("c", "c.h", 1),
		},
		Lattice: []schema.LatticeEdge{
			{Level: schema.OfEntities, Component: "c", Entity: "c.f", Relation: schema.Included, Lower: 1, Upper: 2, Added: &three},
			{Level: schema.OfEntities, Component: "c", Entity: "c.g", Relation: schema.Included, Lower: 0, Upper: 1, Added: &two},
		},
		Differences: []schema.SetDifference{{BaseSet: "a", CandSet: "b", Differing: 1}, {BaseSet: "a", CandSet: "c", Differing: 2}, {BaseSet: "b", CandSet: "c", Differing: 1}},
		Changes: []schema.EntityChange{
			{BaseSet: "a", CandSet: "b", Component: "c", Entity: "c.f", Verdict: schema.Changed, Behaviour: schema.Extended, BaseVariant: 1, CandVariant: 2},
			{BaseSet: "b", CandSet: "c", Component: "c", Entity: "c.g", Verdict: schema.Vanished, BaseVariant: 1},
		},
	}
	p := r.Page()
	expect.Deep(t, p.Differing, [][]int64{{0, 1, 2}, {1, 0, 1}, {2, 1, 0}}, "the matrix")
	expect.Deep(t, p.Entities, []PageEntity{
		{Name: []string{"c", "f"}, Variants: []string{"A", "B", "B"}, Edges: []PageEdge{{Lower: "A", Upper: "B", Added: 3}}},
		{Name: []string{"c", "g"}, Variants: []string{"A", "A", "-"}, Edges: []PageEdge{}}, // that nothing is extended by it says nothing
	}, "entities")
	expect.Equal(t, p.Same, 1, "the same everywhere")
	expect.Deep(t, p.Steps, []PageStep{
		{"a", "b", "0 appeared, 0 vanished, 1 changed (1 extended, 0 reduced, 0 replaced), 0 moved", []PageChange{{"changed", []string{"c", "f", "extended, A -> B"}}}},
		{"b", "c", "0 appeared, 1 vanished, 0 changed, 0 moved", []PageChange{{"vanished", []string{"c", "g"}}}},
	}, "steps")
}
