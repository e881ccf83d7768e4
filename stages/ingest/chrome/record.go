package chrome

import (
	"cmp"

	"github.com/tracelake/tracelake/schema"
)

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
	receive      // in the call around it
	receiveNext  // in the call that begins next
	exitSend     // at the end of the call of this site that begins now: see devices
	exitReceive  // likewise
	enterReceive // at the start of the call of this site that begins now
	enterMeeting // sent to another rank at the start of the call of this site that begins now: see meetings
	exitMeeting  // received from another rank when the call ends
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

// skippedKinds are the reasons for records of phases that have no place, by what they hold.
var skippedKinds = map[byte]schema.Reason{
	'C': schema.SkippedRecord.OfKind("counter"), 'P': schema.SkippedRecord.OfKind("sample"), 'c': schema.SkippedRecord.OfKind("clock synchronisation"),
	'O': schema.SkippedRecord.OfKind("object"), 'N': schema.SkippedRecord.OfKind("object"), 'D': schema.SkippedRecord.OfKind("object"),
	'V': schema.SkippedRecord.OfKind("memory dump"), 'v': schema.SkippedRecord.OfKind("memory dump"),
	'(': schema.SkippedRecord.OfKind("context"), ')': schema.SkippedRecord.OfKind("context"),
}

// begins are the kinds that begin a call, or are one.
var begins = [...]bool{begin: true, complete: true, instant: true, asyncBegin: true, asyncInstant: true, skipped: false}

// rank is the order of the kinds at one time: complete calls come behind others, and behind them what happens at their ends.
var rank = [...]int8{enterReceive: -1, enterMeeting: -1, complete: 1, exitSend: 2, exitReceive: 2, exitMeeting: 2, skipped: 0}

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
	case rank[a.what] != rank[b.what]:
		return int(rank[a.what] - rank[b.what])
	case a.what != complete:
		return 0
	}
	return cmp.Compare(b.more, a.more)
}
