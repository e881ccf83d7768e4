package components

import (
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Options say how components are modelled. They are those of mids-cmi; that of NoUntracedSync has no effect
// there, and is not here.
type Options struct {
	// NoSyncDepTrans: the ends of a message have names of their own, and components never step together
	Local bool
	// one model for every component; otherwise, as in MIDS, for every executor, that is every lifeline
	ByComponent bool
	Include     string // ComponentInclusion: only models whose whole name matches this pattern; empty: all
	Exclude     string // ComponentExclusion: no models whose whole name matches this pattern; empty: none
}

// Builder learns the models of a trace: all messages, a first pass over all events, and a second one. The
// events of a pass come in any number of parts, each lifeline's in trace order and every part by ascending seq.
type Builder struct {
	naming *naming          // names of events, from messages and annotations
	choice Choice           // which components get a model
	forest *prefixForest    // prefix trees of the words so far
	roots  []uint32         // by executor: the root of its tree; 0: none yet
	words  []callstack.Word // by lifeline: the word under way
	codes  []uint32         // by label of the naming: its code in the alphabet of the set
}

// NewBuilder returns a builder for events and messages whose codes are those of names. The annotations are those
// of the run.
func NewBuilder(names *schema.Names, opt Options, annotations []schema.Annotation) (*Builder, error) {
	choice, err := Choose(opt.Include, opt.Exclude)
	if err != nil {
		return nil, err
	}
	return &Builder{naming: newNaming(names, opt, annotations), choice: choice, forest: newForest()}, nil
}

// AddMessages takes messages of the trace, in any order, before any events.
func (b *Builder) AddMessages(m *schema.Messages) { b.naming.addMessages(m) }

// Survey takes events of the first pass, which finds the ends of messages: the name of an event depends
// on both ends.
func (b *Builder) Survey(ev *schema.Events) { b.naming.surveyEnds(ev) }

// Add takes events of the second pass: it cuts them into words. As package automata does, it counts words cut
// short as schema.OpenFragment, and exits that belong to no word as schema.StrayExit.
// The first call ends the survey: from here on the ends of all messages are known.
func (b *Builder) Add(ev *schema.Events, led *schema.Ledger) {
	if !b.naming.resolved {
		b.naming.resolveLinks()
	}
	b.words = schema.GrowTo(b.words, b.naming.names.Lifelines.Len())
	b.roots = schema.GrowTo(b.roots, b.naming.executors.Len())
	// Both events and links ascend by seq, so that one pass through the links serves a batch.
	c := cursor{links: b.naming.links}
	for i, kind := range ev.Kind {
		if kind > schema.Exit {
			continue
		}
		h := b.naming.nameEvent(ev, i, c.at(ev.Seq[i]))
		l := &b.words[ev.Lifeline[i]]
		if kind == schema.Enter {
			b.addEnter(l, ev.Function[i], h, led)
		} else {
			b.addExit(l, ev.Function[i], h, led)
		}
	}
}

// addEnter follows an enter in the prefix tree. A root call that begins before the last one ended cuts
// that word short.
func (b *Builder) addEnter(l *callstack.Word, function schema.Code, h namedEvent, led *schema.Ledger) {
	switch _, step := l.Enter(function); step {
	case callstack.Cuts:
		// The word ended where its last event is, although its calls did not return: it is a word of the model.
		b.forest.nodes[l.At].ends = true
		seq := l.Seq
		led.Add(schema.OpenFragment, func() string { return schema.EventPosition(seq) })
		b.startWord(l, h)
	case callstack.Starts:
		b.startWord(l, h)
	}
	l.At = b.forest.child(l.At, h.label)
}

// startWord returns to the root of the executor's tree.
func (b *Builder) startWord(l *callstack.Word, h namedEvent) {
	root := &b.roots[h.executor]
	if *root == 0 {
		*root = b.forest.addRoot()
	}
	l.At, l.Seq = *root, h.seq
}

// addExit follows an exit; the exit of the root ends the word.
func (b *Builder) addExit(l *callstack.Word, function schema.Code, h namedEvent, led *schema.Ledger) {
	_, step := l.Exit(function)
	// A stray exit moves no word: the state of the lifeline stays as it was.
	if step == callstack.Stray {
		led.Add(schema.StrayExit, func() string { return schema.EventPosition(h.seq) })
		return
	}
	l.At = b.forest.child(l.At, h.label)
	if step == callstack.Ends {
		b.forest.nodes[l.At].ends = true
	}
}

// Set returns the models, which depend on the words of the trace and not on their order. Words that are under way at the
// end of the trace are left out and counted as schema.OpenFragment. An event that cannot be named is an error.
func (b *Builder) Set(led *schema.Ledger) (*Set, error) {
	callstack.CountOpen(b.words, led)
	if b.naming.err != nil {
		return nil, b.naming.err
	}
	// 1. Number the events by their names, so that the codes do not depend on the order of the trace.
	out := &Set{Alphabet: new(schema.Dictionary)}
	b.codes = sortedCodes(b.naming.alphabet, out.Alphabet)
	// 2. Take the trees of the chosen executors that have any word.
	var roots []uint32
	for executor, root := range b.roots {
		name := identifier(b.naming.executors.Name(schema.Code(executor)))
		if root != 0 && b.choice.includes(name) {
			roots = append(roots, root)
			out.Models = append(out.Models, &Model{Component: name})
		}
	}
	// 3. Minimise each tree, and let its words follow one another. A tree whose words are all under way accepts
	// nothing and gives no model.
	for i, a := range b.forest.toAutomata(roots, b.codes) {
		out.Models[i].Automaton = closeLoop(language.Minimise(a))
	}
	return out.withModels(slices.DeleteFunc(out.Models, func(m *Model) bool { return m.States() == 0 })), nil
}

// sortedCodes adds the names of a dictionary to another one, ascending, and returns their codes there.
// Sorted codes make results independent of the order of the trace.
func sortedCodes(from, to *schema.Dictionary) []uint32 {
	codes := make([]uint32, from.Len())
	for _, c := range from.Sorted() {
		codes[c] = to.Code(from.Name(c))
	}
	return codes
}
