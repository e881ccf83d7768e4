package wellformed

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// composer puts the end of a slice on top of what the slice did not know of.
type composer struct {
	*joiner
	out    *State
	keys   schema.Numbering[schema.EventKey]
	marks  schema.Numbering[schema.MessageMark] // mark 0 is that of no message
	places map[int32]int32                      // of exchanges of the truth that stay
	first  int32                                // place of the first exchange of the slice
}

// compose is the state where the slice ends: what the truth has beyond the start, and the slice's end.
func (j *joiner) compose(end *State) *State {
	t := j.truth
	c := &composer{joiner: j, places: make(map[int32]int32)}
	c.out = &State{
		Begun: end.Begun, Seq: end.Seq + j.shift, FollowsOn: end.FollowsOn, Lifeline: end.Lifeline, AtNs: end.AtNs,
		Owner: end.Owner + j.shift, Call: end.Call + j.shift, LastNs: end.LastNs, FirstNs: min(t.FirstNs, end.FirstNs), EndNs: max(t.EndNs, end.EndNs),
		Events: t.Events + end.Events, Executions: t.Executions + end.Executions, Exchanged: t.Exchanged + end.Exchanged,
		Losses: mergeLosses(t.Losses, end.Losses, j.shift), File: end.File,
	}
	if !t.Begun {
		c.out.FirstNs, c.out.EndNs = end.FirstNs, end.EndNs
	}
	c.mark(schema.MessageMark{})
	c.exchanges(end)
	c.stacks(end)
	c.moments(end)
	for _, from := range []*State{t, end} {
		for _, k := range from.Leading {
			c.out.Leading = append(c.out.Leading, c.key(from.Keys[k]))
		}
		for _, u := range from.Untraced {
			u.End, u.Mark = c.end(from, u.End), c.mark(from.Marks[u.Mark])
			c.out.Untraced = append(c.out.Untraced, u)
		}
	}
	c.out.Keys, c.out.Marks = c.keys.List, c.marks.List
	return c.out
}

// mergeLosses adds the losses of a slice, whose sequence numbers lack a shift, to those before it.
func mergeLosses(before, more []Loss, shift int64) []Loss {
	all := slices.Clone(before)
	for _, l := range more {
		at := slices.IndexFunc(all, func(b Loss) bool { return b.Reason == l.Reason })
		if at < 0 {
			l.Seq += shift
			all = append(all, l)
		} else {
			all[at].Count += l.Count
		}
	}
	return all
}

// shiftOf is what the sequence numbers of a state lack.
func (c *composer) shiftOf(from *State) int64 {
	if from == c.truth {
		return 0
	}
	return c.shift
}

func (c *composer) key(k schema.EventKey) int32 { return int32(c.keys.Number(k)) }

func (c *composer) mark(m schema.MessageMark) int32 { return int32(c.marks.Number(m)) }

func (c *composer) end(from *State, e End) End {
	shift := c.shiftOf(from)
	return End{e.Seq + shift, e.TimeNs, e.Event + shift, moved(e.Call, shift), c.key(from.Keys[e.Key])}
}

func (c *composer) moment(from *State, m Moment) Moment {
	return Moment{m.Seq + c.shiftOf(from), m.TimeNs, c.key(from.Keys[m.Key])}
}

// exchanges takes the exchanges that the slice did not know of, then those that it left open.
func (c *composer) exchanges(end *State) {
	for i := range c.truth.Exchanges {
		if !c.taken[int32(i)] {
			c.places[int32(i)] = c.first
			c.first++
		}
	}
	for i := range c.truth.Exchanges {
		if !c.taken[int32(i)] {
			c.add(c.truth, &c.truth.Exchanges[i])
		}
	}
	for i := range end.Exchanges {
		c.add(end, &end.Exchanges[i])
	}
	for _, from := range []*State{c.truth, end} {
		for _, i := range from.Under {
			if at := c.exchange(from, i); at != none {
				c.out.Under = append(c.out.Under, at)
			}
		}
	}
	slices.SortFunc(c.out.Under, func(a, b int32) int { return cmp.Compare(c.out.Exchanges[a].Send.Seq, c.out.Exchanges[b].Send.Seq) })
}

// add adds an exchange of a state.
func (c *composer) add(from *State, e *Exchange) {
	one := *e
	one.Mark, one.Send, one.Returns = c.mark(from.Marks[e.Mark]), c.end(from, e.Send), moved(e.Returns, c.shiftOf(from))
	one.Request, one.Reply = c.exchange(from, e.Request), c.exchange(from, e.Reply)
	if e.Received {
		one.Receive = c.end(from, e.Receive)
	}
	c.out.Exchanges = append(c.out.Exchanges, one)
}

// exchange is the new place of an exchange, or none for one of the truth that the slice knew, and so has an end of its own.
func (c *composer) exchange(from *State, i int32) int32 {
	if i == none {
		return none
	}
	if from != c.truth {
		return c.first + i
	}
	if at, stays := c.places[i]; stays {
		return at
	}
	return none
}

// stacks puts the calls that the slice left open on those that it did not know of.
func (c *composer) stacks(end *State) {
	calls := make(map[string][]Call)
	for _, stack := range c.truth.Stacks {
		for _, call := range stack.Calls[:c.base[stack.Lifeline]] {
			calls[stack.Lifeline] = append(calls[stack.Lifeline], c.call(c.truth, call))
		}
	}
	for _, stack := range end.Stacks {
		for _, call := range stack.Calls {
			calls[stack.Lifeline] = append(calls[stack.Lifeline], c.call(end, call))
		}
	}
	for lifeline, open := range calls {
		c.out.Stacks = append(c.out.Stacks, Stack{lifeline, open})
	}
	slices.SortFunc(c.out.Stacks, func(a, b Stack) int { return cmp.Compare(a.Lifeline, b.Lifeline) })
}

func (c *composer) call(from *State, call Call) Call {
	callbacks := call.Callbacks
	call.Seq, call.Key, call.Exchange, call.Callbacks = call.Seq+c.shiftOf(from), c.key(from.Keys[call.Key]), c.exchange(from, call.Exchange), nil
	for _, one := range callbacks {
		call.Callbacks = append(call.Callbacks, Callback{c.moment(from, one.Start), c.moment(from, one.Origin)})
	}
	return call
}

// moments takes the last event of every lifeline: of the slice where it has one. What the slice watched does not count: there
// it may have left out the exit of a call that it did not know of, or taken a further message for one that stands by itself.
func (c *composer) moments(end *State) {
	seen := make(map[string]bool, len(end.Last))
	for _, m := range end.Last {
		if m.Seq < c.start.Seq {
			continue
		}
		seen[end.Keys[m.Key].Lifeline] = true
		c.out.Last = append(c.out.Last, c.moment(end, m))
	}
	for _, m := range c.truth.Last {
		if !seen[c.truth.Keys[m.Key].Lifeline] {
			c.out.Last = append(c.out.Last, c.moment(c.truth, m))
		}
	}
}
