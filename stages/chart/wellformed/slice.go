package wellformed

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// A trace is woven in slices of time by several Builders at once. Each begins a little before its slice, where it knows
// nothing, and weaves some events only to learn what is open when the slice begins. Calls and messages are short beside
// that, so what it learns mostly is what one pass over the whole trace knows there. Join checks that, afterwards, for all
// that could have mattered, and a slice that began with a wrong idea is woven again from the right State. So what comes
// out is what comes out of one pass, always, and only the time that it takes depends on the trace.

// NewSlice returns a Builder of a slice. Its sink gets the rows at Flush alone. The place of a component, or of a
// lifeline, may be any bucket: numbers beyond buckets are parts of their own, for those of which the buckets are not known yet.
func NewSlice(opt Options, buckets int, groups Groups, place Place, sink Sink, led *schema.Ledger) *Builder {
	w := New(opt, buckets, groups, place, sink, led)
	w.slice, w.strays = true, newStrays()
	return w
}

// strays are what a slice looked for and did not find in itself; nil where the whole trace is woven in one pass.
type strays struct {
	exits    map[Reach]bool
	receives map[MessageID]bool
}

func newStrays() strays { return strays{make(map[Reach]bool), make(map[MessageID]bool)} }

// Reach is an exit that has no enter in its slice.
type Reach struct{ Lifeline, Function string } // both by name, since slices have codes of their own

// MessageID tells a message from all others under way.
type MessageID struct {
	Series string // name of the series
	ID     int64  // number of the message
}

// noteReach notes an exit without an open call.
func (w *Builder) noteReach(k *key) {
	if w.strays.exits != nil {
		w.strays.exits[Reach{w.codes.names.Lifelines.Name(k.lifeline), w.codes.names.Functions.Name(k.function)}] = true
	}
}

// noteStray notes a receive without a send.
func (w *Builder) noteStray(ev *event) {
	if w.strays.receives != nil {
		w.strays.receives[MessageID{w.codes.names.Series.Name(w.codes.marks.List[ev.mark].series), ev.id}] = true
	}
}

// Watch says that the events that follow are those before the slice, of which only what they leave open is wanted.
func (w *Builder) Watch() { w.watching = true }

// Cut begins the slice, behind the events that were woven to learn what is open. It forgets what came of these, and
// returns what the Builder knows.
func (w *Builder) Cut() *State {
	start := w.State()
	for i := range w.parts {
		p := &w.parts[i]
		p.base += int64(p.rows.Len())
		p.rows.Reset()
		p.late = nil
		w.messages[i].Reset()
		w.arrivals[i].Reset()
	}
	w.watching = false
	w.events, w.executions, w.exchanged = 0, 0, 0
	w.losses, w.leading, w.untraced = nil, nil, nil
	w.strays = newStrays()
	clear(w.bare)
	return start
}

// Sliced says what a slice began with, what it ended with, and what it did not find in itself.
type Sliced struct {
	Start, End *State      // what is open before its first event, and after its last
	Exits      []Reach     // exits without an enter
	Receives   []MessageID // receives without a send
	Bare       []string    // lifelines that were asked for the call at work when they had none
}

// EndSlice describes the slice that began with start.
func (w *Builder) EndSlice(start *State) *Sliced {
	s := &Sliced{
		Start: start, End: w.State(), Exits: slices.Collect(maps.Keys(w.strays.exits)), Receives: slices.Collect(maps.Keys(w.strays.receives)),
	}
	for lifeline, bare := range w.bare {
		if bare {
			s.Bare = append(s.Bare, w.codes.names.Lifelines.Name(uint32(lifeline)))
		}
	}
	return s
}

// Flush gives the sink all rows and exchanges of the slice, part by part, and returns the peers that are for rows before the slice,
// or that one pass might have learned too late.
func (w *Builder) Flush() (late [][]Patch) {
	for i := range w.parts {
		p := &w.parts[i]
		w.sink.Take(i, p.rows)
		w.sink.TakeExchanges(i, w.messages[i])
		w.sink.TakeArrivals(i, w.arrivals[i])
		late = append(late, p.late)
	}
	w.parts, w.messages, w.arrivals = nil, nil, nil
	return late
}

