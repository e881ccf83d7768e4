package claimgraph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Place is an end of a dependency: a vertex, and whether it is the end of that claim. Vertices are claims by position, and behind
// them regular events, which have no length.
type Place struct {
	Vertex int32
	End    bool
}

// Dependency says that To is at least WeightNs behind From.
type Dependency struct {
	From, To Place
	WeightNs int64
}

// CycleError says that no trace satisfies the dependencies: those of a cycle ask together for a time before itself.
type CycleError struct {
	Dependencies []int32 // by position, in the order of the walk
	Vertices     []int32 // that they come from
	ExcessNs     int64   // the weight of the cycle
}

// Error implements error.
func (e *CycleError) Error() string {
	var walk []string
	for _, d := range e.Dependencies {
		walk = append(walk, fmt.Sprint(d))
	}
	return fmt.Sprintf("the dependencies %s form a cycle of positive weight (%d ns), so that no trace keeps all of them: give smaller weights", strings.Join(walk, ", "), e.ExcessNs)
}

// network is the graph of dependencies with a vertex for each claim, at its start.
type network struct {
	length []int64 // of vertices: the durations of claims, then 0 for events
	edges  []arc   // by their position among the dependencies
	out    []int32 // positions in edges, by the vertex that they come from
	first  []int32 // of each vertex, in out
}

// arc is an edge between starts of claims.
type arc struct {
	from, to int32
	weight   int64
}

