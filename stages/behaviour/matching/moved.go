package matching

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Entity is a fragment that only one side has: the first event enters Function of Component.
type Entity struct {
	Fragment, Component, Function string      // name of the fragment; where it begins
	Automata                      []Automaton // of the runs of that side
}

// Move is a fragment that has another name on the other side.
type Move struct {
	Base, Cand int      // positions in the lists of entities
	Renaming   Renaming // gives the candidate's transitions the names of the baseline
}

// sameness says how alike two fragments must be.
type sameness struct {
	component bool // of the same component
	function  bool // with the same function at first
	peers     bool // with the same peers; else they may be others, one for one
}

// samenessLevels are tried one after the other. Where the first function has another name, more must
// speak for the pair, because nearly all short fragments look the same without it: everything else must
// be equal, and the fragment must call or serve other functions.
var samenessLevels = []sameness{
	{function: true, peers: true},     // of another component
	{component: true, function: true}, // called by another component, or calling others
	{function: true},                  // both
	{component: true, peers: true},    // another function
}

// Moved pairs fragments of the baseline and of the candidate that behave the same under another name: a
// run of either side has the same automaton except for the names of components and of the first function.
// A pair is reported only if each is the only one for the other. Moves are in the order of the baseline's
// entities.
func Moved(base, cand []Entity) []Move {
	var moves []Move
	taken := [2]map[int]bool{make(map[int]bool), make(map[int]bool)}
	// What a stricter level paired is not asked again.
	for _, s := range samenessLevels {
		left, right := s.fingerprintAll(base, taken[0]), s.fingerprintAll(cand, taken[1])
		for _, m := range unambiguousMoves(left, right) {
			taken[0][m.Base], taken[1][m.Cand] = true, true
			moves = append(moves, m)
		}
	}
	slices.SortFunc(moves, func(a, b Move) int { return cmp.Compare(a.Base, b.Base) })
	return moves
}

// fingerprintAll lists the entities by their fingerprints, without those that are taken.
func (s sameness) fingerprintAll(entities []Entity, taken map[int]bool) map[string][]fingerprinted {
	looks := make(map[string][]fingerprinted)
	for i := range entities {
		if taken[i] {
			continue
		}
		for _, a := range entities[i].Automata {
			text, names, ok := s.fingerprint(&entities[i], &a)
			// Runs of an entity mostly look alike: once suffices.
			known := slices.ContainsFunc(looks[text], func(o fingerprinted) bool { return o.entity == i })
			if ok && !known {
				looks[text] = append(looks[text], fingerprinted{i, names})
			}
		}
	}
	return looks
}

// fingerprinted is an entity with a fingerprint, and the names that it leaves open.
type fingerprinted struct {
	entity int
	names  openNames
}

// unambiguousMoves returns the pairs of entities that share a fingerprint with each other and with no one
// else.
func unambiguousMoves(left, right map[string][]fingerprinted) []Move {
	pairs := make(map[[2]int]Renaming)
	partners := [2]map[int][]int{make(map[int][]int), make(map[int][]int)}
	// 1. All pairs that look alike, and for each entity those that it could be.
	for text, ls := range left {
		for _, l := range ls {
			for _, r := range right[text] {
				k := [2]int{l.entity, r.entity}
				if _, known := pairs[k]; !known {
					partners[0][k[0]], partners[1][k[1]] = append(partners[0][k[0]], k[1]), append(partners[1][k[1]], k[0])
				}
				pairs[k] = renamingOf(r.names, l.names)
			}
		}
	}
	// 2. Those in which neither has a choice. The caller sorts them.
	var moves []Move
	for k, r := range pairs {
		if len(partners[0][k[0]]) == 1 && len(partners[1][k[1]]) == 1 {
			moves = append(moves, Move{k[0], k[1], r})
		}
	}
	return moves
}

// openNames are the names that a fingerprint leaves open, in the order in which it numbers them.
type openNames struct {
	function string // empty if the fingerprint contains it
	peers    []string
}

