package reconcile

import (
	"errors"
	"iter"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/reconciliation"
)

// stream is a unit in its second reading.
// It advances event by event; position counts the events that were not inserted, as the first reading did.
type stream struct {
	name  string
	run   string
	unit  int // position of the unit
	rank  int // of its name: decides between events of one time
	track *reconciliation.Track

	components, lifelines map[string]string // new names
	apart                 []int64           // positions of events whose message is the unit's own, ascending

	chunks func() (*schema.Events, error, bool)
	stop   func()
	ev     *schema.Events // chunk at hand
	row    int            // of the event at hand

	position         int64 // of the event at hand in its trace
	plain, corrected int64 // its time by offset and drift alone, and corrected
	instant          int32 // its number among the unit's instants, or reconciliation.NoInstant
	done             bool  // no event is left

	keys  map[localKey]uint32
	marks map[localMark]uint32
}

// localKey is a schema.EventKey in the codes of a unit.
type localKey struct {
	component, lifeline, function, executionType uint32
	kind                                         schema.Kind
}

// localMark is a schema.MessageMark in the codes of a unit.
type localMark struct {
	series, label uint32
	direction     schema.Direction
	apart         bool
}

// newStream prepares the second reading of a unit.
func (o *Options) newStream(i int, c *collected, apart []int32) *stream {
	s := &stream{
		name: o.Units[i].Name, run: o.Units[i].Run, unit: i, position: -1,
		keys: make(map[localKey]uint32), marks: make(map[localMark]uint32),
		components: make(map[string]string), lifelines: make(map[string]string),
	}
	// Ends are in the order of the trace, and so are their positions.
	for _, end := range apart {
		s.apart = append(s.apart, c.unit.Position[c.unit.Ends[end].Event])
	}
	// Ties go by name, so that the order of the units in the command does not matter.
	for _, u := range o.Units {
		if u.Name < s.name {
			s.rank++
		}
	}
	return s
}

// errStopped ends a reading whose consumer is gone.
var errStopped = errors.New("stopped")

// startReading begins to read the unit's events again.
func (s *stream) startReading(t *pipeline.Task) error {
	// Pulling costs a switch per chunk of events, not per event.
	s.chunks, s.stop = iter.Pull2(func(yield func(*schema.Events, error) bool) {
		ev := schema.NewEvents()
		err := t.Lake().ScanEvents(t.Context(), s.run, ev, lake.ScanOptions{Meter: t.Progress()}, func() error {
			if !yield(ev, nil) {
				return errStopped
			}
			return nil
		})
		// The error is the last pair, so that nextEvent reports it.
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	})
	return s.nextEvent()
}

// nextEvent moves to the next event that was not inserted.
func (s *stream) nextEvent() error {
	// Inserted events have no position, and are made anew by the ingest of the whole.
	for {
		s.row++
		for s.ev == nil || s.row >= len(s.ev.Seq) {
			ev, err, more := s.chunks()
			if !more || err != nil {
				s.done = true
				return err
			}
			s.ev, s.row = ev, 0
		}
		if !s.ev.Synthetic[s.row] {
			break
		}
	}
	s.position++
	s.plain, s.corrected, s.instant = s.track.Next(s.position, s.ev.TimeNs[s.row])
	return nil
}

// isApart reports whether the message of the event at hand belongs to the unit alone, although others use
// its identifier.
// Positions ascend on both sides, so that the list is consumed: amortised constant time.
func (s *stream) isApart() bool {
	for len(s.apart) > 0 && s.apart[0] < s.position {
		s.apart = s.apart[1:]
	}
	return len(s.apart) > 0 && s.apart[0] == s.position
}
