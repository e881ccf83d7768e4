// Package strata finds out from the labels of runs which of them may be compared with which. Runs of two scenarios that
// are pooled show the difference of the scenarios as noise, or worse, where the sides have unequal numbers of them, as a
// change. So a label that varies within the sides and has the same values on both stratifies the comparison: runs are
// compared with runs of their own value (a randomised block design; Box, Hunter and Hunter, Statistics for Experimenters,
// chapter 4). Whatever else differs between runs or sides cannot be taken out, and is named. A label of which every run of a
// side has its own value may be a scenario or no more than a number: pairs halve the degrees of freedom, so they are
// proposed and not made.
//
// Runs that are recorded one after the other also differ by what the machine does meanwhile. Where the start times of the traces show
// a trend that both sides have, or one side after the other, that is said, and taken out where it can be (order.go).
//
// In come the runs of both sides with their labels; out go blocks of runs to be compared with each other, and warnings.
package strata

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/schema"
)

// Run is a run as far as this package knows it.
type Run struct {
	Name       string            // of the run in the lake
	StartNs    int64             // when its trace begins, by the trace's clock; runs of a stratum are paired in this order
	DurationNs int64             // of its trace
	Labels     map[string]string // as they were given when it was ingested
	Split      string            // name of the trace that it is a slice of; "": of none
}

// RunsOf returns runs of the lake by their names.
func RunsOf(names []string, described map[string]schema.Run) (of []Run) {
	for _, name := range names {
		r := described[name]
		one := Run{Name: name, StartNs: r.StartNs, DurationNs: r.DurationNs, Labels: r.Labels, Split: r.Labels[schema.LabelSplit]}
		if one.Split != "" { // which slice a run is says nothing of conditions, nor that runs belong together
			one.Labels = maps.Clone(r.Labels)
			delete(one.Labels, schema.LabelSplit)
			delete(one.Labels, schema.LabelSlice)
		}
		of = append(of, one)
	}
	return of
}

// Cell is one combination of values of the labels that stratify, and how many runs have it on either side.
type Cell struct {
	Values     []string // in the order of Strata.Labels
	Base, Cand int      // numbers of runs
}

// Strata is how runs of two sides belong together.
type Strata struct {
	Labels   []string // those that stratify, in the order of their names; none if all runs are compared with all
	Cells    []Cell   // in the order of their values
	Blocks   []int    // by run, baseline first: runs of one block are compared with each other; nil without Labels and ByTime
	ByTime   bool     // blocks are runs that were recorded next to each other, since there is a trend over time
	Warnings []string // sentences on what differs between runs and is not taken out
	Doubts   []string // of those that make every finding doubtful, what is the matter, without its runs
}

// Find finds the strata of two sides. Chosen are the labels by which the runs of either side were selected: that the sides differ in these
// is the point, and so is what varies within a side that they were asked of. Where only the other side was selected by a label, its values
// are pooled as those of any other.
//
// Within a stratum the runs of the sides are paired in the order in which they were recorded, and every pair is a block.
// What is left of the longer side joins the pairs in turn. So a stratum counts with as many differences as its shorter
// side has runs, and the rules for paired runs hold for all of them together.
func Find(base, cand []Run, chosenBase, chosenCand []string) Strata {
	var s Strata
	var differ []string // of the labels that select both sides, those in which these differ
	for _, label := range labelsOf(base, cand) {
		l := inspect(base, cand, label)
		if slices.Contains(chosenBase, label) && slices.Contains(chosenCand, label) && l.constant() && l.base[0] != l.cand[0] {
			differ = append(differ, label)
		}
		switch {
		case l.identifies(len(base)+len(cand)) || l.isChosen(slices.Contains(chosenBase, label), slices.Contains(chosenCand, label)):
		case l.constant():
			if l.base[0] != l.cand[0] {
				s.warn("The sides differ in the label %s: %s and %s.", label, word(l.base[0]), word(l.cand[0]))
				// Runs that were selected by other labels are meant to be alike in this one; of runs that were named nothing is known.
				if len(chosenBase)+len(chosenCand) > 0 {
					s.Doubts = append(s.Doubts, "the sides also differ in the label "+label)
				}
			}
		case !slices.Equal(l.base, l.cand):
			s.doubt("runs that differ in the label "+label+" are pooled", "Runs that differ in the label %s are pooled, since its values are not the same on both sides: "+
				"baseline %s; candidate %s.%s", label, listed(base, label), listed(cand, label), l.advice(label))
		case len(l.base) == len(base) && len(l.cand) == len(cand):
			s.warn("Every run of a side has a value of its own of the label %s, and both sides have the same values: where runs of one value belong together, give --pair-by %s.", label, label)
		default:
			if cells := cellsOf(base, cand, append(s.Labels, label)); hasBothSides(cells) {
				s.Labels, s.Cells = append(s.Labels, label), cells
			} else {
				s.doubt("runs that differ in the label "+label+" are pooled", "Runs that differ in the label %s are pooled, since not every combination with %s is on both sides.", label, strings.Join(s.Labels, ", "))
			}
		}
	}
	if len(differ) > 1 {
		names := schema.JoinNames(differ)
		s.doubt("the sides differ in "+names+" together", "The sides were selected to differ in %s: what one of these does cannot be told from what another one does.", names)
	}
	if s.Labels != nil {
		s.Blocks = pair(base, cand, s.Labels)
	}
	s.order(base, cand)
	s.warnOfSlices(base)
	return s
}

