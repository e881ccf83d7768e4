package reconcile

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/clocks/reconciliation"
)

// fusion merges the units. It is the schema.Reader of the resulting run.
// It holds one chunk of events for each unit and one block, whatever the length of the traces.
type fusion struct {
	options *Options
	task    *pipeline.Task
	streams []*stream
	model   *reconciliation.Model
	related *reconciliation.ClockRelations
	outcome Outcome
	seq     []int64      // by instant: its event in the resulting run
	next    int64        // sequence number of the next event
	changed []correction // by unit: how its times were corrected
	coupled *reconciliation.Couplings
	opened  map[int64]bool // numbers of coincidences of which one event was met

	keys  []schema.EventKey // tables that blocks refer to
	marks []schema.MessageMark
	ends  map[schema.MessageMark]uint32 // of couplings: positions in marks
	block *schema.Block
}

// correction counts the events of a unit that were moved, and the ns by which the farthest was.
type correction struct{ moved, farthest int64 }

// Keys implements schema.Reader.
func (f *fusion) Keys() schema.KeyList { return schema.EventKeys(f.keys) }

// Marks implements schema.Reader.
func (f *fusion) Marks() []schema.MessageMark { return f.marks }

// Read implements schema.Reader: the events of all units by their corrected times, which keep each trace in its order
// and causes before effects. Of events at one time those of the unit in hand come first.
func (f *fusion) Read(emit func(*schema.Block) (*schema.Block, error)) (err error) {
	// Mark 0 is schema.NoMark: no message.
	f.marks = []schema.MessageMark{{}}
	f.changed = make([]correction, len(f.streams))
	f.opened, f.ends = make(map[int64]bool), make(map[schema.MessageMark]uint32)
	if f.block, err = emit(nil); err != nil {
		return err
	}
	// The readers must be stopped however Read ends: each holds a coroutine and an open file.
	for _, s := range f.streams {
		err := s.startReading(f.task)
		defer s.stop()
		if err != nil {
			return err
		}
	}
	// A merge: streams are few, so that comparing all of them costs less than a heap.
	for {
		s, until := f.nextStream()
		if s == nil {
			_, err = emit(f.block)
			return err
		}
		if err := f.passOn(s, until, emit); err != nil {
			return err
		}
	}
}

// nextStream returns the stream whose event comes next, and until when it may continue without another
// comparison.
func (f *fusion) nextStream() (best *stream, until int64) {
	until = schema.NoValue
	for _, s := range f.streams {
		switch {
		case s.done: // nothing left
		case best == nil: // the first candidate
			best = s
		case s.corrected < best.corrected || s.corrected == best.corrected && s.rank < best.rank:
			until = earlier(until, best.corrected)
			best = s
		default:
			until = earlier(until, s.corrected)
		}
	}
	return best, until
}

// earlier returns the lesser of two times; the first may be none.
func earlier(a, b int64) int64 {
	if a == schema.NoValue {
		return b
	}
	return min(a, b)
}

// passOn passes on events of a stream as long as they come first.
// Traces of units alternate rarely, so that a run of events of one unit costs one comparison each.
func (f *fusion) passOn(s *stream, until int64, emit func(*schema.Block) (*schema.Block, error)) (err error) {
	for !s.done && (until == schema.NoValue || s.corrected <= until) {
		f.addEvent(s)
		if len(f.block.Key) >= schema.BlockEvents {
			if f.block, err = emit(f.block); err != nil {
				return err
			}
		}
		if err := s.nextEvent(); err != nil {
			return err
		}
	}
	return nil
}

// addEvent adds the event at hand to the block.
func (f *fusion) addEvent(s *stream) {
	// The order is always that of the corrected times; only what is written depends on Correct.
	timeNs := s.plain
	if f.options.Correct {
		timeNs = s.corrected
		if by := max(s.plain-s.corrected, s.corrected-s.plain); by > 0 {
			c := &f.changed[s.unit]
			c.moved, c.farthest = c.moved+1, max(c.farthest, by)
		}
	}
	// Relations refer to instants, and their table to sequence numbers.
	if s.instant != reconciliation.NoInstant {
		f.seq[f.model.First(s.unit)+s.instant] = f.next
	}
	f.next++
	// A block is column by column, as the ingest takes it.
	b, ev, i := f.block, s.ev, s.row
	b.TimeNs = append(b.TimeNs, timeNs)
	b.Key = append(b.Key, f.keyOf(s, localKey{ev.Component[i], ev.Lifeline[i], ev.Function[i], ev.ExecutionType[i], ev.Kind[i]}))
	mark := schema.NoMark
	if d := ev.Direction[i]; d != schema.NoMessage {
		mark = f.markOf(s, localMark{ev.Series[i], ev.Message[i], d, s.isApart()})
	}
	b.Mark = append(b.Mark, mark)
	b.MessageID = append(b.MessageID, ev.MessageID[i])
	if s.instant != reconciliation.NoInstant {
		f.addCouplings(s, timeNs)
	}
}

