package claimgraph

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// plain is a constraint graph as Definition 20 has it: vertex 2c is the start of claim c, 2c+1 its end, then come events, the source and
// the sink.
type plain struct {
	vertices int
	edges    []plainEdge
}

type plainEdge struct {
	from, to   int
	weight     int64
	dependency int // position; -1
}

// claims adds the edges that all graphs have.
func newPlain(c *Claims, events int) *plain {
	n := 2*len(c.StartNs) + events
	g := &plain{vertices: n + 2}
	for i := range c.StartNs {
		d := c.EndNs[i] - c.StartNs[i]
		g.edges = append(g.edges, plainEdge{2 * i, 2*i + 1, d, -1}, plainEdge{2*i + 1, 2 * i, -d, -1})
	}
	for v := range n {
		g.edges = append(g.edges, plainEdge{n, v, 0, -1}, plainEdge{v, n + 1, 0, -1})
	}
	return g
}

// longest is Bellman, Ford and Moore's algorithm over all edges; false where a cycle is positive.
func (g *plain) longest(from int, backward bool) ([]int64, bool) {
	value := make([]int64, g.vertices)
	for i := range value {
		value[i] = math.MinInt64 / 2
	}
	value[from] = 0
	for range g.vertices + 1 {
		rose := false
		for _, e := range g.edges {
			if backward {
				e.from, e.to = e.to, e.from
			}
			if value[e.from] > math.MinInt64/4 && value[e.from]+e.weight > value[e.to] {
				value[e.to], rose = value[e.from]+e.weight, true
			}
		}
		if !rose {
			return value, true
		}
	}
	return nil, false
}

// critical are the claims and the edges between vertices of different claims on longest paths.
func (g *plain) critical(claims int) (weight int64, critical []int32, edges []plainEdge, feasible bool) {
	to, feasible := g.longest(g.vertices-2, false)
	if !feasible {
		return 0, nil, nil, false
	}
	behind, _ := g.longest(g.vertices-1, true)
	weight = to[g.vertices-1]
	for i, e := range g.edges {
		if to[e.from]+e.weight+behind[e.to] != weight {
			continue
		}
		if i < 2*claims {
			if i%2 == 0 {
				critical = append(critical, int32(i/2))
			}
		} else if e.from < g.vertices-2 && e.to < g.vertices-2 {
			edges = append(edges, e)
		}
	}
	return weight, critical, edges, true
}

// randomClaims are some claims with ties and claims of no length.
func randomClaims(r *rand.Rand) *Claims {
	c := new(Claims)
	for range r.IntN(9) {
		from := r.Int64N(8)
		c.StartNs, c.EndNs = append(c.StartNs, from), append(c.EndNs, from+r.Int64N(4))
	}
	return c
}

// sameClaims compares critical claims as sets.
func sameClaims(t *testing.T, got, want []int32, seed uint64) {
	t.Helper()
	got = slices.Sorted(slices.Values(got))
	expect.Slice(t, got, want, "critical claims, seed %d", seed)
}

// TestEndsOracle compares the sweep with longest paths over all edges, one by one.
func TestEndsOracle(t *testing.T) {
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := randomClaims(r)
		epsilon := []int64{0, 1, 3, Infinite}[r.IntN(4)]
		g := newPlain(c, 0)
		for i := range c.EndNs {
			for j := range c.StartNs {
				if gap := c.StartNs[j] - c.EndNs[i]; gap >= 0 && gap <= epsilon {
					g.edges = append(g.edges, plainEdge{2*i + 1, 2 * j, 0, -1})
				}
			}
		}
		weight, critical, edges, _ := g.critical(len(c.StartNs))
		got := Ends(c, epsilon, 100)
		expect.Equal(t, got.WeightNs, max(weight, 0), "weight, seed %d", seed)
		sameClaims(t, got.Claims, critical, seed)
		var want []Edge
		for _, e := range edges {
			if e.from/2 != e.to/2 {
				want = append(want, Edge{int32(e.from / 2), int32(e.to / 2), -1})
			}
		}
		expect.Slice(t, got.Edges, sortEdges(want), "edges, seed %d", seed)
		expect.Equal(t, got.Count, int64(len(want)), "number of edges, seed %d", seed)
	}
}

// sortEdges sorts edges as Critical has them.
func sortEdges(edges []Edge) []Edge {
	slices.SortFunc(edges, func(a, b Edge) int { return int(a.From-b.From)*1000 + int(a.To-b.To) })
	return edges
}