// shortStretch is for how long services are watched at least before slices of that time show how they drift.
const shortStretch = 5 * time.Minute

// warnOfSlices says where the runs of the baseline are slices of one short stretch of time. In fault-free minutes of two systems of
// services, verdicts on slices of adjacent halves were false in 1 of 30 cases, and on those of another minute in 13.
func (s *Strata) warnOfSlices(runs []Run) {
	if len(runs) < 2 || runs[0].Split == "" {
		return
	}
	first, last := runs[0].StartNs, runs[0].StartNs
	for _, r := range runs {
		if r.Split != runs[0].Split {
			return
		}
		first, last = min(first, r.StartNs), max(last, r.StartNs+r.DurationNs)
	}
	if span := time.Duration(last - first); span < shortStretch {
		s.warn("The baseline's runs are slices of one stretch of %s (%s): they show how much requests vary within it, not how much services drift from one such stretch to the next. Several minutes on both sides say more.",
			span.Round(time.Second), runs[0].Split)
	}
}

// WarnOfShortCalls says what is not judged where recorders left out short calls.
func (s *Strata) WarnOfShortCalls() {
	s.warn("Recorders left out calls that were too short for them (short_call in the table losses), so that it is chance which steps a run has: that steps appeared, vanished or are taken more often is no finding here.")
}

// DoubtTorn says of which runs the traces end in the middle of a record, or before all that they say they have. Without any it says nothing.
func (s *Strata) DoubtTorn(names []string) {
	if len(names) > 0 {
		s.doubt("recordings were cut short", "Traces that end in the middle of a record, or that lack some of what they say they have (torn_line, torn_record or missing_record in the table losses): %s. What came after that is not known, and looks as if it were gone or faster. Compare whole recordings.", firstOf(names))
	}
}

// DoubtBackwards says in which runs time went backwards, with how many events. Such a trace may be shuffled: its calls enclose others than ran in
// them, and some take less than no time.
func (s *Strata) DoubtBackwards(names []string) {
	if len(names) > 0 {
		s.doubt("times of recordings go backwards", "Traces in which an event is earlier than the one before it (time_backwards or negative_duration in the table losses): %s. Their times, of which some are negative, say nothing where records are out of order. Sort the records by time, or record again.", firstOf(names))
	}
}

// DoubtApart says in which runs messages are received before they are sent, with how many messages.
func (s *Strata) DoubtApart(names []string) {
	if len(names) > 0 {
		s.doubt("clocks within recordings are apart", "Traces in which messages are received before they are sent (negative_latency or received_before_sent in the table losses): %s. Latencies of messages are too short there, or negative. Bring the clocks together with analyze reconcile.", firstOf(names))
	}
}

// DoubtOpen says which runs end while calls are open, with how many calls by run, where that is unlike the other runs: a recording that stops between two
// records looks like a whole one. What every run of a side of several does may be how the program ends; most runs are what is usual.
func (s *Strata) DoubtOpen(names []string, open []int64) {
	var alone []string
	for i, n := range open {
		if n > 0 {
			alone = append(alone, fmt.Sprintf("%s (%d)", names[i], n))
		}
	}
	if len(alone) > 0 && (2*len(alone) < len(names) || len(names) == 2 && len(alone) == 1) {
		s.doubt("some recordings end in the middle of calls", "Traces that end while calls are open, as most others do not (open_at_end in the table losses): %s. If these were stopped early, what came after that is not known, and looks as if it were gone or faster.", firstOf(alone))
	}
}

func (s *Strata) warn(format string, values ...any) {
	s.Warnings = append(s.Warnings, fmt.Sprintf(format, values...))
}

