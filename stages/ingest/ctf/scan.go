package ctf

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// What a trace says only later is found out before its events are passed on: which thread runs on a CPU when the trace begins,
// how often messages of ROS 2 are taken, and how far apart the clocks of its hosts are. A trace that has none of that is read
// once.

// mostPublished bounds the messages of ROS 2 that are known beforehand, by the bytes that the reader may hold. One beyond is
// taken without having been written.
func (r *reader) mostPublished() int { return int(max(1<<16, r.reading.Memory/256)) }

// describeCalls reads the metadata. A trace of which no event enters or exits anything, whatever its metadata describe, is one of
// executions that take no time. Metadata describe thousands of events, so that they are compiled anew only where that is found out.
func (r *reader) describeCalls() error {
	if err := r.describe(r.pairs); err != nil {
		return err
	}
	calls, err := r.again().callsOccur()
	if r.uncount(); err != nil {
		return err
	}
	if !calls {
		return r.describeAgain(findInstants)
	}
	if err := r.learnKeys(); err != nil || len(r.keys) == 0 {
		return err
	}
	return r.describeAgain(r.pairs)
}

// describeAgain compiles the metadata anew, as if they had not been before. What is wrong with them counts once.
func (r *reader) describeAgain(find func(*metadata, *processes.Table) pairs) error {
	r.names, r.sources = processes.NewTable(r.reading.Options), nil
	r.alone = r.names.AddNamed(messageAlone)
	r.clocks = clocks{Clocks: r.reading.Options.Clocks}
	loud := r.reading
	quiet := *loud
	quiet.Ledger = new(schema.Ledger)
	r.reading = &quiet
	err := r.describe(find)
	r.reading = loud
	for _, s := range r.sources {
		s.reading = loud
	}
	return err
}

// pairs finds the pairs of a trace, as far as it is known by now which of their fields tell which ends belong together.
func (r *reader) pairs(m *metadata, names *processes.Table) pairs {
	out := findPairs(m, names, r.reading.Options.Pairs)
	if out.keys = r.keys; r.reading.Options.PairKey != "" {
		out.keys = out.candidates(m, r.reading.Options.PairKey)
	}
	return out
}

// learnKeys finds the pairs of which a field tells which ends belong together, unless the user says it. System calls and
// interrupts stand one in the other whatever they have in common.
func (r *reader) learnKeys() error {
	if r.reading.Options.PairKey != "" || !r.hasKeys() {
		return nil
	}
	ahead, err := r.ahead(r.candidatePairs)
	if err != nil {
		return err
	}
	ahead.lessons = make(lessons)
	if err := ahead.readStreams(nobodyTakes); err != nil {
		return err
	}
	r.keys = ahead.lessons.keysLearned()
	return nil
}

// candidatePairs finds the pairs of a trace with all fields that may tell which ends belong together.
func (r *reader) candidatePairs(m *metadata, names *processes.Table) pairs {
	out := findPairs(m, names, r.reading.Options.Pairs)
	if m.env["domain"] != kernelDomain {
		out.keys = out.candidates(m, "")
	}
	return out
}

// nobodyTakes throws blocks away.
func nobodyTakes(full *schema.Block) (*schema.Block, error) {
	if full == nil {
		full = new(schema.Block)
	}
	full.Reset()
	return full, nil
}

// hasKeys reports whether both ends of any pair have a field in common, by the metadata that were read.
func (r *reader) hasKeys() bool {
	for _, m := range r.parsed {
		if m.env["domain"] != kernelDomain && len(r.candidatePairs(m, processes.NewTable(schema.ReadingOptions{})).keys) > 0 {
			return true
		}
	}
	return false
}

// ahead returns a reader of the same traces whose losses do not count: they count when the events are passed on.
func (r *reader) ahead(find func(*metadata, *processes.Table) pairs) (*reader, error) {
	quiet := *r.reading
	quiet.Ledger, quiet.Strict, quiet.Options.Attributes = new(schema.Ledger), false, nil
	out := newReader(&quiet)
	out.parsed, out.beforehand, out.buffers = r.parsed, r.heard, r.buffers
	err := out.describe(find)
	r.parsed = out.parsed
	return out, err
}

