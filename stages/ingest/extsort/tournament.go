package extsort

import "math"

// Done is the key of a stream that has ended. No event may have it.
const Done = math.MaxInt64

// Tournament finds the stream with the minimum key, such as the time of its next event; of equals the one with the
// lower number. It is a tree of losers (Knuth, The Art of Computer Programming 3, section 5.4.1): a new key of the
// winner is played against the losers on its way to the root.
type Tournament struct {
	keys   []int64 // of the streams' next events; Done behind the last stream
	losers []int32 // losers[1:] of the matches, as a heap; losers[0] is the winner
	size   int     // leaves, a power of two
}

// NewTournament starts a tournament of streams whose next keys are given.
func NewTournament(keys []int64) *Tournament {
	// The tree is complete: streams that do not exist fill it up and have ended from the start.
	size := 1
	for size < len(keys) {
		size *= 2
	}
	t := &Tournament{keys: make([]int64, size), losers: make([]int32, size), size: size}
	for i := range t.keys {
		t.keys[i] = Done
	}
	copy(t.keys, keys)
	t.losers[0] = t.play(1)
	return t
}

// play fills the losers below a match and returns its winner.
func (t *Tournament) play(match int) int32 {
	if match >= t.size {
		return int32(match - t.size)
	}
	a, b := t.play(2*match), t.play(2*match+1)
	if t.beats(b, a) {
		a, b = b, a
	}
	// The loser stays at the match, the winner goes up.
	t.losers[match] = b
	return a
}

// beats reports whether a stream comes before another one.
func (t *Tournament) beats(a, b int32) bool {
	return t.keys[a] < t.keys[b] || t.keys[a] == t.keys[b] && a < b
}

// Min returns the stream that comes next, or -1 when all have ended. It may go on as long as its keys are below
// until.
func (t *Tournament) Min() (stream int, until int64) {
	winner := t.losers[0]
	if t.keys[winner] == Done {
		return -1, Done
	}
	until = Done
	for match := (int(winner) + t.size) / 2; match >= 1; match /= 2 {
		loser := t.losers[match]
		key := t.keys[loser]
		if winner < loser && key < Done {
			key++ // of equals the lower number goes first
		}
		until = min(until, key)
	}
	return int(winner), until
}

// Update gives the stream that Min returned its new key.
func (t *Tournament) Update(key int64) {
	winner := t.losers[0]
	t.keys[winner] = key
	for match := (int(winner) + t.size) / 2; match >= 1; match /= 2 {
		if t.beats(t.losers[match], winner) {
			winner, t.losers[match] = t.losers[match], winner
		}
	}
	t.losers[0] = winner
}
