package chrome

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// names are what metadata events call processes and threads. They may stand anywhere in a file, so they are applied when
// all of it is read.
type names struct {
	process map[word]word    // by pid
	thread  map[[2]word]word // by pid and tid
	taken   map[string]bool  // lifelines
}

// newNames returns the tables of one trace. Names of lifelines are unique in it.
func newNames() *names {
	return &names{process: make(map[word]word), thread: make(map[[2]word]word), taken: make(map[string]bool)}
}

// define takes a metadata event. A name that differs from an earlier one of the same thread replaces it and is counted.
func (n *names) define(e *event, w *words, ledger *schema.Ledger, at func() string) {
	if e.label == noWord {
		return
	}
	known, twice := noWord, false
	switch w.texts[e.name] {
	case "process_name":
		known, twice = n.process[e.pid], e.label != n.process[e.pid]
		n.process[e.pid] = e.label
	case "thread_name":
		thread := [2]word{e.pid, e.tid}
		known, twice = n.thread[thread], e.label != n.thread[thread]
		n.thread[thread] = e.label
	}
	if known != noWord && twice {
		ledger.Add(schema.DuplicateDef, at)
	}
}

// label is what a track is called: its process, its thread, and the lifeline that both make.
type label struct {
	process, thread string
	lifeline        string
}

// labels are the labels of the tracks. Numbers are given in the order of their first appearance.
// A number is given to a process or thread that has no name, since a pid differs from run to run and would compare
// with nothing.
func (n *names) labels(tracks []track, w *words) []label {
	out := make([]label, len(tracks))
	unnamed := make(map[word]int) // processes
	threads := make(map[string]int)
	for i, t := range tracks {
		l := &out[i]
		if l.process = named(w, n.process[t.pid], t.pid, noWord); l.process == "" {
			if unnamed[t.pid] == 0 {
				unnamed[t.pid] = len(unnamed) + 1
			}
			l.process = "process " + strconv.Itoa(unnamed[t.pid])
		}
		threads[l.process]++
		given := n.thread[[2]word{t.pid, t.tid}]
		if given == noWord {
			given = n.thread[[2]word{t.tid, noWord}] // so uftrace names threads
		}
		switch l.thread = named(w, given, t.tid, t.pid); l.thread {
		case "":
			l.lifeline = n.unique(l.process + "/" + strconv.Itoa(threads[l.process]))
			l.thread = l.lifeline
		case l.process: // the main thread, as Linux names it
			l.lifeline = n.unique(l.process)
		default:
			l.lifeline = n.unique(l.process + "/" + l.thread)
		}
	}
	return out
}

// named is the name of something: what the metadata says, without its number, or the number itself if it is none. It
// is "" where there is neither.
// Some tools write the number into the name, in brackets in front.
func named(w *words, given, number, other word) string {
	if given == noWord {
		if _, err := strconv.ParseFloat(w.texts[number], 64); err == nil {
			return ""
		}
		return w.name(number)
	}
	name := w.name(given)
	for _, of := range []word{number, other} {
		if rest, found := strings.CutPrefix(name, "["+w.texts[of]+"] "); found && rest != "" {
			return rest
		}
	}
	return name
}

// unique returns a name for a lifeline that no other has: the name itself, or with a number.
// Numbers begin at 2: the first of equal names keeps it as it is.
func (n *names) unique(name string) string {
	free := name
	for i := 2; n.taken[free]; i++ {
		free = name + "#" + strconv.Itoa(i)
	}
	n.taken[free] = true
	return free
}

// several reports whether there are processes of different names, which makes processes the default for components.
// Several processes of one name, as of a browser's renderers, are one component.
func several(labels []label) bool {
	return slices.ContainsFunc(labels, func(l label) bool { return l.process != labels[0].process })
}

// asyncID is what the events of one asynchronous call have in common.
// The name is left out: the end of an asynchronous call need not repeat it.
func (e *event) asyncID() uint64 {
	h := mix(mix(e.id, uint64(e.cat)), uint64(e.scope))
	if e.isLocal {
		return mix(h, uint64(e.pid)+1)
	}
	return h
}

// flowID is what the events of one flow have in common.
// The process is left out, since flows lead from one process to another.
func (e *event) flowID() uint64 {
	return mix(mix(e.id, uint64(e.cat)), uint64(e.name))
}

// mix is a hash of two numbers: the finaliser of splitmix64 (Steele, Lea, Flood 2014, OOPSLA, fig. 16).
func mix(h, more uint64) uint64 {
	h += 0x9e3779b97f4a7c15 * (more + 1)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
