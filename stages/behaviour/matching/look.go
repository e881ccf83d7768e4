package matching

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// names are what a look leaves open, in the order in which it names them.
type names struct {
	function string // "" where the look has it
	peers    []string
}

// look is the text of an automaton without the names that may differ. It is not ok where these alone tell two
// transitions of a state apart, or where too little is left: another function, if the first one may differ.
func (s sameness) look(e *Entity, a *Automaton) (text string, open names, ok bool) {
	w := looker{sameness: s, first: e.Function, numbers: map[int64]int{0: 0}, peers: make(map[string]int)}
	w.from = make(map[int64][]*schema.Transition)
	for i := range a.Transitions {
		t := &a.Transitions[i]
		w.from[t.Source] = append(w.from[t.Source], t)
		ok = ok || s.function || t.Function != e.Function
	}
	if s.component {
		w.write(e.Component)
	}
	for queue := []int64{0}; len(queue) > 0 && ok; queue = queue[1:] {
		var more []int64
		more, ok = w.state(queue[0])
		queue = append(queue, more...)
	}
	if !s.function {
		w.open.function = e.Function
	}
	return w.text.String(), w.open, ok
}

// looker writes a look, state by state.
type looker struct {
	sameness
	first   string
	from    map[int64][]*schema.Transition // by state
	numbers map[int64]int                  // by state: breadth-first
	peers   map[string]int                 // by name: its place in open
	open    names
	text    strings.Builder
}

// state writes the transitions of a state and returns the states that are new.
func (w *looker) state(state int64) (fresh []int64, ok bool) {
	out := w.from[state]
	slices.SortFunc(out, func(a, b *schema.Transition) int { return compare(w.closed(a), w.closed(b)) })
	for i, t := range out {
		s := w.closed(t)
		if i > 0 && s == w.closed(out[i-1]) {
			return nil, false
		}
		if _, known := w.numbers[t.Target]; !known {
			w.numbers[t.Target] = len(w.numbers)
			fresh = append(fresh, t.Target)
		}
		w.write(s.function, s.kind, s.direction, cmp.Or(s.peer, w.peer(t)), strconv.Itoa(w.numbers[t.Target]))
	}
	w.write("")
	return fresh, true
}

// closed is a symbol without the names that may differ.
func (w *looker) closed(t *schema.Transition) symbol {
	s := symbolOf(t)
	if !w.function && s.function == w.first {
		s.function = ""
	}
	if !w.sameness.peers {
		s.peer = ""
	}
	return s
}

// peer is a peer whose name may differ by the order of their first appearance.
func (w *looker) peer(t *schema.Transition) string {
	if t.Peer == "" || w.sameness.peers {
		return ""
	}
	n, known := w.peers[t.Peer]
	if !known {
		n = len(w.open.peers)
		w.peers[t.Peer] = n
		w.open.peers = append(w.open.peers, t.Peer)
	}
	return "#" + strconv.Itoa(n)
}

func (w *looker) write(words ...string) {
	for _, word := range words {
		w.text.WriteString(strconv.Quote(word))
	}
	w.text.WriteByte('\n')
}
