package criticalpath

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/whatif"
)

// WhatIf is the question how long occurrences would take if functions were faster, slower or not there.
type WhatIf struct {
	Run, To    string          // name of the run, and the execution whose occurrences are asked for
	Changes    []whatif.Change // functions whose own time is multiplied
	Removed    []string        // names of executions
	RestNs     int64           // see whatif.Rules
	Paced      bool            // executions that nobody in the trace starts keep their distance to the starts of To
	DeadlineNs int64           // the span that no occurrence may exceed; 0 where none was given
	Top        int             // places that text has; 0 for all
	Loose      int64           // inferred callbacks that hold nothing back
}

// assumptions says what a recorded run cannot tell, and what is assumed of it.
func (q *WhatIf) assumptions(x *findings.WhatIf) []string {
	// Only the rule on rests depends on the question; the other lines describe the model of package whatif.
	later := "it keeps its time"
	if q.Paced {
		later = "it keeps its distance to the latest start of " + q.To
	}
	return append(looseCallbacks(q.Loose, q.Run),
		"every event takes place as soon as its timing constraints allow; a delay that none explains stays",
		"a lifeline does in the recorded order what it did; but a request that is now sent before others overtakes them if the lifeline is idle ("+
			overtakingText(x)+"), and delays none of them",
		fmt.Sprintf("an execution that no message starts follows the one before it on its lifeline at the recorded distance up to %s; "+
			"after a longer rest %s", texttab.Exact(q.RestNs), later),
		"a change is of a function's own time, without the functions that it calls; what it does while it waits for a message is not recorded and takes no time",
		"what is removed goes with all that it calls, and nobody waits for it",
	)
}

// overtakingText says how many requests overtake another one.
func overtakingText(x *findings.WhatIf) string {
	if x.Overtaking == 0 {
		return fmt.Sprintf("none of %s does", texttab.Plural(x.Requests, "request"))
	}
	return fmt.Sprintf("%s of %s do", texttab.Count(x.Overtaking), texttab.Plural(x.Requests, "request"))
}

// moment is a place with the time of paths that they spend there.
type moment struct {
	criticalpath.Key
	recordedNs, plannedNs int64 // of all paths
}

// moved returns the places of both compositions, those whose time changes most first.
func moved(x *findings.WhatIf) []moment {
	all := make(map[criticalpath.Key]moment)
	// A place may be on paths of one schedule only; the other side is 0 then.
	for _, s := range x.Recorded.Sums(0, x.Names, x.Parts) {
		all[s.Key] = moment{Key: s.Key, recordedNs: s.TotalNs}
	}
	for _, s := range x.Planned.Sums(0, x.Names, x.Parts) {
		m := all[s.Key]
		m.Key, m.plannedNs = s.Key, s.TotalNs
		all[s.Key] = m
	}
	list := make([]moment, 0, len(all))
	for _, m := range all {
		list = append(list, m)
	}
	// Places of equal change are ordered by time and then by name, since a map has no order.
	distance := func(m moment) int64 { return max(m.plannedNs-m.recordedNs, m.recordedNs-m.plannedNs) }
	slices.SortFunc(list, func(a, b moment) int {
		return cmp.Or(cmp.Compare(distance(b), distance(a)), cmp.Compare(b.plannedNs, a.plannedNs), criticalpath.Compare(x.Names, x.Parts, a.Key, b.Key))
	})
	return list
}

// spread is the distribution of spans in nanoseconds.
type spread struct {
	Mean   int64 `json:"mean"`   // a sum divided by their number, without its fraction
	Median int64 `json:"median"` // half of the spans are at most this long
	P95    int64 `json:"p95"`    // 95 % are
	P99    int64 `json:"p99"`    // 99 % are
	Max    int64 `json:"max"`    // the longest
}

// spreadOf returns the distribution of spans, of which there is one at least. A quantile is a value that occurs.
func spreadOf(spans []int64) spread {
	v, sum := slices.Sorted(slices.Values(spans)), 0.0
	for _, ns := range v {
		sum += float64(ns)
	}
	at := func(q float64) int64 { return v[min(int(q*float64(len(v))), len(v)-1)] }
	return spread{int64(sum / float64(len(v))), at(0.5), at(0.95), at(0.99), v[len(v)-1]}
}

// missed counts the spans that exceed the deadline.
func (q *WhatIf) missed(spans []int64) (n int) {
	for _, ns := range spans {
		if q.DeadlineNs > 0 && ns > q.DeadlineNs {
			n++
		}
	}
	return n
}

// words says what is changed.
// Factors are written as shares of a function's own time, as the user wrote them.
func (q *WhatIf) words() string {
	var all []string
	for _, c := range q.Changes {
		if c.Factor < 1 {
			all = append(all, fmt.Sprintf("%s were %s faster", c.Name, texttab.Share(1-c.Factor)))
		} else {
			all = append(all, fmt.Sprintf("%s were %s slower", c.Name, texttab.Share(c.Factor-1)))
		}
	}
	for _, name := range q.Removed {
		all = append(all, name+" were not there")
	}
	return strings.Join(all, " and ")
}

