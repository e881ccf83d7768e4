package chrome

import (
	"cmp"
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
	device  map[word]word    // by pid: labels of processes that are devices
	parts   map[word]part    // by the tid that was made for it
	given   map[string]*int  // by what lifelines were named after: the last number that they have, 1 for the name itself
}

// newNames returns the tables of one trace. Names of lifelines are unique in it.
func newNames() *names {
	return &names{process: make(map[word]word), thread: make(map[[2]word]word), device: make(map[word]word), parts: make(map[word]part), given: make(map[string]*int)}
}

// part is what is drawn apart of a thread.
type part struct{ tid, cat word }

// apart is the tid that is made for an event which is drawn apart.
func (n *names) apart(e *event, w *words) word {
	tid := w.of([]byte(w.texts[e.tid] + " " + w.texts[e.cat]))
	n.parts[tid] = part{e.tid, e.cat}
	return tid
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
	case "process_labels":
		if isDeviceName(w.texts[e.label]) {
			n.device[e.pid] = e.label
		}
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

// labels are the labels of the tracks. A number is given to a process or thread that has no name, since a pid differs from run to
// run and would compare with nothing. Numbers are given in the order of pid and tid, which are given in the order of creation: so
// two runs compare, and the order of the records in a file, which means nothing, changes no name.
func (n *names) labels(tracks []track, w *words) []label {
	out := make([]label, len(tracks))
	unnamed := make(map[word]int) // processes
	threads := make(map[string]int)
	for _, i := range inOrder(tracks, w) {
		t, l := tracks[i], &out[i]
		if l.process = named(w, cmp.Or(n.device[t.pid], n.process[t.pid]), t.pid, noWord); l.process == "" {
			if unnamed[t.pid] == 0 {
				unnamed[t.pid] = len(unnamed) + 1
			}
			l.process = "process " + strconv.Itoa(unnamed[t.pid])
		}
		threads[l.process]++
		switch l.thread = n.threadOf(t, w); l.thread {
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

// threadOf names the thread of a track, "" where it has no name.
func (n *names) threadOf(t track, w *words) string {
	tid := t.tid
	of, isPart := n.parts[tid]
	if isPart {
		tid = of.tid
	}
	given := n.thread[[2]word{t.pid, tid}]
	if given == noWord {
		given = n.thread[[2]word{tid, noWord}] // so uftrace names threads
	}
	name := strings.TrimSpace(named(w, given, tid, t.pid))
	if isPart {
		return strings.TrimSpace(name + " " + w.name(of.cat))
	}
	return name
}

// isDeviceName reports whether the label of a process is the name of a device, as profilers write it: GPU 0. Other labels are
// such as titles of pages, which differ from run to run.
func isDeviceName(label string) bool {
	kind, number, found := strings.Cut(label, " ")
	return found && strings.Trim(kind, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" && kind != "" && strings.Trim(number, "0123456789") == "" && number != ""
}

// inOrder returns the tracks in the order of pid and tid.
func inOrder(tracks []track, w *words) []int {
	order := make([]int, len(tracks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := tracks[i], tracks[j]
		return cmp.Or(compareIDs(w.texts[a.pid], w.texts[b.pid]), compareIDs(w.texts[a.tid], w.texts[b.tid]))
	})
	return order
}

// compareIDs compares two ids of processes or threads: none is first, then come numbers by their value, and then names.
func compareIDs(a, b string) int {
	rank := func(id string) (rank int, value float64) {
		value, err := strconv.ParseFloat(id, 64)
		switch {
		case id == "":
			return 0, 0
		case err != nil:
			return 2, 0
		}
		return 1, value
	}
	rankA, valueA := rank(a)
	rankB, valueB := rank(b)
	return cmp.Or(cmp.Compare(rankA, rankB), cmp.Compare(valueA, valueB), strings.Compare(a, b))
}

// named is the name of something: what the metadata says, without its number, or the number itself if it is none. It
// is "" where there is neither.
// Some tools write the number into the name, in brackets in front, or as "thread 4711 (curl)".
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
		if rest, found := strings.CutPrefix(name, "thread "+w.texts[of]+" ("); found && len(rest) > 1 && rest[len(rest)-1] == ')' {
			return rest[:len(rest)-1]
		}
	}
	return name
}

// unique returns a name for a lifeline that no other has: the name itself, or with a number.
// Numbers begin at 2: the first of equal names keeps it as it is. A lifeline keeps its name for good, so the search goes
// on behind the number that was found last, and n lifelines of one name take time proportional to n. Nothing is kept of each of them: all
// numbers up to the last are taken.
func (n *names) unique(name string) string {
	last := n.given[name]
	if last == nil {
		last = new(int)
		*last = 1
		isTaken := n.isNumbered(name)
		if n.given[name] = last; !isTaken {
			return name
		}
	}
	for {
		*last++
		if free := name + "#" + strconv.Itoa(*last); n.given[free] == nil {
			return free
		}
	}
}

// isNumbered reports whether a name was given to a lifeline as a name with a number.
func (n *names) isNumbered(name string) bool {
	at := strings.LastIndexByte(name, '#')
	if at < 0 || n.given[name[:at]] == nil {
		return false
	}
	number, err := strconv.Atoi(name[at+1:])
	return err == nil && 2 <= number && number <= *n.given[name[:at]] && strconv.Itoa(number) == name[at+1:]
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
func (e *eventReader) flowID() uint64 {
	if e.words.isStable {
		return mix(mix(e.event.id, e.words.hashOf([]byte(e.words.texts[e.event.cat]))), e.words.hashOf([]byte(e.words.texts[e.event.name])))
	}
	return mix(mix(e.event.id, uint64(e.event.cat)), uint64(e.event.name))
}

// mix is a hash of two numbers: the finaliser of splitmix64 (Steele, Lea, Flood 2014, OOPSLA, fig. 16).
func mix(h, more uint64) uint64 {
	h += 0x9e3779b97f4a7c15 * (more + 1)
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
