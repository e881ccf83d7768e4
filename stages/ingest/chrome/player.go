package chrome

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// player turns records, which come in the order of time, into events: it keeps the stack of every lane. Records of one time
// are collected first, since their order in the file need not be that of the calls; see ties.go.
// Memory grows with threads, sites, open calls and flows under way, and not with events.
type player struct {
	*reader
	by     string  // the word for components
	labels []label // by track

	keys     []uint32            // keys and one, by site and kind, of threads' own lanes
	siteKeys []schema.CodedKey   // by site: what its keys have in common; without a function until one is made
	lanes    []*lane             // by track: its own lifeline
	overlaps map[uint32]*overlap // by track: the lanes of calls that cross others
	pools    map[pool]*slots
	open     map[uint64]*asyncLane // asynchronous calls by their hash
	flows    map[uint64]underway   // exchanges by their hash
	fanouts  *fanouts
	invented map[invention]uint32 // keys
	messages []message            // memory for flow
	exits    exits
	ends     ends
	number   int64 // complete calls so far
	last     int64 // exchanges so far

	now     int64    // ns: the time in hand
	group   int      // numbers the times, from 1
	pending []record // all records of the time in hand
	rest    []record // those of them that are not played yet
	begun   []word   // memory for nested
}

// play turns all records of the sorter into blocks.
// (1) Names and the receipts of flows are settled, now that all metadata is read, (2) the records are played time by
// time, (3) calls that are open by their own durations end, (4) and messages whose call never begins become calls of
// no duration.
func (r *reader) play(emit func(*schema.Block) (*schema.Block, error)) error {
	p := &player{reader: r, by: r.reading.Options.Component, pools: make(map[pool]*slots), overlaps: make(map[uint32]*overlap),
		open: make(map[uint64]*asyncLane), flows: make(map[uint64]underway), fanouts: &r.fanouts, invented: make(map[invention]uint32), ends: newEnds(), exits: newExits()}
	if err := p.fanouts.count(); err != nil {
		return err
	}
	p.labels = r.names.labels(r.sites.tracks, r.words)
	r.counters.name(r.sites.tracks, p.labels)
	if p.by == "" {
		p.by = byProcess
	}
	for _, l := range p.labels {
		p.lanes = append(p.lanes, &lane{lifeline: l.lifeline})
	}
	if err := r.out.Begin(emit); err != nil {
		return err
	}
	if err := r.sorter.Each(p.take); err != nil {
		return err
	}
	if err := p.settle(); err != nil {
		return err
	}
	if err := p.endAll(never); err != nil {
		return err
	}
	for track := range p.lanes {
		if l := p.lanes[track]; len(l.following) > 0 {
			p.outside(uint32(track), receive, noWord, l.following) // the call that it was for does not begin
		}
	}
	p.args.tell(r.reading.Ledger)
	p.args.tags.Tell(r.reading.Ledger)
	for _, known := range p.words.cut {
		r.reading.Ledger.Add(schema.CutName, func() string { return fmt.Sprintf("%s: %.40s...", r.reading.Traces[0].Path, p.words.texts[known]) })
	}
	return r.out.End()
}

// newLane returns a lane that is not the own one of a thread.
// It keeps its keys itself, since few events are on it and many lanes may be made.
func newLane(lifeline string) *lane {
	return &lane{lifeline: lifeline, keys: new(laneKeys)}
}

// most bounds the records of one time that are ordered together, as ordering them takes quadratic time.
const most = 256

// take collects the records of one time.
// Beyond the bound the order of the file counts between one batch and the next.
func (p *player) take(r *record) error {
	if len(p.pending) > 0 && (r.timeNs != p.now || len(p.pending) == most) {
		if err := p.settle(); err != nil {
			return err
		}
	}
	p.now = r.timeNs
	p.pending = append(p.pending, *r)
	return nil
}

// settle plays the records of one time, after the complete calls that ended before it.
// Each record is chosen among the rest, so ordering those of one time is quadratic, and mostly there is one.
func (p *player) settle() error {
	if err := p.endAll(p.now); err != nil {
		return err
	}
	if err := p.out.room(); err != nil {
		return err
	}
	p.orderFlows()
	for i := range p.pending {
		if p.rest = p.pending[i+1:]; len(p.rest) > 0 {
			p.choose(p.pending[i:])
		}
		p.playOne(&p.pending[i])
	}
	p.pending = p.pending[:0]
	return nil
}

// own returns the lane of the thread of a site.
func (p *player) own(at uint32) *lane { return p.lanes[p.sites.list[at].track] }

// playOne turns a record into rows.
// Complete calls that have ended are closed first in each case, so that no event becomes part of a call that is over.
func (p *player) playOne(r *record) {
	switch l := p.own(r.site); r.what {
	case begin:
		p.closeEnded(l)
		p.enter(l, call{site: r.site, until: never})
	case end:
		p.closeEnded(l)
		p.exitNamed(l, r.site)
	case complete:
		p.complete(r)
	case instant:
		p.closeEnded(l)
		p.instant(l, r.site)
	case asyncBegin, asyncEnd, asyncInstant:
		p.async(r)
	case exitSend, exitReceive, exitMeeting:
		p.await(l, r)
	case enterReceive, enterMeeting:
		p.closeEnded(l)
		p.awaitEnter(l, r)
	default:
		p.flow(l, r)
	}
}
