package constraints

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/numbering"
)

// arrival is a message that a lifeline of the partition receives, or another coupling into it, in 32 bytes: a partition may
// receive tens of millions.
type arrival struct {
	receiveSeq, sendSeq, sendNs int64
	sender, label               uint32
}

// messageDetails is what the heuristics beyond the paper's need to know about a message.
type messageDetails struct {
	declaredNs int64  // bound that the trace declares; schema.NoValue: none
	minNs      int64  // shortest message of its class between these lifelines
	route      uint32 // position in the routes
	class      messageClass
	controlled bool // a message-control stands for it
}

// route is the path of the messages of a class between two lifelines.
type route struct {
	from, to uint32 // lifelines
	class    messageClass
	of       messageClass // for a control: class of the message that it controls
}

// arrivals are the messages into a partition.
type arrivals struct {
	all     []arrival
	details []messageDetails        // of each; empty where the heuristic does not ask
	kinds   []schema.ConstraintKind // of each
	minNs   []int64                 // by route: its shortest message

	lifelines numbering.Numbers // of the lifelines of routes
	routes    numbering.Numbers // by the number of the lifelines and the classes
}

// reserve makes room for messages that are to come, so that lists of millions need not grow.
func (a *arrivals) reserve(messages int, bounds Bounds) {
	a.all, a.kinds = slices.Grow(a.all, messages), slices.Grow(a.kinds, messages)
	if bounds != Paper {
		a.details = slices.Grow(a.details, messages)
	}
}

// addMessages takes the messages whose receiver is wanted. Messages that an event sends to itself
// constrain nothing.
func (a *arrivals) addMessages(m *schema.Messages, wanted []bool, n *notes, bounds Bounds) {
	for i, receiver := range m.Receiver {
		if int(receiver) >= len(wanted) || !wanted[receiver] || m.SendSeq[i] == m.ReceiveSeq[i] {
			continue
		}
		a.all = append(a.all, arrival{m.ReceiveSeq[i], m.SendSeq[i], m.SendNs[i], m.Sender[i], m.Label[i]})
		a.kinds = append(a.kinds, kindOf[m.Pattern[i]])
		if bounds != Paper {
			a.details = append(a.details, a.detailsOf(m, i, n, bounds))
		}
	}
}

// kindOf is the kind of the constraint of a message, by its pattern.
var kindOf = [...]schema.ConstraintKind{
	schema.Trigger: schema.ByMessage, schema.Blocking: schema.ByMessage, schema.NonBlocking: schema.ByMessage, schema.Callback: schema.ByMessage,
	schema.BlockingReply: schema.ByReply, schema.NonBlockingReply: schema.ByReply, schema.CallbackReply: schema.ByReply,
	schema.Inferred: schema.ByCallback, schema.Wakeup: schema.ByWakeup,
}

// addCouplings takes couplings, after all messages. No event is coupled to itself, since wellformed couples no events of one lifeline.
// To the heuristics each is a message of a class by itself, which no trace gives a bound.
func (a *arrivals) addCouplings(c *schema.Couplings, bounds Bounds) {
	a.kinds = append(a.kinds, c.Kind...)
	for i := range c.Kind {
		a.all = append(a.all, arrival{c.TargetSeq[i], c.SourceSeq[i], c.SourceNs[i], c.Source[i], c.Label[i]})
		if bounds != Paper {
			one := messageDetails{declaredNs: schema.NoValue, class: coupled}
			if bounds == PPS {
				one.route = a.noteTravel(route{c.SourceLifeline[i], c.TargetLifeline[i], coupled, message}, c.TargetNs[i]-c.SourceNs[i])
			}
			a.details = append(a.details, one)
		}
	}
}

// detailsOf collects what the heuristic needs to know about a message.
func (a *arrivals) detailsOf(m *schema.Messages, i int, n *notes, bounds Bounds) messageDetails {
	one, of := messageDetails{declaredNs: schema.NoValue}, message
	if len(n.messages) > 0 {
		id := messageIdentifier{m.SendSeq[i], m.MessageID[i], m.Names.Series.Name(m.Series[i])}
		if d, known := n.messages[id]; known {
			one.declaredNs, one.class = d.boundNs, d.class
			if d.class == control {
				of = n.classes[d.controls]
			}
		}
		one.controlled = len(n.controlled) > 0 && n.controlled[id.nameOf()]
	}
	if bounds == PPS {
		one.route = a.noteTravel(route{m.SenderLifeline[i], m.ReceiverLifeline[i], one.class, of}, m.ReceiveNs[i]-m.SendNs[i])
	}
	return one
}

