package reconciliation

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// Exchange is a message that one unit sends and another receives: positions of the units, and of the ends in theirs.
type Exchange struct {
	Sender, Receiver int32 // position of the unit that sends; Receiver likewise
	Send, Receive    int32 // position in the sender's Ends; Receive in the receiver's
}

// Paired is the result of matching the identifiers of messages of several units.
type Paired struct {
	Exchanges []Exchange // messages between units
	// Apart are, by unit, the positions of the ends whose identifier means one message here and another one elsewhere.
	Apart [][]int32
	// Ambiguous counts the identifiers that more than two units send or receive, so that it is unknown
	// which ends belong together.
	Ambiguous int64
}

// messageEnd is an end of a message that has not been matched yet.
type messageEnd struct {
	id        int64
	series    uint32 // code that all units share
	unit, end int32  // position of the unit; end is the position in its Ends
	direction schema.Direction
}

// Pair finds the messages between units: those whose identifier one unit sends and another receives, the first sending
// for the first receipt. An identifier that both units send and receive is that of a request and its reply if either unit
// receives it before it sends it; if each unit sends it before it receives it, it is of a message in each.
func Pair(units []*Unit) *Paired {
	// Sorting brings the ends of one identifier together: n log n, and 24 bytes an end.
	refs := gatherEnds(units)
	slices.SortFunc(refs, func(a, b messageEnd) int {
		return cmp.Or(cmp.Compare(a.series, b.series), cmp.Compare(a.id, b.id), cmp.Compare(a.unit, b.unit), cmp.Compare(a.end, b.end))
	})
	p := &Paired{Apart: make([][]int32, len(units))}
	for from := 0; from < len(refs); {
		to := from + 1
		for to < len(refs) && refs[to].series == refs[from].series && refs[to].id == refs[from].id {
			to++
		}
		// Ends are sorted by unit, so that the first and the last show whether there are several.
		if refs[from].unit != refs[to-1].unit {
			p.resolveIdentifier(refs[from:to])
		}
		from = to
	}
	for _, ends := range p.Apart {
		slices.Sort(ends)
	}
	return p
}

// gatherEnds lists the ends of all units with common codes for their series.
func gatherEnds(units []*Unit) []messageEnd {
	var names schema.Dictionary
	n := 0
	for _, u := range units {
		n += len(u.Ends)
	}
	refs := make([]messageEnd, 0, n)
	for i, u := range units {
		code := make([]uint32, len(u.Series))
		for s, name := range u.Series {
			code[s] = names.Code(name)
		}
		for e, end := range u.Ends {
			refs = append(refs, messageEnd{end.ID, code[end.Series], int32(i), int32(e), end.Direction})
		}
	}
	return refs
}

// unitEnds are the ends of one identifier in one unit, in the order of its trace.
type unitEnds struct {
	unit            int32
	sends, receipts []int32 // ends that send
	early           bool    // a receipt comes before its sending
}

// resolveIdentifier finds the messages of an identifier that several units know: nearly always there is
// one.
func (p *Paired) resolveIdentifier(refs []messageEnd) {
	if len(refs) == 2 && refs[0].direction != refs[1].direction {
		from, to := refs[0], refs[1]
		if from.direction == schema.Receive {
			from, to = to, from
		}
		p.Exchanges = append(p.Exchanges, Exchange{from.unit, to.unit, from.end, to.end})
		return
	}
	// The rare case: the identifier occurs more than twice, or in one direction only.
	shares := divideByUnit(refs)
	var senders, receivers []int
	early := false
	for i, s := range shares {
		early = early || s.early
		if len(s.sends) > 0 {
			senders = append(senders, i)
		}
		if len(s.receipts) > 0 {
			receivers = append(receivers, i)
		}
	}
	switch {
	case len(senders) == 0 || len(receivers) == 0:
		return
	case len(senders) == 1 && len(receivers) == 1: // used again and again in one direction
		p.matchInOrder(&shares[senders[0]], &shares[receivers[0]])
		return
	case len(shares) == 2 && early && isRequestAndReply(&shares[0], &shares[1]):
		p.matchInOrder(&shares[0], &shares[1])
		p.matchInOrder(&shares[1], &shares[0])
		return
	case early: // some unit received before it sent, so that it is not its own message
		p.Ambiguous++
	}
	// Each unit uses the identifier for messages of its own.
	for _, r := range refs {
		p.Apart[r.unit] = append(p.Apart[r.unit], r.end)
	}
}

// isRequestAndReply reports whether two units send each other an identifier as often as the other
// receives it.
func isRequestAndReply(a, b *unitEnds) bool {
	return len(a.sends) == len(b.receipts) && len(b.sends) == len(a.receipts)
}

// divideByUnit groups the ends of an identifier by unit.
func divideByUnit(refs []messageEnd) []unitEnds {
	var shares []unitEnds
	for _, r := range refs {
		if len(shares) == 0 || shares[len(shares)-1].unit != r.unit {
			shares = append(shares, unitEnds{unit: r.unit})
		}
		s := &shares[len(shares)-1]
		if r.direction == schema.Send {
			s.sends = append(s.sends, r.end)
			continue
		}
		s.receipts = append(s.receipts, r.end)
		s.early = s.early || len(s.receipts) > len(s.sends)
	}
	return shares
}

// matchInOrder pairs the first sending with the first receipt, and so on.
func (p *Paired) matchInOrder(from, to *unitEnds) {
	for k := range min(len(from.sends), len(to.receipts)) {
		p.Exchanges = append(p.Exchanges, Exchange{from.unit, to.unit, from.sends[k], to.receipts[k]})
	}
}
