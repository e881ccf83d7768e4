package ctf

import (
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// Two ends of a pair belong together because they stand one in the other, as calls do. Requests that overlap on a thread, or end
// on another one, do not: a field of both ends tells which belong together, by --pair-key or because its values are unique to
// pairs. Pairs that overlap have lifelines of their own, beside that of their thread.

// keyFields are at most so many fields of a pair that may tell.
const keyFields = 4

// candidates returns, by the names of events, the fields that both ends of a pair have: all that may tell which ends belong
// together, or the one that the user names.
func (p *pairs) candidates(m *metadata, named string) map[string][]string {
	out := make(map[string][]string)
	fields := make(map[uint64][]string) // by the number of the execution: those of all its ends so far
	ends := make(map[uint64][]string)
	for _, id := range slices.Sorted(maps.Keys(m.streams)) {
		for _, number := range slices.Sorted(maps.Keys(m.streams[id].events)) {
			e := m.streams[id].events[number]
			of, is := p.of[e.name]
			if !is || of.role == roleInstant {
				continue
			}
			here := e.fields.integers(named)
			if before, known := fields[of.named]; known {
				here = slices.DeleteFunc(before, func(name string) bool { return !slices.Contains(here, name) })
			}
			fields[of.named], ends[of.named] = here, append(ends[of.named], e.name)
		}
	}
	for number, names := range ends {
		if len(names) < 2 || len(fields[number]) == 0 {
			continue
		}
		for _, name := range names {
			out[name] = fields[number][:min(keyFields, len(fields[number]))]
		}
	}
	return out
}

// integers returns the fields of an event that are integers, or the one of a name.
func (t *typ) integers(named string) (out []string) {
	if t == nil {
		return nil
	}
	for _, m := range t.members {
		name := shown(m.name)
		if m.typ.class == integer && (named == "" && !strings.HasPrefix(name, "perf_") && !strings.HasPrefix(name, "common_") || name == named) {
			out = append(out, name)
		}
	}
	return out
}

// openKey identifies a pair that is open: by its execution, its process and the value of its key.
type openKey struct{ named, pid, value uint64 }

// openPair is where a pair is open.
type openPair struct {
	thread int32  // or a lane of it
	key    uint32 // of its enter
}

// laneUse is which lifelines of a thread have a pair of one execution open.
type laneUse struct {
	thread int32
	named  uint64
}

// keyed are the pairs with keys that are open.
type keyed struct {
	open map[openKey]openPair
	used map[laneUse][]int32 // the threads that stand for the lanes in use; nobody for a free one
}

// openKey is the key of the event in hand.
func (s *stream) openKey(field int) openKey {
	k := openKey{named: s.event.named, value: s.regs[regKey+register(field)]}
	if s.event.has[regPid] {
		k.pid = s.regs[regPid]
	}
	return k
}

// beginKeyed enters an execution on the first lifeline of its thread where none of the same name is open.
func (r *reader) beginKeyed(s *stream) error {
	thread := r.thread(s)
	use := laneUse{thread, s.event.named}
	lanes := r.keyed.used[use]
	lane := slices.Index(lanes, nobody)
	if lane < 0 {
		lane = len(lanes)
		lanes = append(lanes, nobody)
	}
	lanes[lane] = r.names.Lane(thread, lane)
	r.keyed.used[use] = lanes
	k := r.names.EnterKey(processes.Call{Address: s.event.named, Named: true, Thread: lanes[lane]})
	r.names.Thread(lanes[lane]).Enter(k)
	r.keyed.open[s.openKey(0)] = openPair{lanes[lane], k}
	r.describeRow(s)
	return r.out.Put(s.ns, k)
}

// endKeyed exits the execution of the same key, on whichever thread it ends. One that is not open began before the trace.
func (r *reader) endKeyed(s *stream) error {
	key := s.openKey(0)
	at, known := r.keyed.open[key]
	if !known {
		return r.exit(s, processes.Call{Address: s.event.named, Named: true})
	}
	delete(r.keyed.open, key)
	use := laneUse{r.names.LaneOwner(at.thread), s.event.named}
	r.keyed.used[use][slices.Index(r.keyed.used[use], at.thread)] = nobody
	if t := r.names.Thread(at.thread); !t.Exit(at.key) {
		t.Remove(at.key)
	}
	r.describeRow(s)
	return r.out.Put(s.ns, at.key+uint32(schema.Exit))
}

// lesson is what the events of a pair say about the fields that may tell which of its ends belong together.
type lesson struct {
	begin, end string                        // names of the events
	fields     []string                      // that may tell
	unique     [keyFields]bool               // no two open pairs have one value, and every end has that of an open one
	crossed    [keyFields]bool               // an end does not belong to the latest begin of its thread
	open       [keyFields]map[openKey]bool   // values of the pairs that are open
	stacks     map[int32][][keyFields]uint64 // by thread: the values of the begins without an end
}

// lessons are learned from a reading whose events nobody gets, by the numbers of executions.
type lessons map[uint64]*lesson

// learnBegin notes one begin.
func (l lessons) learnBegin(s *stream, thread int32) {
	p := s.event
	of := l[p.named]
	if of == nil {
		of = &lesson{begin: p.event.name, fields: p.keys, stacks: make(map[int32][][keyFields]uint64)}
		for i := range p.keys {
			of.unique[i], of.open[i] = true, make(map[openKey]bool)
		}
		l[p.named] = of
	}
	var values [keyFields]uint64
	for i := range p.keys {
		k := s.openKey(i)
		values[i] = k.value
		of.unique[i] = of.unique[i] && !of.open[i][k]
		of.open[i][k] = true
	}
	of.stacks[thread] = append(of.stacks[thread], values)
}

// learnEnd notes one end. One of a pair that was never begun began before the trace.
func (l lessons) learnEnd(s *stream, thread int32) {
	p := s.event
	of := l[p.named]
	if of == nil {
		return
	}
	of.end = p.event.name
	stack := of.stacks[thread]
	for i := range p.keys {
		k := s.openKey(i)
		there := of.open[i][k]
		delete(of.open[i], k)
		of.unique[i] = of.unique[i] && there
		of.crossed[i] = of.crossed[i] || there && (len(stack) == 0 || stack[len(stack)-1][i] != k.value)
	}
	if len(stack) > 0 {
		of.stacks[thread] = stack[:len(stack)-1]
	}
}

// keysLearned returns the field that tells which ends belong together, by the names of events, of the pairs that overlap. Others are
// calls in calls, of which no field says anything new.
func (l lessons) keysLearned() map[string][]string {
	out := make(map[string][]string)
	for _, of := range l {
		for i, name := range of.fields {
			if of.unique[i] && of.crossed[i] {
				out[of.begin], out[of.end] = []string{name}, []string{name}
				break
			}
		}
	}
	return out
}
