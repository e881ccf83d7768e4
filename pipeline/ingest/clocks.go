package ingest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
	"github.com/tracelake/tracelake/stages/clocks/alignment"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// Clocks of components that are apart show in the messages between them, once a trace was read whole. It is then read a second
// time, and its events are brought into the order of corrected times before they are woven. Readers that relate calls to each
// other before there are events, those of spans, do so themselves (schema.ClockReader).

// findings are what a pass over the trace found out, which another one knows from its beginning.
type findings struct {
	early   wellformed.Early         // messages that are received before they are sent
	clocks  *alignment.Solution      // nil where clocks are not compared, and in the first pass
	domains schema.Numbering[string] // components that have clocks, by the numbers that the solution has for them
}

// againError ends a pass over a trace that has to be woven again.
type againError struct{ findings }

func (*againError) Error() string { return "the trace has to be woven again" }

// again is the error to end a pass with where another one is needed.
func (in *intake) again(outcome *wellformed.Outcome) error {
	if !in.rereadable() {
		return nil
	}
	if in.between != nil {
		names := func(domain uint32) string { return in.domains.List[domain] }
		in.clocks = in.between.Solve(in.Options.Clocks.Mode == schema.ClocksAlign, names)
		if in.between = nil; !in.clocks.Still() {
			return &againError{findings{clocks: in.clocks, domains: in.domains}}
		}
	}
	if len(outcome.Early) > 0 && in.early == nil {
		return &againError{findings{outcome.Early, in.clocks, in.domains}}
	}
	return nil
}

// hasClocks reports whether the components of the trace are taken to have clocks of their own.
func (in *intake) hasClocks() bool {
	o := &in.Options.Clocks
	if o.Mode == "" || !in.rereadable() || in.archive != nil && isClockReader(in.archive.reader) {
		return false
	}
	if o.Of == "file" && len(in.parts) > 0 {
		return true
	}
	return o.Of == "component" || o.Of == "" && len(o.AheadNs) > 0 || in.format.Clocks != "" && (o.Of == "" || o.Of == in.format.Clocks) &&
		(in.Options.Component == "" || in.Options.Component == in.format.Clocks)
}

func isClockReader(r schema.Reader) bool {
	_, is := r.(schema.ClockReader)
	return is
}

// clockOwner is what the clock of a component belongs to: the trace that has it, where traces have clocks, or itself.
func (in *intake) clockOwner(component string) string {
	if in.Options.Clocks.Of == "file" && len(in.parts) > 0 {
		component, _, _ = strings.Cut(component, "/") // before it stands the name of its trace
	}
	return component
}

// prepareClocks lets the builder compare clocks in the first pass, and events be moved in the second.
func (in *intake) prepareClocks() {
	if !in.hasClocks() {
		return
	}
	if in.clocks == nil && in.Options.Clocks.Mode != schema.ClocksKeep {
		in.between = alignment.New()
		in.builder.Relate(in.between, func(component string) uint32 { return uint32(in.domains.Number(in.clockOwner(component))) })
	}
	if in.clocks != nil && !in.clocks.Still() || len(in.Options.Clocks.AheadNs) > 0 {
		in.moved = &movedEvents{intake: in, group: -1}
		in.moved.sorter = extsort.NewSorter(compareMoved, in.Memory/2, in.staging.Scratch)
	}
}

// movedEvent is an event at its corrected time. It holds no pointers, so that a Sorter takes it.
type movedEvent struct {
	orderNs   int64 // its corrected time, or that of an event before it on its lifeline if that is later
	group     int64 // of an event and its further messages, which stay together
	timeNs    int64
	id        int64 // of its message, or schema.NoValue
	key, mark uint32
	set       schema.AttributeSet // of the event, or of the execution that it starts
	about     uint32              // which of the two: as schema.ClaimRow.Resource has it
}

func compareMoved(a, b *movedEvent) int {
	if a.orderNs != b.orderNs {
		if a.orderNs < b.orderNs {
			return -1
		}
		return 1
	}
	return int(min(1, max(-1, a.group-b.group)))
}

// movedEvents brings the events of a trace into the order of corrected times. Events of one lifeline keep their order.
type movedEvents struct {
	*intake
	sorter      *extsort.Sorter[movedEvent]
	keys        schema.Numbering[schema.EventKey] // of all parsers
	marks       schema.Numbering[schema.MessageMark]
	keyOf       [][]uint32 // by parser: the numbers of its keys
	markOf      [][]uint32 // likewise
	lifelines   schema.Numbering[string]
	clocks      []clockOf // by key
	lastNs      []int64   // by lifeline: the place of its last event
	group, last int64     // the group in hand; time of the row before
	before      int       // its lifeline
}