// again returns a reader of the same traces by the same descriptions, whose losses do not count.
func (r *reader) again() *reader {
	quiet := *r.reading
	quiet.Ledger, quiet.Strict, quiet.Options.Attributes = new(schema.Ledger), false, nil
	out := newReader(&quiet)
	out.beforehand = r.heard
	for _, s := range r.sources {
		t := *s
		t.reading, t.counts = out.reading, &out.counts
		out.sources = append(out.sources, &t)
	}
	return out
}

// uncount forgets the events that were read so far.
func (r *reader) uncount() {
	for _, t := range r.sources {
		for _, p := range t.plan.plans() {
			p.count, p.omitted = 0, 0
		}
	}
}

// callsOccur reports whether any event is one end of a call. As a rule one of the first is.
func (r *reader) callsOccur() (found bool, err error) {
	if there := r.rolesDescribed(); !slices.Contains(there[roleEnter:roleRegionLeave+1], true) {
		return false, nil
	}
	streams, err := r.openStreams()
	if err != nil {
		return false, err
	}
	defer closeAll(streams)
	for _, s := range streams {
		for {
			more, err := s.next()
			if err != nil {
				return false, err
			}
			if !more {
				break
			}
			if s.event.role.calls() {
				return true, nil
			}
		}
	}
	return false, nil
}

// scan goes through the streams that tell anything of use, one after the other.
func (r *reader) scan() error {
	roles := r.rolesDescribed()
	clocks := (roles[rolePacketIn] || roles[rolePublish]) && r.clocks.prepare()
	whole := roles[roleTake] || clocks
	if !whole && !roles[roleSwitch] {
		return nil
	}
	streams, err := r.again().openStreams()
	if err != nil {
		return err
	}
	defer closeAll(streams)
	defer r.uncount()
	seen := scanned{reader: r, sightings: make(map[identity]*sighting), first: make(map[cpuKey]bool)}
	r.ros.messages = make(published)
	for _, s := range streams {
		if err := seen.stream(s, r.sources[s.trace.number], whole); err != nil {
			return err
		}
	}
	if clocks {
		seen.compareClocks()
		r.clocks.solve()
	}
	return nil
}

// rolesDescribed are the roles that the metadata of the traces know.
func (r *reader) rolesDescribed() (there [roles]bool) {
	for _, t := range r.sources {
		for _, p := range t.plan.plans() {
			there[p.role] = true
		}
	}
	return there
}

// firstEvents is how many events of a stream are looked at for the first switch of a CPU.
const firstEvents = 1 << 16

// scanned is what a scan has seen.
type scanned struct {
	*reader
	sightings map[identity]*sighting
	first     map[cpuKey]bool // CPUs of which a switch was seen
}

// stream goes through the events of a stream, or through those before the first switch of threads. Its CPUs are those of a trace
// that is read later.
func (v *scanned) stream(s *stream, of *source, whole bool) error {
	for n := 0; whole || n < firstEvents; {
		if more, err := s.next(); err != nil || !more {
			return err
		}
		if s.event.role.isNamed() {
			continue
		}
		n++
		switch s.event.role {
		case roleSwitch:
			if v.firstSwitch(s, of); !whole {
				return nil
			}
		case roleTake:
			if ns, is := s.sourceTime(); is {
				v.countTake(ns)
				v.see(s, of, identity{sourceNs: ns})
			}
		case rolePublish:
			if ns, is := s.sourceTime(); is {
				v.see(s, of, identity{sourceNs: ns})
			}
		case rolePacketIn, rolePacketOut:
			if k, is := s.segment(); is {
				v.see(s, of, identity{segment: k})
			}
		}
	}
	return nil
}

// firstSwitch notes which thread ran on a CPU until its first switch. The stream is of the scan, so that a thread that has a
// name is known by it when the trace is read.
func (v *scanned) firstSwitch(s *stream, of *source) {
	if s.event.has[regEventCPU] {
		s.cpu = s.regs[regEventCPU]
	}
	k := cpuKey{of.number, s.cpu}
	if v.first[k] || !s.event.has[regPrevious] {
		return
	}
	v.first[k] = true
	v.cpus[k] = newCPU(v.threadOf(s, s.regs[regPrevious], regPreviousName))
}

// countTake counts how often a message is taken.
func (r *reader) countTake(ns int64) {
	p := r.ros.messages[ns]
	if p == nil {
		if len(r.ros.messages) >= r.mostPublished() {
			return
		}
		p = &publication{first: noID}
		r.ros.messages[ns] = p
	}
	p.takes++
}