// noteTravel records how long a message took on its route.
func (a *arrivals) noteTravel(r route, ns int64) uint32 {
	lifelines, _ := a.lifelines.Of(numbering.Pack(r.from, r.to))
	i, isNew := a.routes.Of(numbering.Pack(lifelines, uint32(r.class)<<8|uint32(r.of)))
	if isNew {
		a.minNs = append(a.minNs, ns)
	}
	a.minNs[i] = min(a.minNs[i], ns)
	return i
}

// sortByReceiver brings the messages into the order of the events that receive them, then of those that
// send them: the order in which Add consumes them.
func (a *arrivals) sortByReceiver() {
	// Messages of one sender, or of a trace that was written as it was received, are in order already.
	if !slices.IsSortedFunc(a.all, func(x, y arrival) int {
		return cmp.Or(cmp.Compare(x.receiveSeq, y.receiveSeq), compareArrivals(&x, &y))
	}) {
		// Keys are sorted instead of messages.
		order := sortedKeys(a.all)
		a.all = reordered(a.all, order)
		if len(a.details) > 0 {
			a.details = reordered(a.details, order)
		}
		a.kinds = reordered(a.kinds, order)
	}
	// The shortest message of a route is known only now that all have come.
	for i := range a.details {
		if len(a.minNs) > 0 {
			a.details[i].minNs = a.minNs[a.details[i].route]
		}
	}
}

// arrivalKey is a receiving event and the position of its message.
type arrivalKey struct {
	seq uint64 // less the smallest, so that fewer digits need sorting
	at  uint32
}

// digitBits is the number of bits per pass of the radix sort: 2048 counters fit into the first-level
// cache.
const digitBits = 11 // bits that a pass of the radix sort looks at

// sortedKeys returns the positions of the messages in their order: a radix sort by the receiving event, then the few
// of one event by the sending one.
func sortedKeys(all []arrival) []arrivalKey {
	if len(all) == 0 {
		return nil
	}
	// Passes are needed only for the digits in which the keys differ.
	least, most := all[0].receiveSeq, all[0].receiveSeq
	for i := range all {
		least, most = min(least, all[i].receiveSeq), max(most, all[i].receiveSeq)
	}
	keys, other := make([]arrivalKey, len(all)), make([]arrivalKey, len(all))
	for i := range all {
		keys[i] = arrivalKey{uint64(all[i].receiveSeq - least), uint32(i)}
	}
	for shift := 0; uint64(most-least)>>shift > 0; shift += digitBits {
		sortByDigit(keys, other, shift)
		keys, other = other, keys
	}
	for from := 0; from < len(keys); {
		to := from + 1
		for to < len(keys) && keys[to].seq == keys[from].seq {
			to++
		}
		if to-from > 1 {
			slices.SortFunc(keys[from:to], func(x, y arrivalKey) int { return compareArrivals(&all[x.at], &all[y.at]) })
		}
		from = to
	}
	return keys
}

// compareArrivals orders the messages that one event receives.
func compareArrivals(x, y *arrival) int {
	return cmp.Or(cmp.Compare(x.sendSeq, y.sendSeq), cmp.Compare(x.label, y.label), cmp.Compare(x.sender, y.sender))
}

// sortByDigit sorts keys by one digit into other, keeping the order of equal ones.
func sortByDigit(keys, other []arrivalKey, shift int) {
	var place [1 << digitBits]int
	for i := range keys {
		place[keys[i].seq>>shift&(1<<digitBits-1)]++
	}
	sum := 0
	for d, n := range place {
		place[d] = sum
		sum += n
	}
	for i := range keys {
		d := keys[i].seq >> shift & (1<<digitBits - 1)
		other[place[d]] = keys[i]
		place[d]++
	}
}

// reordered returns a list in the order of keys.
func reordered[T any](list []T, order []arrivalKey) []T {
	out := make([]T, len(list))
	for i := range order {
		out[i] = list[order[i].at]
	}
	return out
}
