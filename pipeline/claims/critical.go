package claims

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/stages/timing/claimgraph"
)

// Critical is what is critical in a run.
type Critical struct {
	*claimgraph.Critical
	Waits   []int32 // of the graph of claims: those that no critical edge reaches which is a dependency; nil where the run has no dependencies
	Skipped int     // dependencies without a weight
}

// InfeasibleError says that no trace keeps the dependencies of a run, and names a cycle that asks for too much.
type InfeasibleError struct {
	Run  string
	Walk []string // claims and events of the cycle, in its order
	*claimgraph.CycleError
}

// Error implements error.
func (e *InfeasibleError) Error() string {
	return fmt.Sprintf("run %s: no trace keeps these dependencies, as a cycle of them asks for %d ns more than there is: %s -> %s; give smaller weights",
		e.Run, e.ExcessNs, strings.Join(e.Walk, " -> "), e.Walk[0])
}

// Unwrap returns the cycle.
func (e *InfeasibleError) Unwrap() error { return e.CycleError }

// most bounds the critical edges that are listed; all are counted.
const most = 1 << 20

// CriticalByEnds finds the critical paths of a run where a claim follows another one that ended at most epsilon before.
func (s *Set) CriticalByEnds(r *Run, epsilonNs int64) *Critical {
	c := &Critical{Critical: claimgraph.Ends(&r.Claims, epsilonNs, most)}
	if applied := r.applied(); len(applied) > 0 {
		c.Waits = c.Critical.Waits(&r.Claims, epsilonNs, applied)
	}
	return c
}

// CriticalByDependencies finds the critical paths of a run over its dependencies.
func (s *Set) CriticalByDependencies(r *Run, w Weight) (*Critical, error) {
	all, at, skipped, err := s.weighed(r, w)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("run %s has no dependencies: take the graph of claims", r.Name)
	}
	found, err := claimgraph.Dependencies(&r.Claims, len(r.EventSeq), all, most)
	if cycle := new(claimgraph.CycleError); errors.As(err, &cycle) {
		e := &InfeasibleError{Run: r.Name, CycleError: cycle}
		for _, v := range cycle.Vertices {
			e.Walk = append(e.Walk, s.Vertex(r, v))
		}
		return nil, e
	}
	if err != nil {
		return nil, err
	}
	for i := range found.Edges {
		found.Edges[i].Dependency = at[found.Edges[i].Dependency]
	}
	return &Critical{Critical: found, Skipped: skipped}, nil
}

// Vertex names a claim or an event.
func (s *Set) Vertex(r *Run, vertex int32) string {
	if r.IsClaim(vertex) {
		return s.Text(r, int(vertex), nil)
	}
	return s.EventText(r, int(vertex)-len(r.Execution), nil)
}

// Satisfaction is how a run keeps the dependencies of another one.
type Satisfaction struct {
	Dependencies, Asked, Skipped int // of the other; with both ends in the run; without a weight
	Broken                       []Kept
}

// Kept is a dependency that is not kept.
type Kept struct {
	Dependency     *Dependency // of the other run
	From, To       string      // its ends
	FromNs, ToNs   int64       // of the run that is asked
	WeightNs, ByNs int64
}

// Satisfies holds a run against the dependencies of another one. Events are the same in both where their attributes are; of those with
// equal attributes the first is the first, by their times. A run that is held against its own dependencies is asked exactly.
func (s *Set) Satisfies(r, other *Run, w Weight, by []string) (*Satisfaction, error) {
	all, at, skipped, err := s.weighed(other, w)
	if err != nil {
		return nil, err
	}
	same := func(v int32) (int32, bool) { return v, true }
	if r != other {
		same = s.counterparts(r, other, by)
	}
	out := &Satisfaction{Dependencies: len(other.Dependency), Skipped: skipped}
	in := func(p claimgraph.Place) (claimgraph.Place, bool) {
		v, has := same(p.Vertex)
		return claimgraph.Place{Vertex: v, End: p.End}, has
	}
	broken, asked := claimgraph.Satisfied(all, func(p claimgraph.Place) (int64, bool) {
		here, has := in(p)
		if !has {
			return 0, false
		}
		return r.TimeNs(here), true
	})
	out.Asked = asked
	for _, b := range broken {
		d := all[b.Dependency]
		from, _ := in(d.From)
		to, _ := in(d.To)
		out.Broken = append(out.Broken, Kept{
			Dependency: &other.Dependency[at[b.Dependency]], From: end(s.Vertex(other, d.From.Vertex), other, d.From), To: end(s.Vertex(other, d.To.Vertex), other, d.To),
			FromNs: r.TimeNs(from), ToNs: r.TimeNs(to), WeightNs: d.WeightNs, ByNs: b.ByNs,
		})
	}
	return out, nil
}

// end says which end of a claim is meant.
func end(text string, r *Run, p claimgraph.Place) string {
	switch {
	case !r.IsClaim(p.Vertex):
		return text
	case p.End:
		return "end of " + text
	}
	return "start of " + text
}

// counterparts pairs the vertices of another run with those of a run by their attributes: the i-th with the i-th.
func (s *Set) counterparts(r, other *Run, by []string) func(int32) (int32, bool) {
	pair := func(here, there []uint32, to []int32, offset, offsetThere int) {
		queue := make(map[uint32][]int32)
		for i, k := range here {
			queue[k] = append(queue[k], int32(i+offset))
		}
		for i, k := range there {
			to[i+offsetThere] = -1
			if q := queue[k]; len(q) > 0 {
				to[i+offsetThere], queue[k] = q[0], q[1:]
			}
		}
	}
	claims, events := s.Keys(r, by, "")
	otherClaims, otherEvents := s.Keys(other, by, "")
	to := make([]int32, len(otherClaims)+len(otherEvents))
	pair(claims, otherClaims, to, 0, 0)
	pair(events, otherEvents, to, len(claims), len(otherClaims))
	return func(v int32) (int32, bool) { return max(to[v], 0), to[v] >= 0 }
}