// clockOf is what a key says about the clock of its events.
type clockOf struct {
	lifeline int
	domain   uint32
	aheadNs  int64 // known to the user
}

var errNotes = errors.New("what the trace notes about its events cannot be moved with them: --clocks keep leaves their times")

// take takes the events of a piece, with their attributes.
func (m *movedEvents) take(p *piece) error {
	if len(p.block.Notes)+len(p.block.Ends) > 0 {
		return errNotes
	}
	for len(m.keyOf) <= p.parser {
		m.keyOf, m.markOf = append(m.keyOf, nil), append(m.markOf, nil)
	}
	for _, k := range schema.KeysSince(p.keys, len(m.keyOf[p.parser])) {
		m.keyOf[p.parser] = append(m.keyOf[p.parser], m.keyNumber(k))
	}
	for _, k := range p.marks[len(m.markOf[p.parser]):] {
		m.markOf[p.parser] = append(m.markOf[p.parser], uint32(m.marks.Number(k)))
	}
	b, claim := &p.block, 0
	for i, local := range b.Key {
		e := movedEvent{timeNs: b.TimeNs[i], id: b.MessageID[i], key: m.keyOf[p.parser][local], mark: m.markOf[p.parser][b.Mark[i]]}
		of := &m.clocks[e.key]
		if m.before != of.lifeline || m.last != e.timeNs || m.group < 0 {
			m.group++
		}
		m.before, m.last = of.lifeline, e.timeNs
		if e.timeNs -= of.aheadNs; m.intake.clocks != nil {
			e.timeNs = m.intake.clocks.Correct(of.domain, e.timeNs)
		}
		e.orderNs, e.group = max(e.timeNs, m.lastNs[of.lifeline]), m.group
		m.lastNs[of.lifeline] = e.orderNs
		if claim < len(b.Claims) && int(b.Claims[claim].Row) == i {
			c := &b.Claims[claim]
			if claim++; c.Resource != schema.NoResource && c.Resource != schema.RegularEvent { // it takes some of a resource
				return errNotes
			}
			e.set, e.about = c.Set, c.Resource
		}
		if err := m.sorter.Add(e); err != nil {
			return err
		}
	}
	return nil
}

// keyNumber numbers a key.
func (m *movedEvents) keyNumber(k schema.EventKey) uint32 {
	n := m.keys.Number(k)
	if int(n) == len(m.clocks) {
		at := int(m.lifelines.Number(k.Lifeline))
		if at == len(m.lastNs) {
			m.lastNs = append(m.lastNs, math.MinInt64)
		}
		owner := m.clockOwner(k.Component)
		m.clocks = append(m.clocks, clockOf{at, uint32(m.domains.Number(owner)), m.Options.Clocks.AheadNs[owner]})
	}
	return uint32(n)
}

// play adds the events to the chart. Their places in the trace are their numbers.
func (m *movedEvents) play(file string) (err error) {
	defer func() { err = errors.Join(err, m.sorter.Close()) }()
	var source wellformed.Source
	source.Update(schema.EventKeys(m.keys.List), m.marks.List)
	block := new(schema.Block)
	add := func() error {
		m.builder.Add(block, &source, file, 0)
		defer block.Reset()
		if len(block.Claims) == 0 {
			return nil
		}
		return m.things.take(block, m.builder.Seqs())
	}
	err = m.sorter.Each(func(e *movedEvent) error {
		if e.set != schema.NoAttributes {
			block.Claims = append(block.Claims, schema.ClaimRow{Row: int32(len(block.Key)), Set: e.set, Resource: e.about})
		}
		block.TimeNs, block.Key, block.Mark = append(block.TimeNs, e.timeNs), append(block.Key, e.key), append(block.Mark, e.mark)
		block.MessageID, block.Line = append(block.MessageID, e.id), append(block.Line, 0)
		if len(block.Key) == schema.BlockEvents {
			return errors.Join(add(), m.interrupted())
		}
		return nil
	})
	if err == nil {
		err = add()
	}
	return err
}

// clocksFound is what was found out about the clocks of the trace, by its reader or from its messages.
func (in *intake) clocksFound() (bounds []schema.ClockBound, said []string) {
	if in.archive != nil && isClockReader(in.archive.reader) {
		return in.archive.reader.(schema.ClockReader).Clocks()
	}
	for _, name := range slices.Sorted(maps.Keys(in.Options.Clocks.AheadNs)) {
		if !slices.Contains(in.domains.List, name) {
			said = append(said, fmt.Sprintf("no clock is called %s", name))
		}
	}
	if in.clocks != nil {
		bounds, said = in.clocks.Bounds, append(said, in.clocks.Said...)
	}
	return bounds, said
}