// joiner compares what a slice supposed with what is true.
type joiner struct {
	truth   *State
	start   *State
	shift   int64           // from the slice's sequence numbers to the true ones
	matched map[int32]int32 // exchanges of the start to those of the truth
	taken   map[int32]bool  // exchanges of the truth that are matched
	base    map[string]int  // by lifeline: open calls that the slice did not know of
}

// Join puts a slice behind the truth, which is the state where the slice begins, and returns the state where it ends.
// It returns nil where the slice supposed what is not so and could have noticed: then it must be woven again.
// Open calls that the slice did not know of do no harm while it neither ends them nor asks for them, and neither do
// messages under way, while it neither receives them nor sends others of their identifiers; sends tells whether it does.
func (s *Sliced) Join(truth *State, sends func(map[MessageID]bool) (bool, error)) (*State, error) {
	j := &joiner{truth, s.Start, truth.Seq - s.Start.Seq, make(map[int32]int32), make(map[int32]bool), make(map[string]int)}
	if !j.sameRow() || !j.sameStacks() || !j.sameLast() || !j.sameUnder() || len(j.matched) < len(s.Start.Exchanges) {
		return nil, nil
	}
	if !j.outOfReach(s) {
		return nil, nil
	}
	extra := j.unknownMessages()
	for _, id := range s.Receives {
		if extra[id] {
			return nil, nil
		}
	}
	if len(extra) > 0 {
		if sent, err := sends(extra); err != nil || sent {
			return nil, err
		}
	}
	return j.compose(s.End), nil
}

// sameRow compares the row before the slice.
func (j *joiner) sameRow() bool {
	t, p := j.truth, j.start
	if t.Begun != p.Begun || t.LastNs != p.LastNs || t.FollowsOn != p.FollowsOn {
		return false
	}
	return !t.FollowsOn || t.Lifeline == p.Lifeline && t.AtNs == p.AtNs && t.Owner == p.Owner+j.shift && t.Call == p.Call+j.shift
}

// sameStacks compares the open calls: those that the slice knew are the innermost ones.
func (j *joiner) sameStacks() bool {
	known := make(map[string][]Call, len(j.start.Stacks))
	for _, stack := range j.start.Stacks {
		known[stack.Lifeline] = stack.Calls
	}
	found := 0
	for _, stack := range j.truth.Stacks {
		calls := known[stack.Lifeline]
		if len(calls) > 0 {
			found++
		}
		base := len(stack.Calls) - len(calls)
		if base < 0 {
			return false
		}
		j.base[stack.Lifeline] = base
		for i := range calls {
			if !j.sameCall(&calls[i], &stack.Calls[base+i]) {
				return false
			}
		}
	}
	return found == len(j.start.Stacks)
}

// sameLast compares the last events of the lifelines on which the slice knew open calls. Only these may call back without an
// event in the slice. Their last events may differ where exits without an enter are left out: an exit that the slice watched may
// have ended a call that it did not know of.
func (j *joiner) sameLast() bool {
	last := make(map[string]Moment, len(j.truth.Last))
	for _, m := range j.truth.Last {
		last[j.truth.Keys[m.Key].Lifeline] = m
	}
	busy := make(map[string]bool, len(j.start.Stacks))
	for _, stack := range j.start.Stacks {
		busy[stack.Lifeline] = true
	}
	for _, m := range j.start.Last {
		lifeline := j.start.Keys[m.Key].Lifeline
		if t, known := last[lifeline]; busy[lifeline] && (!known || !j.sameMoment(m, t)) {
			return false
		}
	}
	return true
}

func (j *joiner) sameCall(p, t *Call) bool {
	if p.Skipped != t.Skipped || p.Seq+j.shift != t.Seq || p.Sent != t.Sent || len(p.Callbacks) != len(t.Callbacks) ||
		!j.sameKey(p.Key, t.Key) || !j.sameExchange(p.Exchange, t.Exchange) {
		return false
	}
	for i := range p.Callbacks {
		if !j.sameMoment(p.Callbacks[i].Start, t.Callbacks[i].Start) || !j.sameMoment(p.Callbacks[i].Origin, t.Callbacks[i].Origin) {
			return false
		}
	}
	return true
}

