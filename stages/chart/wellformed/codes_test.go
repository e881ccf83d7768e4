package wellformed

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCodedKeys translates random keys by their names and by the numbers that two parsers gave these: the codes are the same.
func TestCodedKeys(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	place := func(component, lifeline string) (int, bool) { return len(lifeline), component != "spread" }
	plain, numbered := newCodebook(place), newCodebook(place)
	var lists [2]schema.CodedKeys
	var known [2]codedNames
	some := func(of string, n int) string { return of + strconv.Itoa(rng.IntN(n)) }
	for range 500 {
		k := schema.EventKey{Component: some("c", 5), Lifeline: some("l", 120), Function: some("f", 4), Kind: schema.Kind(rng.IntN(3)), Synthetic: rng.IntN(4) == 0}
		if rng.IntN(3) == 0 {
			k.Component = "spread"
		}
		if rng.IntN(3) == 0 {
			k.ExecutionType = some("t", 2)
		}
		at := rng.IntN(2)
		list := &lists[at]
		of := schema.CodedKey{Component: list.AddName(k.Component), Lifeline: list.AddName(k.Lifeline), Function: list.AddName(k.Function), Kind: k.Kind, Synthetic: k.Synthetic}
		if k.ExecutionType != "" {
			of.ExecutionType = list.AddName(k.ExecutionType)
		}
		position := list.Add(of)
		expect.Equal(t, list.At(position), k, "the key in names")
		code := numbered.coded(&known[at], list, position)
		expect.Equal(t, code, plain.key(k), "the code of %+v", k)
		expect.Equal(t, numbered.keys.List[code], plain.keys.List[code], "what the code stands for")
	}
}