// fingerprint returns the text of an automaton without the names that may differ. It is not ok if only
// these names distinguish two transitions of a state, or if too little is left: a first function that may
// differ needs another function beside it.
func (s sameness) fingerprint(e *Entity, a *Automaton) (text string, open openNames, ok bool) {
	w := fingerprinter{sameness: s, first: e.Function, numbers: map[int64]int{0: 0}, peers: make(map[string]int)}
	w.from = make(map[int64][]*schema.Transition)
	for i := range a.Transitions {
		t := &a.Transitions[i]
		w.from[t.Source] = append(w.from[t.Source], t)
		ok = ok || s.function || t.Function != e.Function
	}
	// The component belongs to the fingerprint where it must be the same.
	if s.component {
		w.writeWords(e.Component)
	}
	// Breadth-first from the initial state, so that numbers of states do not matter.
	for queue := []int64{0}; len(queue) > 0 && ok; queue = queue[1:] {
		var more []int64
		more, ok = w.writeState(queue[0])
		queue = append(queue, more...)
	}
	if !s.function {
		w.open.function = e.Function
	}
	return w.text.String(), w.open, ok
}

// fingerprinter writes a fingerprint, state by state.
type fingerprinter struct {
	sameness
	first   string                         // function of the first event
	from    map[int64][]*schema.Transition // by state
	numbers map[int64]int                  // by state: breadth-first
	peers   map[string]int                 // by name: its position in open
	open    openNames
	text    strings.Builder
}

// writeState writes the transitions of a state and returns the states that are new.
func (w *fingerprinter) writeState(state int64) (fresh []int64, ok bool) {
	out := w.from[state]
	slices.SortFunc(out, func(a, b *schema.Transition) int { return w.fixedSymbol(a).Compare(w.fixedSymbol(b)) })
	for i, t := range out {
		s := w.fixedSymbol(t)
		if i > 0 && s == w.fixedSymbol(out[i-1]) {
			return nil, false
		}
		if _, known := w.numbers[t.Target]; !known {
			w.numbers[t.Target] = len(w.numbers)
			fresh = append(fresh, t.Target)
		}
		w.writeWords(s.Function, s.Kind, s.Direction, cmp.Or(s.Peer, w.numberPeer(t)), strconv.Itoa(w.numbers[t.Target]))
	}
	w.writeWords("")
	return fresh, true
}

// fixedSymbol returns a symbol without the names that may differ.
func (w *fingerprinter) fixedSymbol(t *schema.Transition) Symbol {
	s := SymbolOf(t)
	if !w.function && s.Function == w.first {
		s.Function = ""
	}
	if !w.sameness.peers {
		s.Peer = ""
	}
	return s
}

// numberPeer names a peer that may differ by the order of first appearance.
func (w *fingerprinter) numberPeer(t *schema.Transition) string {
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

// writeWords writes a line; quoting makes it unambiguous.
func (w *fingerprinter) writeWords(words ...string) {
	for _, word := range words {
		w.text.WriteString(strconv.Quote(word))
	}
	w.text.WriteByte('\n')
}

// Renaming gives the transitions of a moved fragment the names of the baseline, where they are to be paired. Names
// are exchanged one for one, so that what differed before differs after.
type Renaming struct {
	Function, Peer map[string]string // by name in the candidate
}

// renamingOf turns the open names of one fingerprint into those of the other.
func renamingOf(from, to openNames) Renaming {
	return Renaming{exchangeNames([]string{from.function}, []string{to.function}), exchangeNames(from.peers, to.peers)}
}

// exchangeNames maps names to others, and those that are given away without one in return back to what is
// free, so that the mapping stays one to one.
func exchangeNames(from, to []string) map[string]string {
	m, back := make(map[string]string), make(map[string]string)
	for i := range from {
		m[from[i]], back[to[i]] = to[i], from[i]
	}
	for _, name := range to {
		if _, has := m[name]; has {
			continue
		}
		end := name // follow the exchange back to the name that nobody gets
		for before, given := back[end]; given; before, given = back[end] {
			end = before
		}
		m[name] = end
	}
	return m
}

// Apply returns a renamed copy of transitions.
func (r Renaming) Apply(transitions []schema.Transition) []schema.Transition {
	renamed := slices.Clone(transitions)
	for i := range renamed {
		t := &renamed[i]
		if to, has := r.Function[t.Function]; has {
			t.Function = to
		}
		if to, has := r.Peer[t.Peer]; has {
			t.Peer = to
		}
	}
	return renamed
}
