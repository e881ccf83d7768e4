package claims

import (
	"context"
	"math"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/claimgraph"
)

// dependencies are those of the trace between its claims and events, or else its messages.
func (x *reading) dependencies(ctx context.Context, l *lake.Lake) error {
	if d := x.things.Dependencies; len(d.Dependency) > 0 {
		x.run.Dependency = make([]Dependency, 0, len(d.Dependency))
		for i := range d.Dependency {
			x.depend(d.Dependency[i], d.Source[i], d.Target[i], d.SourceNs[i], d.TargetNs[i], d.Weight[i])
		}
		return nil
	}
	m := schema.NewMessages(new(schema.Names))
	number := int64(0)
	o := lake.ScanOptions{Columns: []string{"send_seq", "receive_seq", "send_ns", "receive_ns"}}
	return l.ScanTable(ctx, "messages", x.run.Name, m, o, func() error {
		for i := range m.SendSeq {
			x.depend(number, m.SendSeq[i], m.ReceiveSeq[i], m.SendNs[i], m.ReceiveNs[i], math.NaN())
			number++
		}
		return nil
	})
}

// depend adds a dependency of which the run has both ends.
func (x *reading) depend(number, source, target, sourceNs, targetNs int64, weight float64) {
	from, has := x.place(source)
	to, also := x.place(target)
	if r := x.run; has && also {
		r.Dependency = append(r.Dependency, Dependency{number, from, to, sourceNs, targetNs, weight})
	}
}

// place finds the claim or the event that an event of the trace is, or begins or ends.
func (x *reading) place(seq int64) (claimgraph.Place, bool) {
	if at, found := x.begins.find(seq); found {
		return claimgraph.Place{Vertex: int32(at)}, true
	}
	if at, found := x.ends.find(seq); found {
		return claimgraph.Place{Vertex: int32(at), End: true}, true
	}
	if at, found := x.moments.find(seq); found {
		return claimgraph.Place{Vertex: int32(len(x.run.Execution) + at)}, true
	}
	return claimgraph.Place{}, false
}

// TimeNs is the time of a place of the run.
func (r *Run) TimeNs(p claimgraph.Place) int64 {
	switch n := len(r.Execution); {
	case int(p.Vertex) >= n:
		return r.EventNs[int(p.Vertex)-n]
	case p.End:
		return r.EndNs[p.Vertex]
	}
	return r.StartNs[p.Vertex]
}

// IsClaim reports whether a vertex is a claim and no regular event.
func (r *Run) IsClaim(vertex int32) bool { return int(vertex) < len(r.Execution) }

// Seq is the event that begins a claim, or a regular event.
func (r *Run) Seq(vertex int32) int64 {
	if n := len(r.Execution); int(vertex) >= n {
		return r.EventSeq[int(vertex)-n]
	}
	return r.Execution[vertex]
}

// Ordered reports whether dependencies order claims of the run.
func (r *Run) Ordered() bool { return len(r.applied()) > 0 }

// applied are the dependencies between two claims.
func (r *Run) applied() (all []claimgraph.Dependency) {
	for _, d := range r.Dependency {
		if r.IsClaim(d.From.Vertex) && r.IsClaim(d.To.Vertex) {
			all = append(all, claimgraph.Dependency{From: d.From, To: d.To})
		}
	}
	return all
}

// Applied are the pairs of claims, by position, of which a dependency orders the second behind the first.
func (r *Run) Applied() map[[2]int32]bool {
	pairs := make(map[[2]int32]bool)
	for _, d := range r.applied() {
		pairs[[2]int32{d.From.Vertex, d.To.Vertex}] = true
	}
	return pairs
}
