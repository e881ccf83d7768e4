package samples

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
)

// Taken is an event of a recovered trace: the transition, by its position in the argument of Recover,
// and the time at which it was taken.
type Taken struct {
	Transition int   // position in the argument of Recover
	TimeNs     int64 // ns, as in the trace
}

// Recover gives back the trace of a fragment from its timed automaton, "by always taking the transition
// with the minimal next higher timestamp" (Hilbig 2023, end of section 3.1.1). TimesNs are the ABSOLUTE
// samples of each transition in order. The times of the trace must be strictly monotonic and its words
// must not overlap; an error says that samples were left over.
func Recover(transitions []schema.Transition, timesNs [][]int64) ([]Taken, error) {
	outgoing := make(map[int64][]int)
	left := 0
	for i, t := range transitions {
		outgoing[t.Source] = append(outgoing[t.Source], i)
		left += len(timesNs[i])
	}
	taken := make([]Taken, 0, left)
	next := make([]int, len(transitions)) // position in timesNs
	for state := int64(0); ; {
		best := -1
		for _, i := range outgoing[state] {
			for len(taken) > 0 && next[i] < len(timesNs[i]) && timesNs[i][next[i]] <= taken[len(taken)-1].TimeNs {
				next[i]++
			}
			if next[i] < len(timesNs[i]) && (best < 0 || timesNs[i][next[i]] < timesNs[best][next[best]]) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		taken = append(taken, Taken{best, timesNs[best][next[best]]})
		state = transitions[best].Target
	}
	if len(taken) < left {
		return taken, fmt.Errorf("samples: %d of %d samples are not on the path through the automaton", left-len(taken), left)
	}
	return taken, nil
}
