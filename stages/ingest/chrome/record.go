package chrome

import "cmp"

// record is what is kept of an event until all are sorted: 24 bytes without pointers, of which the sorter holds many in
// memory and writes the rest to scratch files.
// The sorter compares times first, which mostly decide.
type record struct {
	timeNs int64
	more   int64  // of a complete call its duration in nanoseconds; of an event with an identifier its hash
	site   uint32 // position in sites.list
	what   what
}

// what is the meaning of a phase.
type what uint8

const (
	unknown what = iota
	begin
	end
	complete
	instant
	asyncBegin
	asyncEnd
	asyncInstant
	send
	forward
	receive     // in the call around it
	receiveNext // in the call that begins next
	metadata
	skipped
)

// phases are the meanings of the letters ph. A letter that is not listed is of no known phase.
var phases = [256]what{
	'B': begin, 'E': end, 'X': complete, 'i': instant, 'I': instant, 'R': instant,
	'b': asyncBegin, 'e': asyncEnd, 'n': asyncInstant, 'S': asyncBegin, 'F': asyncEnd, 'T': asyncInstant, 'p': asyncInstant,
	's': send, 't': forward, 'f': receiveNext, 'M': metadata,
	'C': skipped, 'P': skipped, 'O': skipped, 'N': skipped, 'D': skipped, 'V': skipped, 'v': skipped, 'c': skipped,
	'(': skipped, ')': skipped,
}

// byTime sorts records by time; of equal times complete calls come last, the longest of them first, so that each lies in
// those before it. Others keep the order of the file, which player.choose mends.
// It is written as a switch of comparisons and not with cmp.Or, which would compute all of them for each of some 20
// comparisons an event.
func byTime(a, b *record) int {
	switch {
	case a.timeNs < b.timeNs:
		return -1
	case a.timeNs > b.timeNs:
		return 1
	case a.what != complete && b.what != complete:
		return 0
	case a.what != complete:
		return -1
	case b.what != complete:
		return 1
	}
	return cmp.Compare(b.more, a.more)
}
