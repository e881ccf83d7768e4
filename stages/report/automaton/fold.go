package automaton

import (
	"fmt"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// minFolded is the minimum number of steps of a chain that is worth a box.
const minFolded = 3

// Fold puts every chain of at least three transitions that look alike into one that says how many steps it stands for: unchanged ones,
// those that only one side has, and those that changed because another step did. What changed by itself stays. Inside a chain every state
// has one way in and one way out and is neither initial nor accepting. A loop that was unrolled, since nothing told how often it runs, is a
// chain of its own that says how often the same steps follow each other. The counts of a chain are those of its first transition; its
// medians are those of its last transition or, where times are additive, their sums. Its samples are gone.
// The automaton that is given stays as it is. An error is that of arrange: a number that two states have, or that none has.
func Fold(a *Automaton) (*Automaton, error) {
	r, err := arrange(a)
	if err != nil {
		return nil, err
	}
	f := &folder{arranged: r, inner: make([]bool, len(r.states)), out: make([]int32, len(r.states))}
	f.findInner()
	folded := *a
	folded.States, folded.Transitions = nil, nil
	gone, used := make([]bool, len(r.states)), make([]bool, len(r.transitions)) // by state and by transition: it went into a box
	for i := range r.transitions {
		if f.inner[r.ends[i][0]] {
			continue // it belongs to the chain that begins elsewhere, or to a circle
		}
		// A chain is one box, or several where it holds unrolled loops; what is too short stays as it is.
		for _, p := range f.stretches(f.chain(int32(i))) {
			if len(p.chain) < minFolded {
				continue
			}
			folded.Transitions = append(folded.Transitions, f.box(p))
			for k, t := range p.chain {
				used[t] = true
				if k > 0 {
					// The states between the steps of a box disappear with it; its first and last state stay.
					gone[r.ends[t][0]] = true
				}
			}
		}
	}
	// Transitions that no box took over stay, and so do all states outside of boxes. The layout sorts them anew.
	folded.Transitions = append(folded.Transitions, kept(r.transitions, used)...)
	folded.States = kept(r.states, gone)
	return &folded, nil
}

// kept returns the rows that are not gone, in their order.
func kept[T any](rows []T, gone []bool) (left []T) {
	for i := range rows {
		if !gone[i] {
			left = append(left, rows[i])
		}
	}
	return left
}

// folder is an automaton while its chains are folded.
type folder struct {
	*arranged
	inner []bool  // by state: it may stand inside a chain
	out   []int32 // by state: its last transition
}

// plain reports whether a transition may be folded: nothing about it is worth a line of its own.
func (t *Transition) plain() bool { return t.look() != timing && t.Steps < 2 }

// findInner finds the states inside chains: one plain way in, one plain way out, which look alike and have the same counts.
func (f *folder) findInner() {
	ways := make([][2]int, len(f.states)) // out and in
	in := make([]int32, len(f.states))
	// The last transition in and out suffices: where there are several, the state is not inner.
	for i, e := range f.ends {
		ways[e[0]][0]++
		ways[e[1]][1]++
		f.out[e[0]], in[e[1]] = int32(i), int32(i)
	}
	for s := range f.states {
		if ways[s] != [2]int{1, 1} || f.states[s].Initial || f.states[s].Accepting {
			continue
		}
		t, u := &f.transitions[in[s]], &f.transitions[f.out[s]]
		// Equal counts on both sides: no path ends inside the chain, and none begins there.
		f.inner[s] = t.plain() && u.plain() && t.look() == u.look() && t.Base.Count == u.Base.Count && t.Cand.Count == u.Cand.Count
	}
}

// chain is a transition and those that follow it through inner states.
func (f *folder) chain(t int32) []int32 {
	chain := []int32{t}
	// The walk ends, since a chain begins at a state that is not inner, and every inner state has one way in.
	for s := f.ends[t][1]; f.inner[s]; s = f.ends[t][1] {
		t = f.out[s]
		chain = append(chain, t)
	}
	return chain
}

// stretch is a part of a chain that becomes a box. Its steps are the same ones times times over.
type stretch struct {
	chain []int32
	times int
}

// How often steps must follow each other to be a loop, and how many of them are looked at.
const (
	minTimes = 3  // repetitions; two could be chance
	maxLoop  = 32 // steps of a loop; looking for longer ones costs their number times the length of the chain
)

// stretches cuts a chain where loops begin and end. Together the stretches are the chain, in its order.
func (f *folder) stretches(chain []int32) (all []stretch) {
	from := 0
	for at := 0; at < len(chain); {
		steps, times := f.loop(chain[at:])
		// A loop is worth a box of its own only where it covers twice as many steps as the smallest box.
		if times < minTimes || steps*times < 2*minFolded {
			at++
			continue
		}
		// What stands before the loop and belongs to none is a stretch of its own.
		if at > from {
			all = append(all, stretch{chain[from:at], 1})
		}
		all = append(all, stretch{chain[at : at+steps*times], times})
		at += steps * times
		from = at
	}
	if from < len(chain) {
		all = append(all, stretch{chain[from:], 1})
	}
	return all
}

// loop returns how many steps a chain repeats from its beginning on, and how often, so that it covers the most: of equals, the fewest steps.
func (f *folder) loop(chain []int32) (steps, times int) {
	for n := 1; n <= maxLoop && n*minTimes <= len(chain); n++ {
		// The chain equals itself moved by n steps as far as the loop repeats; a part of a repetition is not counted.
		again := n
		for again < len(chain) && f.isSameStep(chain[again], chain[again-n]) {
			again++
		}
		if k := again / n; k >= minTimes && k*n > steps*times {
			steps, times = n, k
		}
	}
	return steps, times
}

// isSameStep reports whether two transitions are of one event.
// Only its times may differ from one repetition of a loop to the next: the counts of a chain are equal.
func (f *folder) isSameStep(t, u int32) bool {
	a, b := &f.transitions[t], &f.transitions[u]
	return a.Label == b.Label && a.Note == b.Note
}

// box is a stretch of a chain as one transition.
func (f *folder) box(p stretch) Transition {
	chain := p.chain
	first, last := &f.transitions[chain[0]], &f.transitions[chain[len(chain)-1]]
	// Note and label name the first and the last event, so that the chain can be found in the list of steps.
	t := Transition{
		Source: first.Source, Target: last.Target, Steps: len(chain), Label: texttab.Plural(len(chain), "step"),
		Note: first.Label + " … " + last.Label, Base: Times{Count: first.Base.Count}, Cand: Times{Count: first.Cand.Count},
		Side: first.Side, Changed: first.Changed, Follows: first.Follows,
	}
	// A loop is named by its count; with a single step the event itself stands in the label.
	switch steps := len(chain) / p.times; {
	case p.times > 1 && steps == 1:
		t.Label, t.Note = fmt.Sprintf("%d × %s", p.times, first.Label), first.Note
	case p.times > 1:
		t.Label = fmt.Sprintf("%d × %s", p.times, texttab.Plural(steps, "step"))
	}
	// Times since the start of a fragment or a call do not add up: that of the last step covers the others.
	if !f.Additive {
		t.Base.MedianNs, t.Cand.MedianNs = last.Base.MedianNs, last.Cand.MedianNs
		return t
	}
	for _, c := range chain {
		t.Base.add(&f.transitions[c].Base)
		t.Cand.add(&f.transitions[c].Cand)
	}
	return t
}

// add adds a median, as far as it is known. The first event of a fragment has no event before it.
func (t *Times) add(u *Times) {
	if u.MedianNs != schema.NoValue {
		t.MedianNs += u.MedianNs
	}
}
