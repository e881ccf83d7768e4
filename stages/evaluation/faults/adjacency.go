package faults

// adjacency holds the neighbours of every event in one direction, as compressed sparse rows.
type adjacency struct {
	first []int32 // by event: the position of its first neighbour; one more element than events
	to    []neighbour
}

// neighbour is the other end of an edge, and the l of the edge in equation (1).
type neighbour struct {
	leastNs int64
	event   int32
}

// adjacent makes the rows of n events by counting; neighbours keep the order of the edges.
func adjacent(n int, edges []Edge, least func(Edge) int64, ends func(Edge) (at, other int32)) adjacency {
	a := adjacency{make([]int32, n+1), make([]neighbour, len(edges))}
	for _, e := range edges {
		at, _ := ends(e)
		a.first[at+1]++
	}
	for i := range n {
		a.first[i+1] += a.first[i]
	}
	free := make([]int32, n)
	copy(free, a.first)
	for _, e := range edges {
		at, other := ends(e)
		a.to[free[at]] = neighbour{least(e), other}
		free[at]++
	}
	return a
}

// of are the neighbours of an event.
func (a *adjacency) of(event int32) []neighbour { return a.to[a.first[event]:a.first[event+1]] }
