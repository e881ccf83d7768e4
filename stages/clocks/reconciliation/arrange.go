package reconciliation

import "github.com/tracelake/tracelake/schema"

// Arrangement is an order of the instants of a model: each belongs to a group of coincident instants, and every relation
// leads from a group to one of a lower number, or stays in a group.
type Arrangement struct {
	model  *Model
	group  []int32 // by instant
	groups int
	out    ways
}

// ways are the relations but coincidences, by left instant.
type ways struct {
	first    []int32 // by instant; one more
	relation []int32
}

// Arrange finds the order, or a *Contradiction.
func (m *Model) Arrange() (*Arrangement, error) {
	a := &Arrangement{model: m, out: m.ways()}
	merged := m.merge()
	a.components(merged)
	if err := a.check(); err != nil {
		return nil, err
	}
	return a, nil
}

func (m *Model) ways() ways {
	w := ways{first: make([]int32, m.Instants()+1)}
	for i := range m.Relations {
		if m.Relations[i].Kind != schema.Coincides {
			w.first[m.Relations[i].Left.Instant+1]++
		}
	}
	for i := 1; i < len(w.first); i++ {
		w.first[i] += w.first[i-1]
	}
	w.relation = make([]int32, w.first[len(w.first)-1])
	next := append([]int32(nil), w.first[:len(w.first)-1]...)
	for i := range m.Relations {
		if r := &m.Relations[i]; r.Kind != schema.Coincides {
			w.relation[next[r.Left.Instant]] = int32(i)
			next[r.Left.Instant]++
		}
	}
	return w
}

// classes are sets of coincident instants: each a ring.
type classes struct {
	root []int32 // an instant that stands for the set
	next []int32 // in the ring
}

// merge makes sets of what coincides, with union by rank of the numbers and halved paths.
func (m *Model) merge() classes {
	c := classes{make([]int32, m.Instants()), make([]int32, m.Instants())}
	for i := range c.root {
		c.root[i], c.next[i] = int32(i), int32(i)
	}
	for i := range m.Relations {
		if r := &m.Relations[i]; r.Kind == schema.Coincides {
			c.join(c.find(r.Left.Instant), c.find(r.Right.Instant))
		}
	}
	for i := range c.root {
		c.root[i] = c.find(int32(i))
	}
	return c
}

func (c *classes) find(i int32) int32 {
	for c.root[i] != i {
		c.root[i] = c.root[c.root[i]]
		i = c.root[i]
	}
	return i
}

func (c *classes) join(a, b int32) {
	if a != b {
		c.root[max(a, b)] = min(a, b)
		c.next[a], c.next[b] = c.next[b], c.next[a]
	}
}

// ends says of every instant whether it is the last of its block.
func (m *Model) ends() []bool {
	last := make([]bool, m.Instants())
	for _, f := range m.first[1:] {
		if f > 0 {
			last[f-1] = true
		}
	}
	return last
}