// WriteText writes how long the occurrences took and would take, and where the paths towards them would spend their time.
func (q *WhatIf) WriteText(out io.Writer, x *findings.WhatIf) error {
	fmt.Fprintf(out, "what if %s: %s of %s in run %s\n\n", q.words(), texttab.Plural(len(x.Before), "occurrence"), q.To, q.Run)
	// Occurrences are matched by number in both schedules; the distributions are compared, not the pairs.
	recorded, planned := spreadOf(x.Before), spreadOf(x.After)
	g := texttab.New("lrrrr")
	g.Row("", "recorded", "what if", "difference", "")
	rows := []struct {
		name                  string
		recordedNs, plannedNs int64
	}{
		{"mean", recorded.Mean, planned.Mean}, {"median", recorded.Median, planned.Median}, {"95 % up to", recorded.P95, planned.P95},
		{"99 % up to", recorded.P99, planned.P99}, {"maximum", recorded.Max, planned.Max},
	}
	if len(x.Before) == 1 { // all of them are the same
		rows = rows[:1]
		rows[0].name = "duration"
	}
	for _, row := range rows {
		// The relative change of what took no time is taken of 1 ns, so that it is not infinite.
		change := row.plannedNs - row.recordedNs
		g.Row(row.name, texttab.Duration(row.recordedNs), texttab.Duration(row.plannedNs), texttab.Change(change),
			texttab.Relative(float64(change)/float64(max(row.recordedNs, 1))))
	}
	if q.DeadlineNs > 0 {
		was, is := q.missed(x.Before), q.missed(x.After)
		g.Row("over "+texttab.Exact(q.DeadlineNs), texttab.Count(was), texttab.Count(is), fmt.Sprintf("%+d", is-was), "")
	}
	if err := g.Write(out); err != nil {
		return err
	}
	return q.writePaths(out, x)
}

// writePaths writes what becomes critical instead, and the assumptions.
func (q *WhatIf) writePaths(out io.Writer, x *findings.WhatIf) error {
	fmt.Fprintf(out, "\ncritical paths, time of a path:\n\n")
	g := texttab.New("rrr")
	g.Row("recorded", "what if", "difference", "", "where")
	// Times are means over all occurrences: a place that only some paths have is divided by all as well.
	list, n := moved(x), int64(len(x.Before))
	shown := rowsPrinted(q.Top, len(list))
	for _, m := range list[:shown] {
		g.Row(texttab.Duration(m.recordedNs/n), texttab.Duration(m.plannedNs/n), texttab.Change((m.plannedNs-m.recordedNs)/n),
			schema.CategoryWords[m.Category], placeText(x.Names, x.Parts, m.Key))
	}
	if err := writeCut(out, g, len(list)-shown, texttab.Plural(len(list)-shown, "place")+" that change less"); err != nil {
		return err
	}
	fmt.Fprintf(out, "\nThis assumes:\n")
	for _, line := range q.assumptions(x) {
		fmt.Fprintf(out, "- %s\n", line)
	}
	return nil
}

// whatIfDocument is the JSON of a WhatIf.
type whatIfDocument struct {
	Run         string         `json:"run"`         // name of the run
	To          string         `json:"to"`          // the execution whose occurrences are asked for
	Changes     []changeObject `json:"changes"`     // functions whose own time is multiplied
	Removed     []string       `json:"removed"`     // names of executions that would not be there
	Occurrences int            `json:"occurrences"` // how many are summed up
	Recorded    spread         `json:"recorded_ns"` // spans in the trace
	Planned     spread         `json:"planned_ns"`  // spans in the recomputed schedule
	DeadlineNs  *int64         `json:"deadline_ns"` // null: none was given
	Missed      *[2]int        `json:"missed"`      // occurrences beyond it: recorded, planned
	Paths       []momentObject `json:"paths"`       // the place whose time changes most first
	Overtaking  int64          `json:"overtaking"`  // requests that would be served before one that was served before them
	Requests    int64          `json:"requests"`    // all that start executions of an idle lifeline
	Assumptions []string       `json:"assumptions"` // sentences that say what the recomputed schedule rests on
}

// changeObject is a function whose own time is multiplied.
type changeObject struct {
	Name   string  `json:"name"`   // of the function
	Factor float64 `json:"factor"` // of its own time; below 1 is faster
}

// momentObject is a place with the time of all paths that they spend there.
type momentObject struct {
	place
	RecordedNs int64 `json:"recorded_ns"` // in the trace
	PlannedNs  int64 `json:"planned_ns"`  // in the recomputed schedule
}

// WriteJSON writes a what-if with all places.
func (q *WhatIf) WriteJSON(out io.Writer, x *findings.WhatIf) error {
	d := whatIfDocument{
		Run: q.Run, To: q.To, Changes: []changeObject{}, Removed: append([]string{}, q.Removed...), Occurrences: len(x.Before),
		Recorded: spreadOf(x.Before), Planned: spreadOf(x.After), Paths: []momentObject{}, Assumptions: q.assumptions(x), Overtaking: x.Overtaking, Requests: x.Requests,
	}
	for _, c := range q.Changes {
		d.Changes = append(d.Changes, changeObject(c))
	}
	if q.DeadlineNs > 0 {
		d.DeadlineNs, d.Missed = &q.DeadlineNs, &[2]int{q.missed(x.Before), q.missed(x.After)}
	}
	for _, m := range moved(x) {
		d.Paths = append(d.Paths, momentObject{newPlace(x.Names, x.Parts, m.Key), m.recordedNs, m.plannedNs})
	}
	return writeJSON(out, d)
}