// doubt warns of something that makes every finding doubtful, which is what in few words.
func (s *Strata) doubt(what, format string, values ...any) {
	s.Doubts = append(s.Doubts, what)
	s.warn(format, values...)
}

// labelsOf lists the labels that some run has, in the order of their names.
func labelsOf(sides ...[]Run) []string {
	all := make(map[string]bool)
	for _, r := range slices.Concat(sides...) {
		for label := range r.Labels {
			all[label] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// variation is how a label varies: its values on either side, each once and sorted. A run without the label has the value "".
type variation struct {
	base, cand []string
	distinct   int // values on both sides together
}

func inspect(base, cand []Run, label string) variation {
	return variation{distinctIn(base, label), distinctIn(cand, label), len(distinctIn(slices.Concat(base, cand), label))}
}

// advice says how runs that differ in a label are compared with their like: by a value that both sides have; "" where they have none in common.
func (v *variation) advice(label string) string {
	for _, value := range v.base {
		if value != "" && slices.Contains(v.cand, value) {
			return fmt.Sprintf(" Choose runs that both sides have, as with %s=%s on both.", label, value)
		}
	}
	return ""
}

// isChosen reports whether the label selects one side at least, and varies within none that it does not select.
func (v *variation) isChosen(base, cand bool) bool {
	return (base || cand) && (base || len(v.base) == 1) && (cand || len(v.cand) == 1)
}

// constant reports whether all runs of a side have one value.
func (v *variation) constant() bool { return len(v.base) == 1 && len(v.cand) == 1 }

// identifies reports whether every run has a value of its own, as the number or the date of a night is: such a label
// names runs and says nothing of their conditions.
func (v *variation) identifies(runs int) bool { return runs > 2 && v.distinct == runs }

// word writes a value of a label.
func word(value string) string {
	if value == "" {
		return "none"
	}
	return value
}

// firstRuns is how many runs of a value are named.
const firstRuns = 3

// listed lists the values of a label on a side, each with its runs.
//
//	fast (a1, a2, a3 and 2 more), slow (a6)
func listed(runs []Run, label string) string {
	named := make(map[string][]string)
	for _, r := range runs {
		named[r.Labels[label]] = append(named[r.Labels[label]], r.Name)
	}
	var parts []string
	for _, value := range slices.Sorted(maps.Keys(named)) {
		parts = append(parts, fmt.Sprintf("%s (%s)", word(value), firstOf(named[value])))
	}
	return strings.Join(parts, ", ")
}

// valuesOf returns the values that a run has of some labels.
func valuesOf(r *Run, labels []string) []string {
	values := make([]string, len(labels))
	for i, label := range labels {
		values[i] = r.Labels[label]
	}
	return values
}

// cellsOf counts the runs of every combination of values.
func cellsOf(base, cand []Run, labels []string) []Cell {
	var cells []Cell
	at := func(r *Run) *Cell {
		values := valuesOf(r, labels)
		i, found := slices.BinarySearchFunc(cells, values, func(c Cell, v []string) int { return slices.Compare(c.Values, v) })
		if !found {
			cells = slices.Insert(cells, i, Cell{Values: values})
		}
		return &cells[i]
	}
	for i := range base {
		at(&base[i]).Base++
	}
	for i := range cand {
		at(&cand[i]).Cand++
	}
	return cells
}

// hasBothSides reports whether every cell has runs of both sides.
func hasBothSides(cells []Cell) bool {
	return !slices.ContainsFunc(cells, func(c Cell) bool { return c.Base == 0 || c.Cand == 0 })
}

// pair numbers the blocks from 0: within a cell the i-th runs of both sides, in the order of their starts, are one.
func pair(base, cand []Run, labels []string) []int {
	blocks := make([]int, len(base)+len(cand))
	next := 0
	for _, cell := range cellsOf(base, cand, labels) {
		pairs := min(cell.Base, cell.Cand)
		in := func(runs []Run, offset int) {
			var of []int
			for i := range runs {
				if slices.Equal(valuesOf(&runs[i], labels), cell.Values) {
					of = append(of, i)
				}
			}
			slices.SortStableFunc(of, func(a, b int) int {
				return cmp.Or(cmp.Compare(runs[a].StartNs, runs[b].StartNs), strings.Compare(runs[a].Name, runs[b].Name))
			})
			for k, i := range of {
				blocks[offset+i] = next + k%pairs
			}
		}
		in(base, 0)
		in(cand, len(base))
		next += pairs
	}
	return blocks
}