// Dependencies finds the critical paths over dependencies. events is the number of regular events. It lists at most so many edges.
// A cycle of positive weight is a *CycleError.
func Dependencies(c *Claims, events int, all []Dependency, most int) (*Critical, error) {
	g := newNetwork(c, events, all)
	n := len(g.length)
	part, parts := g.components()
	out := &Critical{FromNs: make([]int64, n)}
	if err := g.longest(out.FromNs, part, parts); err != nil {
		return nil, err
	}
	// The longest path to the sink is the longest one from it, with all edges turned; it begins with the length of the vertex.
	behind := slices.Clone(g.length)
	turned := g.turned()
	for i := range part {
		part[i] = parts - 1 - part[i]
	}
	if err := turned.longest(behind, part, parts); err != nil {
		return nil, err
	}
	for i := range n {
		out.WeightNs = max(out.WeightNs, out.FromNs[i]+behind[i])
	}
	for i := range c.StartNs {
		if out.FromNs[i]+behind[i] == out.WeightNs {
			out.Claims = append(out.Claims, int32(i))
		}
	}
	slices.SortStableFunc(out.Claims, func(a, b int32) int { return cmp.Compare(out.FromNs[a], out.FromNs[b]) })
	for i, e := range g.edges {
		if out.FromNs[e.from]+e.weight+behind[e.to] == out.WeightNs {
			if out.Count++; len(out.Edges) < most {
				out.Edges = append(out.Edges, Edge{e.from, e.to, int32(i)})
			}
		}
	}
	slices.SortStableFunc(out.Edges, func(a, b Edge) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	return out, nil
}

// newNetwork moves all ends of dependencies to the starts of their claims.
func newNetwork(c *Claims, events int, all []Dependency) *network {
	g := &network{length: make([]int64, len(c.StartNs)+events), edges: make([]arc, len(all))}
	for i := range c.StartNs {
		g.length[i] = c.EndNs[i] - c.StartNs[i]
	}
	for i, d := range all {
		w := d.WeightNs
		if d.From.End {
			w += g.length[d.From.Vertex]
		}
		if d.To.End {
			w -= g.length[d.To.Vertex]
		}
		g.edges[i] = arc{d.From.Vertex, d.To.Vertex, w}
	}
	g.index()
	return g
}

// index sorts the edges by where they come from.
func (g *network) index() {
	g.first = make([]int32, len(g.length)+1)
	for _, e := range g.edges {
		g.first[e.from+1]++
	}
	for i := range g.length {
		g.first[i+1] += g.first[i]
	}
	g.out = make([]int32, len(g.edges))
	next := slices.Clone(g.first)
	for i, e := range g.edges {
		g.out[next[e.from]] = int32(i)
		next[e.from]++
	}
}

// turned is the network with every edge in the other direction.
func (g *network) turned() *network {
	t := &network{length: g.length, edges: make([]arc, len(g.edges))}
	for i, e := range g.edges {
		t.edges[i] = arc{e.to, e.from, e.weight}
	}
	t.index()
	return t
}

// components numbers the strongly connected parts so that edges lead to parts of higher numbers (Tarjan 1972).
func (g *network) components() (part []int32, parts int32) {
	n := int32(len(g.length))
	number, low, next := make([]int32, n), make([]int32, n), slices.Clone(g.first[:n])
	part = make([]int32, n)
	var path, open []int32
	seen := int32(0)
	for root := range n {
		if number[root] != 0 {
			continue
		}
		path = append(path, root)
		for len(path) > 0 {
			v := path[len(path)-1]
			if number[v] == 0 {
				seen++
				number[v], low[v] = seen, seen
				open = append(open, v)
			}
			down := int32(-1)
			for ; next[v] < g.first[v+1]; next[v]++ {
				to := g.edges[g.out[next[v]]].to
				if number[to] == 0 {
					down = to
					break
				}
				if part[to] == 0 { // still open
					low[v] = min(low[v], low[to])
				}
			}
			if down >= 0 {
				path = append(path, down)
				continue
			}
			path = path[:len(path)-1]
			if low[v] == number[v] {
				for parts++; ; {
					w := open[len(open)-1]
					open = open[:len(open)-1]
					if part[w] = parts; w == v {
						break
					}
				}
			}
		}
	}
	for i := range part { // parts are found from the sink on
		part[i] = parts - part[i]
	}
	return part, parts
}

// longest raises the value of every vertex to that of the longest path to it, which begins with the value of its first vertex.
func (g *network) longest(value []int64, part []int32, parts int32) error {
	at := make([]int32, parts+1)
	for _, p := range part {
		at[p+1]++
	}
	for i := range parts {
		at[i+1] += at[i]
	}
	order, next := make([]int32, len(part)), slices.Clone(at)
	for v, p := range part {
		order[next[p]] = int32(v)
		next[p]++
	}
	came := make([]int32, len(part)) // the edge that gave a vertex its value, plus 1
	for p := range parts {
		members := order[at[p]:at[p+1]]
		if err := g.settle(members, value, part, came); err != nil {
			return err
		}
		for _, v := range members {
			for _, i := range g.out[g.first[v]:g.first[v+1]] {
				if e := g.edges[i]; part[e.to] != p && value[v]+e.weight > value[e.to] {
					value[e.to] = value[v] + e.weight
				}
			}
		}
	}
	return nil
}

// settle runs Bellman, Ford and Moore's algorithm within a strongly connected part: a value that still rises after as many rounds as
// there are vertices goes around a cycle of positive weight.
func (g *network) settle(members []int32, value []int64, part, came []int32) error {
	if len(members) == 1 && !g.loops(members[0]) {
		return nil
	}
	for round := 0; ; round++ {
		last := int32(-1)
		for _, v := range members {
			for _, i := range g.out[g.first[v]:g.first[v+1]] {
				if e := g.edges[i]; part[e.to] == part[v] && value[v]+e.weight > value[e.to] {
					value[e.to], came[e.to], last = value[v]+e.weight, i+1, e.to
				}
			}
		}
		if last < 0 {
			return nil
		}
		if round >= len(members) {
			return g.around(last, came)
		}
	}
}

// loops reports whether an edge leads from a vertex to itself.
func (g *network) loops(v int32) bool {
	return slices.ContainsFunc(g.out[g.first[v]:g.first[v+1]], func(i int32) bool { return g.edges[i].to == v })
}

// around walks back from a vertex whose value rose too often until it is in the cycle, and then around it.
func (g *network) around(v int32, came []int32) error {
	for range came {
		v = g.edges[came[v]-1].from
	}
	e := new(CycleError)
	for u := v; ; {
		i := came[u] - 1
		u = g.edges[i].from
		e.Dependencies, e.Vertices, e.ExcessNs = append(e.Dependencies, i), append(e.Vertices, u), e.ExcessNs+g.edges[i].weight
		if u == v {
			break
		}
	}
	slices.Reverse(e.Dependencies)
	slices.Reverse(e.Vertices)
	return e
}
