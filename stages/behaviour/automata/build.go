package automata

import (
	"sort"
	"strconv"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// Builder collects the words of one partition. Its components have no lifeline in another partition.
type Builder struct {
	names *schema.Names
	tree  tree
	roots []uint32 // by component; 0: none yet
	lines []line   // by lifeline
}

// line is how far a lifeline is in its word.
type line struct {
	cut callstack.Cutter[struct{}]
	at  uint32
	seq int64 // of the first event of the word
}

// NewBuilder returns a builder for events whose codes are those of names.
func NewBuilder(names *schema.Names) *Builder {
	return &Builder{names: names, tree: newTree()}
}

// Add takes the next events of the trace. It counts words cut short as schema.OpenFragment, and exits
// that belong to no word as schema.StrayExit.
func (b *Builder) Add(ev *schema.Events, led *schema.Ledger) {
	b.lines = widen(b.lines, b.names.Lifelines.Len())
	b.roots = widen(b.roots, b.names.Components.Len())
	for i, kind := range ev.Kind {
		l := &b.lines[ev.Lifeline[i]]
		switch kind {
		case schema.Enter:
			b.enter(l, ev, i, led)
		case schema.Exit:
			b.exit(l, ev, i, led)
		}
	}
}

func (b *Builder) enter(l *line, ev *schema.Events, i int, led *schema.Ledger) {
	switch _, step := l.cut.Enter(ev.Function[i]); step {
	case callstack.Cuts:
		b.tree.nodes[l.at].words++
		seq := l.seq
		led.Add(schema.OpenFragment, func() string { return position(seq) })
		b.start(l, ev, i)
	case callstack.Starts:
		b.start(l, ev, i)
	}
	l.at = b.tree.step(l.at, symbol(ev, i))
}

func (b *Builder) start(l *line, ev *schema.Events, i int) {
	root := &b.roots[ev.Component[i]]
	if *root == 0 {
		*root = b.tree.root()
	}
	l.at, l.seq = *root, ev.Seq[i]
}

func (b *Builder) exit(l *line, ev *schema.Events, i int, led *schema.Ledger) {
	switch _, step := l.cut.Exit(ev.Function[i]); step {
	case callstack.Stray:
		seq := ev.Seq[i]
		led.Add(schema.StrayExit, func() string { return position(seq) })
	case callstack.Ends:
		l.at = b.tree.step(l.at, symbol(ev, i))
		b.tree.nodes[l.at].words++
	default:
		l.at = b.tree.step(l.at, symbol(ev, i))
	}
}

// unfinished counts the words that are under way at the end of the trace.
func (b *Builder) unfinished(led *schema.Ledger) {
	var starts []int64
	for i := range b.lines {
		if b.lines[i].cut.Open() > 0 {
			starts = append(starts, b.lines[i].seq)
		}
	}
	sort.Slice(starts, func(i, j int) bool { return starts[i] < starts[j] })
	for _, seq := range starts {
		led.Add(schema.OpenFragment, func() string { return position(seq) })
	}
}

func symbol(ev *schema.Events, i int) callstack.Symbol {
	return callstack.SymbolOf(ev.Function[i], ev.Kind[i], ev.Direction[i], ev.Peer[i])
}

func position(seq int64) string { return "event " + strconv.FormatInt(seq, 10) }

// widen makes a table long enough for n codes.
func widen[T any](table []T, n int) []T {
	if n <= len(table) {
		return table
	}
	return append(table, make([]T, n-len(table))...)
}
