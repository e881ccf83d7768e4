package chrome

import "slices"

// orderFlows brings the records of one time into an order in which a message is sent before it is received, if there are
// flows among them: exporters write the ends of a flow in any order. The records of each thread stay together, so that
// further messages stand right behind the event that they belong to, and keep their order, but for an f before its
// own s. Threads come in the order of the file as far as messages allow; where they go round in a circle, the file decides.
// It takes quadratic time, and there are at most 256 records.
func (p *player) orderFlows() {
	if len(p.pending) < 2 || !slices.ContainsFunc(p.pending, func(r record) bool { return r.what >= send }) {
		return
	}
	o := flowOrder{player: p}
	for i := range p.pending {
		if track := o.track(i); !slices.Contains(o.tracks, track) {
			o.tracks = append(o.tracks, track)
		}
	}
	o.link()
	out := make([]record, 0, len(p.pending))
	for len(o.tracks) > 0 {
		at := max(0, slices.IndexFunc(o.tracks, o.isFree))
		track := o.tracks[at]
		o.tracks = slices.Delete(o.tracks, at, at+1)
		for i := range p.pending {
			if o.track(i) == track {
				out = append(out, p.pending[i])
			}
		}
	}
	copy(p.pending, out)
}

// flowOrder orders the records of one time.
type flowOrder struct {
	*player
	tracks []uint32    // still to come
	before [][2]uint32 // tracks of which the first sends what the second receives
}

// track returns the thread of a record.
func (o *flowOrder) track(i int) uint32 { return o.sites.list[o.pending[i].site].track }

// isFree reports whether a thread receives nothing that a thread to come sends.
func (o *flowOrder) isFree(track uint32) bool {
	return !slices.ContainsFunc(o.before, func(b [2]uint32) bool { return b[1] == track && slices.Contains(o.tracks, b[0]) })
}

// link finds which thread sends what another one receives at this time. A receipt belongs to a message that is under way
// already, if there is one.
func (o *flowOrder) link() {
	for i := 0; i < len(o.pending); i++ {
		r := o.pending[i]
		if r.what != receive && r.what != receiveNext || o.isUnderWay(uint64(r.more)) {
			continue
		}
		sender := slices.IndexFunc(o.pending, func(s record) bool { return (s.what == send || s.what == forward) && s.more == r.more })
		switch {
		case sender < 0:
		case o.track(sender) != o.track(i):
			o.before = append(o.before, [2]uint32{o.track(sender), o.track(i)})
		case sender > i: // it goes behind its own s, and the record that follows it is looked at next
			copy(o.pending[i:sender], o.pending[i+1:sender+1])
			o.pending[sender] = r
			i--
		}
	}
}

// isUnderWay reports whether a message of a flow is sent and not received.
func (o *flowOrder) isUnderWay(id uint64) bool {
	_, sent := o.flows[id]
	return sent
}
