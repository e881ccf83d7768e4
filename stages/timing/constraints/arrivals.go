package constraints

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// arrival is a message that a lifeline of the partition receives, 32 bytes.
type arrival struct {
	receiveSeq, sendSeq, sendNs int64
	sender, label               uint32
}

// manner is what the heuristics beyond the paper's want to know of a message.
type manner struct {
	declaredNs int64  // its bound as the trace declares it; NoValue: nothing
	leastNs    int64  // the shortest message of its class between these lifelines
	route      uint32 // position in the routes
	class      class
	controlled bool // a message-control stands for it
}

// route is a way on which messages of a class travel.
type route struct {
	from, to uint32 // lifelines
	class    class
	of       class // of a control: that of the message it controls
}

// arrivals are the messages into a partition.
type arrivals struct {
	all     []arrival
	manners []manner // of each; empty where nobody asks
	routes  map[route]uint32
	least   []int64 // by route
}

// add takes the messages whose receiver is wanted. Messages that an event sends to itself bind nothing.
func (a *arrivals) add(m *schema.Messages, wanted []bool, n *notes, bounds Bounds) {
	for i, receiver := range m.Receiver {
		if int(receiver) >= len(wanted) || !wanted[receiver] || m.SendSeq[i] == m.ReceiveSeq[i] {
			continue
		}
		a.all = append(a.all, arrival{m.ReceiveSeq[i], m.SendSeq[i], m.SendNs[i], m.Sender[i], m.Label[i]})
		if bounds != Paper {
			a.manners = append(a.manners, a.mannerOf(m, i, n, bounds))
		}
	}
}

func (a *arrivals) mannerOf(m *schema.Messages, i int, n *notes, bounds Bounds) manner {
	one, of := manner{declaredNs: schema.NoValue}, message
	if len(n.messages) > 0 {
		id := identifier{m.SendSeq[i], m.MessageID[i], m.Names.Series.Name(m.Series[i])}
		if d, known := n.messages[id]; known {
			one.declaredNs, one.class = d.boundNs, d.class
			if d.class == control {
				of = n.classes[d.controls]
			}
		}
		one.controlled = len(n.controlled) > 0 && n.controlled[id.name()]
	}
	if bounds == PPS {
		one.route = a.travel(route{m.SenderLifeline[i], m.ReceiverLifeline[i], one.class, of}, m.ReceiveNs[i]-m.SendNs[i])
	}
	return one
}

// travel notes how long a message took on its route.
func (a *arrivals) travel(r route, ns int64) uint32 {
	if a.routes == nil {
		a.routes = make(map[route]uint32)
	}
	i, known := a.routes[r]
	if !known {
		i = uint32(len(a.least))
		a.routes[r] = i
		a.least = append(a.least, ns)
	}
	a.least[i] = min(a.least[i], ns)
	return i
}

// sort brings the messages into the order of the events that receive them, then of those that send them.
func (a *arrivals) sort() {
	order := inOrder(a.all)
	a.all = permute(a.all, order)
	if len(a.manners) > 0 {
		a.manners = permute(a.manners, order)
	}
	for i := range a.manners {
		if len(a.least) > 0 {
			a.manners[i].leastNs = a.least[a.manners[i].route]
		}
	}
}

// key is an event that receives and the position of its message.
type key struct {
	seq uint64 // less the smallest
	at  uint32
}

const digit = 11 // bits that a pass of the radix sort looks at

// inOrder returns the positions of the messages in their order: a radix sort by the receiving event, then the few
// of one event by the sending one.
func inOrder(all []arrival) []key {
	if len(all) == 0 {
		return nil
	}
	least, most := all[0].receiveSeq, all[0].receiveSeq
	for i := range all {
		least, most = min(least, all[i].receiveSeq), max(most, all[i].receiveSeq)
	}
	keys, other := make([]key, len(all)), make([]key, len(all))
	for i := range all {
		keys[i] = key{uint64(all[i].receiveSeq - least), uint32(i)}
	}
	for shift := 0; uint64(most-least)>>shift > 0; shift += digit {
		pass(keys, other, shift)
		keys, other = other, keys
	}
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && keys[to].seq == keys[from].seq {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(keys[from:to], func(x, y key) int { return compare(&all[x.at], &all[y.at]) })
		}
		from = to
	}
	return keys
}

// compare orders the messages that one event receives.
func compare(x, y *arrival) int {
	return cmp.Or(cmp.Compare(x.sendSeq, y.sendSeq), cmp.Compare(x.label, y.label), cmp.Compare(x.sender, y.sender))
}

// pass sorts keys by one digit into other.
func pass(keys, other []key, shift int) {
	var place [1 << digit]int
	for i := range keys {
		place[keys[i].seq>>shift&(1<<digit-1)]++
	}
	sum := 0
	for d, n := range place {
		place[d] = sum
		sum += n
	}
	for i := range keys {
		d := keys[i].seq >> shift & (1<<digit - 1)
		other[place[d]] = keys[i]
		place[d]++
	}
}

func permute[T any](list []T, order []key) []T {
	out := make([]T, len(list))
	for i := range order {
		out[i] = list[order[i].at]
	}
	return out
}