// addCouplings adds rows for what the event at hand waits for, and what waits for it. They are no events: see schema.Couplings.
func (f *fusion) addCouplings(s *stream, timeNs int64) {
	b, ev, i := f.block, s.ev, s.row
	for _, end := range f.coupled.At(f.model.First(s.unit) + s.instant) {
		waits := end.Waits
		// Of two events that are one the later one waits.
		if end.Kind == schema.ByCoincidence {
			if waits = f.opened[end.Number]; waits {
				delete(f.opened, end.Number)
			} else {
				f.opened[end.Number] = true
			}
		}
		b.TimeNs = append(b.TimeNs, timeNs)
		b.Key = append(b.Key, f.keyOf(s, localKey{ev.Component[i], ev.Lifeline[i], ev.Function[i], ev.ExecutionType[i], schema.Message}))
		b.Mark = append(b.Mark, f.couplingMark(end, waits))
		b.MessageID = append(b.MessageID, end.Number)
	}
}

// couplingMark returns the position in Marks of an end of a coupling. It is named after its constraint.
func (f *fusion) couplingMark(end reconciliation.Coupled, waits bool) uint32 {
	m := schema.MessageMark{Direction: schema.Opens, Series: "order", Label: f.model.Constraints[end.Constraint].Name, Coupling: end.Kind}
	if waits {
		m.Direction = schema.Waits
	}
	code, known := f.ends[m]
	if !known {
		code = uint32(len(f.marks))
		f.marks = append(f.marks, m)
		f.ends[m] = code
	}
	return code
}

// keyOf returns the position in Keys of what an event has in common with others; keys are cached by unit.
func (f *fusion) keyOf(s *stream, k localKey) uint32 {
	// Codes of a unit are looked up once; afterwards an event costs one map lookup and no string.
	code, known := s.keys[k]
	if !known {
		n := s.ev.Names
		code = uint32(len(f.keys))
		f.keys = append(f.keys, schema.EventKey{
			Component: newName(s.components, n.Components.Name(k.component)), Lifeline: newName(s.lifelines, n.Lifelines.Name(k.lifeline)),
			Function: n.Functions.Name(k.function), Kind: k.kind, ExecutionType: n.Types.Name(k.executionType),
		})
		s.keys[k] = code
	}
	return code
}

// markOf returns the position in Marks of a message's series, label and direction.
func (f *fusion) markOf(s *stream, k localMark) uint32 {
	code, known := s.marks[k]
	if !known {
		m := schema.MessageMark{Direction: k.direction, Series: s.ev.Names.Series.Name(k.series), Label: s.ev.Names.Messages.Name(k.label)}
		if k.apart { // so that the ends of different messages do not meet
			m.Series = s.name + "." + m.Series
		}
		code = uint32(len(f.marks))
		f.marks = append(f.marks, m)
		s.marks[k] = code
	}
	return code
}

// newName returns the name that replaces another one, or that name.
func newName(names map[string]string, name string) string {
	if other, is := names[name]; is {
		return other
	}
	return name
}

// renameShared gives new names to components and lifelines that several units have: robot.main for main.
func (f *fusion) renameShared(list []*collected) {
	// 1. In how many units each name occurs.
	components, lifelines := make(map[string]int), make(map[string]int)
	for _, c := range list {
		countNames(components, c.components)
		countNames(lifelines, c.lifelines)
	}
	// 2. Names that occur in several units get the unit's name in front.
	for i, c := range list {
		s := f.streams[i]
		s.qualifyShared(s.components, c.components, components)
		s.qualifyShared(s.lifelines, c.lifelines, lifelines)
	}
}

// countNames counts the units that have each name.
func countNames(units map[string]int, names []string) {
	for _, name := range names {
		units[name]++
	}
}

// qualifyShared maps the names that other units have too to names preceded by that of the unit.
func (s *stream) qualifyShared(renamed map[string]string, names []string, units map[string]int) {
	for _, name := range names {
		if units[name] > 1 {
			renamed[name] = s.name + "." + name
		}
	}
}
