package etf

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/heap"
)

// fewLanes is how many lanes of a resource are searched for a claim that another can hold. A resource that is claimed
// by more at a time without nesting is no stack, and a search of all would take time without bound.
const fewLanes = 64

// lane is a lifeline of a resource: claims that lie in one another.
type lane struct {
	name     string            // of the lifeline
	resource resource          // whose claims they are
	number   uint32            // among all lanes
	calls    []int64           // ns: ends of the open claims, the innermost last
	open     []end             // those of them that were entered, without those that were left
	keys     map[uint32]uint32 // keys of enters, by what is done

	turn      uint32 // of starts: when its innermost claim came
	innermost int32  // that claim, among those of its start
}

// lanes are those of a resource. One that is not searched holds one claim at a time.
// The first 64 are searched for one that fits; beyond, a heap finds the one that is free first.
type lanes struct {
	few  []*lane         // those that are searched, at most fewLanes
	more []*lane         // each holds one claim at a time
	busy heap.Heap[busy] // of the claims of more
}

// busy says until when a lane that is not searched holds its claim.
type busy struct {
	until int64 // ns
	lane  int   // position among more
}

// before says which lane is free first: of two that are free together the one that stands first.
func (b busy) before(c busy) bool { return b.until < c.until || b.until == c.until && b.lane < c.lane }

// lane finds the first lane of a resource on which a claim lies wholly in the claim that is open there, or in none.
// The first fit makes the names of lifelines depend on how many claims overlap and not on how many there are, so that
// two runs compare. It takes up to fewLanes steps, and a logarithmic search beyond.
func (p *player) lane(r *record) *lane {
	resource := p.doings.list[r.what.doing()].resource
	of := p.lanes[resource]
	if of == nil {
		of = &lanes{busy: heap.New(busy.before)}
		p.lanes[resource] = of
	}
	// First fit: an open claim that holds this one, or a lane that is free.
	for i, l := range of.few {
		if l.holds(r) {
			p.crossing(i > 0, r)
			return l
		}
	}
	// No lane that is searched fits: unless it is the first one, the claim crosses another.
	p.crossing(len(of.few) > 0, r)
	if len(of.few) < fewLanes {
		l := p.newLane(r)
		of.few = append(of.few, l)
		return l
	}
	// Beyond the lanes that are searched the one that is free first is used again, if it is free by now.
	at := len(of.more)
	if of.busy.Len() > 0 && of.busy.First().until <= r.from {
		at = of.busy.Pop().lane
		of.more[at].calls = of.more[at].calls[:0]
	} else {
		of.more = append(of.more, p.newLane(r))
	}
	of.busy.Push(busy{r.to, at})
	return of.more[at]
}

// holds lets go of calls that are over and reports whether a claim lies in what is left.
// Claims come in the order of their starts, so what ended at or before this one is over for all later ones. A claim
// that begins where another ends follows it and does not lie in it.
func (l *lane) holds(r *record) bool {
	for len(l.calls) > 0 && l.calls[len(l.calls)-1] <= r.from {
		l.calls = l.calls[:len(l.calls)-1]
	}
	return len(l.calls) == 0 || l.calls[len(l.calls)-1] >= r.to
}

// newLane makes a lane for the resource of a claim.
// Component and lifeline are named here, once for all claims of the lane.
func (p *player) newLane(r *record) *lane {
	v := p.called(p.doings.list[r.what.doing()].resource)
	l := &lane{name: p.unique(v.name), number: uint32(len(p.all)), resource: v, keys: map[uint32]uint32{}}
	p.all = append(p.all, l)
	return l
}

// crossing counts a claim that cannot be on the first lane of its resource.
func (p *player) crossing(crosses bool, r *record) {
	if crosses {
		p.reading.Ledger.Add(schema.CrossingCall, func() string { return fmt.Sprintf("%s: claim %d", p.trace.Path, r.id) })
	}
}

// called names a resource, and so the first lifeline of its claims.
func (p *player) called(place uint32) resource {
	if place == schema.RegularEvent {
		return resource{name: "events"}
	}
	id := p.places.List[place]
	if v, known := p.resources[id]; known {
		return v
	}
	p.reading.Ledger.Add(schema.UndefinedToken, func() string { return fmt.Sprintf("%s: resource %d", p.trace.Path, id) })
	return resource{name: fmt.Sprintf("resource %d", id)}
}

// unique returns a name that no lifeline has had: the name itself, or with a number.
// The last number given is kept by name, so a resource of a thousand lanes does not count up from two each time.
func (p *player) unique(name string) string {
	free := name
	for n := p.taken[name]; ; {
		if _, taken := p.taken[free]; !taken {
			p.taken[free] = 1
			return free
		}
		n++
		p.taken[name] = n
		free = fmt.Sprintf("%s#%d", name, n)
	}
}
