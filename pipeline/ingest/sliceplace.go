package ingest

import (
	"context"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// placed is what the placement says of the components that the beginning of the trace shows.
type placed struct {
	Buckets   int
	Load      map[string]int64 // events by component
	Group     map[string]string
	Lifelines map[string]*lifelineLoad // these three as in a workload
}

// place finds the buckets of the lifelines as one pass does: by the first pieces of the trace, however it is sliced.
func (s *slicing) place(ctx context.Context) error {
	done, err := s.recorded(ctx, placeTask, 1, func(ctx context.Context, _ int, to *lake.Staging) (*lake.Done, error) {
		w, whole, err := s.beginning(ctx)
		if err != nil {
			return nil, err
		}
		p := placed{Buckets: bucketsFor(s.bytes), Load: w.events, Group: w.group, Lifelines: w.lifelines}
		if whole {
			p.Buckets = 1
		}
		return spillValue(to, "places", p)
	})
	if err != nil {
		return err
	}
	var p placed
	if err := s.readValue(done[0], &p); err != nil {
		return err
	}
	s.buckets, s.places = p.Buckets, place(&workload{p.Load, p.Group, p.Lifelines}, p.Buckets, true)
	// Events are spread over the buckets evenly.
	room := int(s.cut.Bytes/eventBytes) / s.buckets
	s.sinks = newFreeList(s.Jobs, func() *segments { return &segments{room: room} })
	return nil
}

// beginning counts the events of the first pieces, and says whether these are the whole trace.
func (s *slicing) beginning(ctx context.Context) (w *workload, whole bool, err error) {
	w = newWorkload()
	parser, seen := s.format.NewParser(), 0
	var mapped keyMapper
	for i, f := range s.files {
		enough := false
		err := s.eachPiece(ctx, textRange{i, f.header, f.size}, nil, func(p *piece) (more bool, err error) {
			p.parse(parser, 0)
			w.count(p.block.Key, mapped.mapKeys(s.Map, p.keys))
			seen += p.weight()
			p.forgetNames()
			s.pieces.put(p)
			enough = seen >= placementBytes
			return !enough, nil
		})
		if err != nil || enough {
			return w, false, err
		}
	}
	return w, true, nil
}