func (j *joiner) sameKey(p, t int32) bool { return j.start.Keys[p] == j.truth.Keys[t] }

func (j *joiner) sameMoment(p, t Moment) bool {
	return p.Seq+j.shift == t.Seq && p.TimeNs == t.TimeNs && j.sameKey(p.Key, t.Key)
}

func (j *joiner) sameEnd(p, t End) bool {
	return p.Seq+j.shift == t.Seq && p.TimeNs == t.TimeNs && p.Event+j.shift == t.Event && moved(p.Call, j.shift) == t.Call && j.sameKey(p.Key, t.Key)
}

// sameExchange compares two exchanges with those that they are bound to.
func (j *joiner) sameExchange(p, t int32) bool {
	if p == none || t == none {
		return p == t
	}
	if at, known := j.matched[p]; known {
		return at == t
	}
	if j.taken[t] {
		return false
	}
	j.matched[p], j.taken[t] = t, true
	a, b := &j.start.Exchanges[p], &j.truth.Exchanges[t]
	if j.start.Marks[a.Mark] != j.truth.Marks[b.Mark] || a.ID != b.ID || moved(a.Returns, j.shift) != b.Returns ||
		a.Received != b.Received || a.Replaced != b.Replaced || a.CallerOpen != b.CallerOpen || a.CalleeOpen != b.CalleeOpen {
		return false
	}
	if !j.sameEnd(a.Send, b.Send) || a.Received && !j.sameEnd(a.Receive, b.Receive) {
		return false
	}
	return j.sameExchange(a.Request, b.Request) && j.sameExchange(a.Reply, b.Reply)
}

// moved is a sequence number in another count, if there is one.
func moved(seq, shift int64) int64 {
	if seq == schema.NoValue {
		return seq
	}
	return seq + shift
}

// sameUnder compares the messages under way that the slice knew of.
func (j *joiner) sameUnder() bool {
	known := make(map[MessageID]int32, len(j.truth.Under))
	for _, t := range j.truth.Under {
		known[j.truth.id(t)] = t
	}
	for _, p := range j.start.Under {
		t, under := known[j.start.id(p)]
		if !under || !j.sameExchange(p, t) {
			return false
		}
	}
	return true
}

// id is the identifier of an exchange.
func (s *State) id(i int32) MessageID {
	e := &s.Exchanges[i]
	return MessageID{s.Marks[e.Mark].Series, e.ID}
}

// unknownMessages are the messages under way that the slice did not know of.
func (j *joiner) unknownMessages() map[MessageID]bool {
	extra := make(map[MessageID]bool)
	for _, t := range j.truth.Under {
		if !j.taken[t] {
			extra[j.truth.id(t)] = true
		}
	}
	return extra
}

// outOfReach reports whether the slice had nothing to do with the open calls that it did not know of: no exit looked for
// one of them, and none of them waited for a reply when its lifeline was asked for its call at work.
func (j *joiner) outOfReach(s *Sliced) bool {
	reached, bare := make(map[Reach]bool, len(s.Exits)), make(map[string]bool, len(s.Bare))
	for _, r := range s.Exits {
		reached[r] = true
	}
	for _, lifeline := range s.Bare {
		bare[lifeline] = true
	}
	for _, stack := range j.truth.Stacks {
		base := j.base[stack.Lifeline]
		for _, c := range stack.Calls[:base] {
			if reached[Reach{stack.Lifeline, j.truth.Keys[c.Key].Function}] {
				return false
			}
		}
		if base > 0 && bare[stack.Lifeline] && j.truth.waits(&stack.Calls[base-1]) {
			return false
		}
	}
	return true
}

// waits reports whether a call waits, as Builder.isWaiting does.
func (s *State) waits(c *Call) bool {
	if !c.Sent || c.Exchange == none {
		return false
	}
	e := &s.Exchanges[c.Exchange]
	return e.Received && e.CalleeOpen && e.Reply == none && !e.Replaced
}