// TestDependenciesOracle compares the network of claims with longest paths over starts and ends, of dependencies of all types, also
// with cycles.
func TestDependenciesOracle(t *testing.T) {
	infeasible := 0
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 2))
		c := randomClaims(r)
		events := r.IntN(3)
		n := len(c.StartNs) + events
		var all []Dependency
		g := newPlain(c, events)
		vertex := func(p Place) int {
			if int(p.Vertex) >= len(c.StartNs) {
				return int(p.Vertex) + len(c.StartNs)
			}
			if p.End {
				return 2*int(p.Vertex) + 1
			}
			return 2 * int(p.Vertex)
		}
		for range r.IntN(8) {
			if n == 0 {
				break
			}
			place := func() Place {
				p := Place{Vertex: int32(r.IntN(n))}
				p.End = int(p.Vertex) < len(c.StartNs) && r.IntN(2) == 0
				return p
			}
			d := Dependency{place(), place(), r.Int64N(4) - 1}
			g.edges = append(g.edges, plainEdge{vertex(d.From), vertex(d.To), d.WeightNs, len(all)})
			all = append(all, d)
		}
		weight, critical, edges, feasible := g.critical(len(c.StartNs))
		got, err := Dependencies(c, events, all, 100)
		if !feasible {
			infeasible++
			walks(t, c, all, err, seed)
			continue
		}
		expect.OK(t, err)
		expect.Equal(t, got.WeightNs, max(weight, 0), "weight, seed %d", seed)
		sameClaims(t, got.Claims, critical, seed)
		var want, have []int
		for _, e := range edges {
			if e.dependency >= 0 {
				want = append(want, e.dependency)
			}
		}
		for _, e := range got.Edges {
			have = append(have, int(e.Dependency))
		}
		slices.Sort(have)
		expect.Slice(t, have, want, "edges, seed %d", seed)
	}
	if infeasible < 100 {
		t.Errorf("only %d of the graphs have a positive cycle", infeasible)
	}
}

// walks sees that an error names a closed walk of positive weight.
func walks(t *testing.T, c *Claims, all []Dependency, err error, seed uint64) {
	t.Helper()
	e, is := err.(*CycleError)
	if !is {
		t.Fatalf("seed %d: a positive cycle, and the error is %v", seed, err)
	}
	sum := int64(0)
	for i, d := range e.Dependencies {
		next := all[e.Dependencies[(i+1)%len(e.Dependencies)]]
		expect.Equal(t, all[d].From.Vertex, e.Vertices[i], "seed %d: vertex of the walk", seed)
		expect.Equal(t, all[d].To.Vertex, next.From.Vertex, "seed %d: the walk is closed", seed)
		sum += all[d].WeightNs
		for _, end := range []struct {
			Place
			sign int64
		}{{all[d].From, 1}, {all[d].To, -1}} {
			if end.End {
				sum += end.sign * (c.EndNs[end.Vertex] - c.StartNs[end.Vertex])
			}
		}
	}
	expect.Equal(t, e.ExcessNs, sum, "seed %d: weight of the cycle", seed)
	if sum <= 0 {
		t.Errorf("seed %d: the cycle has weight %d", seed, sum)
	}
}

// TestWaits: of three claims in a row the second follows a dependency, the third a resource, and the first begins the path.
func TestWaits(t *testing.T) {
	c := &Claims{StartNs: []int64{0, 2, 5}, EndNs: []int64{2, 5, 6}}
	found := Ends(c, 0, 10)
	after := func(from, to int32) Dependency {
		return Dependency{From: Place{Vertex: from, End: true}, To: Place{Vertex: to}}
	}
	expect.Slice(t, found.Waits(c, 0, []Dependency{after(0, 1)}), []int32{2}, "waits")
	expect.Slice(t, found.Waits(c, 0, []Dependency{after(2, 2)}), []int32{1, 2}, "a dependency of a claim on itself orders nothing")
	expect.Slice(t, found.Waits(c, 0, []Dependency{after(0, 1), after(0, 2)}), []int32{2}, "one that was kept long before is not what it waited for")
}

// TestExample14 simulates the image pipeline of Hendriks et al. 2024, Examples 1 and 14: every image goes through A, B, C and G in the
// order of their dependencies, and holds room in memory from the start of B to the end of G. With room for one image every B on the
// critical path but the first follows a G and waits for it; with room for all none does.
func TestExample14(t *testing.T) {
	const images = 50
	for _, room := range []int{1, images} {
		c := new(Claims)
		var applied []Dependency
		ends := map[string][]int64{}
		add := func(task string, readyNs, lengthNs int64) int64 {
			i := int32(len(c.StartNs))
			c.StartNs, c.EndNs = append(c.StartNs, readyNs), append(c.EndNs, readyNs+lengthNs)
			if task != "A" {
				applied = append(applied, Dependency{From: Place{Vertex: i - 1, End: true}, To: Place{Vertex: i}})
			}
			ends[task] = append(ends[task], readyNs+lengthNs)
			return readyNs + lengthNs
		}
		last := func(task string, back int) int64 {
			if n := len(ends[task]); n >= back {
				return ends[task][n-back]
			}
			return 0
		}
		for range images {
			a := add("A", 0, 1)
			b := add("B", max(a, last("B", 1), last("G", room)), 3)
			add("G", max(add("C", max(b, last("C", 1)), 2), last("G", 1)), 2)
		}
		const tasks = 4
		waits := map[int32]int{}
		for _, i := range Ends(c, 0, 0).Waits(c, 0, applied) {
			waits[i%tasks]++
		}
		if room == 1 {
			expect.Deep(t, waits, map[int32]int{1: images - 1}, "B waits for memory, and nothing else waits")
		} else {
			expect.Equal(t, waits[3]+waits[2], 0, "with memory for all, C and G wait for nothing")
			for _, i := range Ends(c, 0, 0).Waits(c, 0, applied) {
				if i%tasks == 1 && c.StartNs[i] != c.EndNs[i-tasks] {
					t.Errorf("B %d waits for something else than the B before it", i/tasks)
				}
			}
		}
	}
}
