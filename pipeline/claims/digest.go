package claims

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/claimorder"
)

// Graph is what an item is: its claims and regular events, by position.
type Graph struct{ Claims, Events []int32 }

// Graphs finds the claims and events of some items of a run, which are values of an attribute.
func (s *Set) Graphs(r *Run, item string, values []string) map[string]*Graph {
	all := make(map[string]*Graph, len(values))
	byCode := make(map[schema.Code]*Graph, len(values))
	for _, value := range values {
		all[value] = new(Graph)
		if code, known := s.values.Lookup(value); known {
			byCode[code] = all[value]
		}
	}
	ofClaims, ofEvents := s.Values(r, item)
	for i, code := range ofClaims {
		if g := byCode[code]; g != nil {
			g.Claims = append(g.Claims, int32(i))
		}
	}
	for i, code := range ofEvents {
		if g := byCode[code]; g != nil {
			g.Events = append(g.Events, int32(i))
		}
	}
	return all
}

// Digest is the name of a behaviour: the first 128 bits of the SHA-256 of the sorted words of the claims, of the events and of the edges
// of an item that has it. It depends on the attributes that count and on nothing else, such as what was read before: equal behaviours have
// equal digests in all runs. by and item are those of Items.
func (s *Set) Digest(r *Run, g *Graph, item string, by []string, full bool) string {
	var text strings.Builder
	part := func(words []string) {
		slices.Sort(words)
		for _, w := range words {
			text.WriteString(w)
			text.WriteByte('\n')
		}
		text.WriteByte('\n')
	}
	words := make(map[int32]string, len(g.Claims))
	var claims, events, edges []string
	for _, i := range g.Claims {
		words[i] = s.word(&r.claims, int(i), by, item)
		claims = append(claims, words[i])
	}
	for _, i := range g.Events {
		events = append(events, s.word(&r.events, int(i), by, item))
	}
	claimorder.Edges(&claimorder.Claims{StartNs: r.StartNs, EndNs: r.EndNs}, g.Claims, full, func(from, to int32) {
		edges = append(edges, words[from]+" > "+words[to])
	})
	part(claims)
	part(events)
	part(edges)
	sum := sha256.Sum256([]byte(text.String()))
	return hex.EncodeToString(sum[:16])
}

// word writes the attributes of a thing that keysOf numbers, so that words are equal where keys are.
func (s *Set) word(t *things, i int, by []string, except string) string {
	var parts []string
	add := func(name string, value schema.Code) {
		if value == schema.NoCode {
			parts = append(parts, strconv.Quote(name))
			return
		}
		parts = append(parts, strconv.Quote(name)+"="+strconv.Quote(s.Value(value)))
	}
	if by == nil && len(t.pairs) > 0 {
		for _, p := range t.of(i) {
			if name := s.names.Name(p.name); name != except {
				add(name, p.value)
			}
		}
		slices.Sort(parts)
		return "all " + strings.Join(parts, ",")
	}
	if by == nil {
		by = []string{"component", "function"}
	}
	for _, name := range by {
		if name != except {
			c := s.column(name)
			add(name, t.get(i, c.name, c.builtIn))
		}
	}
	slices.Sort(parts) // the order in which attributes are named says nothing
	return strings.Join(parts, ",")
}
