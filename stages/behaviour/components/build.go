package components

import (
	"slices"
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Options say how components are modelled. They are those of mids-cmi; that of NoUntracedSync has no effect
// there, and is not here.
type Options struct {
	Local       bool   // NoSyncDepTrans: the ends of a message have names of their own, and nothing happens together
	ByComponent bool   // a model for every component; else, as in MIDS, for every executor: every lifeline
	Include     string // ComponentInclusion: only models whose whole name matches this pattern
	Exclude     string // ComponentExclusion: no models whose whole name matches this pattern
}

// Builder learns the models of a trace: all messages, a first pass over all events, and a second one. The
// events of a pass come in any number of parts, each lifeline's in trace order and every part by ascending seq.
type Builder struct {
	naming *naming
	choice Choice
	forest *forest
	roots  []uint32 // by executor; 0: none yet
	lines  []line   // by lifeline
	codes  []uint32 // by label while the models are learned: its code in the alphabet of the set
}

// line is how far a lifeline is in its word.
type line struct {
	cut callstack.Cutter[struct{}]
	at  uint32
	seq int64 // of the first event of the word
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

// AddMessages takes messages of the trace, before any events.
func (b *Builder) AddMessages(m *schema.Messages) { b.naming.addMessages(m) }

// Survey takes events of the first pass: it finds the ends of messages.
func (b *Builder) Survey(ev *schema.Events) { b.naming.survey(ev) }

// Add takes events of the second pass: it cuts them into words. As package automata does, it counts words cut
// short as schema.OpenFragment, and exits that belong to no word as schema.StrayExit.
func (b *Builder) Add(ev *schema.Events, led *schema.Ledger) {
	if !b.naming.resolved {
		b.naming.resolve()
	}
	b.lines = widen(b.lines, b.naming.names.Lifelines.Len())
	b.roots = widen(b.roots, b.naming.executors.Len())
	c := cursor{links: b.naming.links}
	for i, kind := range ev.Kind {
		if kind == schema.Message {
			continue
		}
		h := b.naming.event(ev, i, c.at(ev.Seq[i]))
		l := &b.lines[ev.Lifeline[i]]
		if kind == schema.Enter {
			b.enter(l, ev.Function[i], h, led)
		} else {
			b.exit(l, ev.Function[i], h, led)
		}
	}
}

func (b *Builder) enter(l *line, function schema.Code, h happening, led *schema.Ledger) {
	switch _, step := l.cut.Enter(function); step {
	case callstack.Cuts:
		b.forest.nodes[l.at].ends = true
		seq := l.seq
		led.Add(schema.OpenFragment, func() string { return position(seq) })
		b.start(l, h)
	case callstack.Starts:
		b.start(l, h)
	}
	l.at = b.forest.step(l.at, h.label)
}

func (b *Builder) start(l *line, h happening) {
	root := &b.roots[h.executor]
	if *root == 0 {
		*root = b.forest.root()
	}
	l.at, l.seq = *root, h.seq
}

func (b *Builder) exit(l *line, function schema.Code, h happening, led *schema.Ledger) {
	_, step := l.cut.Exit(function)
	if step == callstack.Stray {
		led.Add(schema.StrayExit, func() string { return position(h.seq) })
		return
	}
	l.at = b.forest.step(l.at, h.label)
	if step == callstack.Ends {
		b.forest.nodes[l.at].ends = true
	}
}

// Set returns the models, which depend on the words of the trace and not on their order. Words that are under way at the
// end of the trace are left out and counted as schema.OpenFragment. An event that cannot be named is an error.
func (b *Builder) Set(led *schema.Ledger) (*Set, error) {
	b.unfinished(led)
	if b.naming.err != nil {
		return nil, b.naming.err
	}
	out := &Set{Alphabet: new(schema.Dictionary)}
	b.codes = sortedCodes(b.naming.alphabet, out.Alphabet)
	var roots []uint32
	for executor, root := range b.roots {
		name := identifier(b.naming.executors.Name(schema.Code(executor)))
		if root != 0 && b.choice.takes(name) {
			roots = append(roots, root)
			out.Models = append(out.Models, &Model{Component: name})
		}
	}
	for i, a := range b.forest.automata(roots, b.codes) {
		out.Models[i].Automaton = loop(language.Minimise(a))
	}
	return out.with(slices.DeleteFunc(out.Models, func(m *Model) bool { return m.States() == 0 })), nil
}

// sortedCodes adds the names of a dictionary to another, ascending, and returns their codes there.
func sortedCodes(from, to *schema.Dictionary) []uint32 {
	codes := make([]uint32, from.Len())
	for _, c := range from.Sorted() {
		codes[c] = to.Code(from.Name(c))
	}
	return codes
}

// unfinished counts the words that are under way.
func (b *Builder) unfinished(led *schema.Ledger) {
	var starts []int64
	for i := range b.lines {
		if b.lines[i].cut.Open() > 0 {
			starts = append(starts, b.lines[i].seq)
		}
	}
	slices.Sort(starts)
	for _, seq := range starts {
		led.Add(schema.OpenFragment, func() string { return position(seq) })
	}
}

func position(seq int64) string { return "event " + strconv.FormatInt(seq, 10) }

// widen makes a table long enough for n codes.
func widen[T any](table []T, n int) []T {
	if n <= len(table) {
		return table
	}
	return append(table, make([]T, n-len(table))...)
}
