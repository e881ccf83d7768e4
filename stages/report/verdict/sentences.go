package verdict

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// otherWords say what changed beside time, after a number of steps or fragments.
var otherWords = map[string]string{
	schema.Appeared: "appeared", schema.Vanished: "vanished", schema.Moved: "moved", schema.CountChanged: "changed in number",
	schema.ShapeChanged: "changed in distribution",
}

// otherChanges counts what changed beside time: what appeared, vanished or moved, or changed in number or distribution.
// "" is nothing. Costs that moved between callees count as well: they are changes of time that cancel out.
//
//	1 step appeared, 2 steps changed in number, 2 costs moved between callees of one caller
func (r *Report) otherChanges() string {
	parts := r.countEach(slices.Concat(functionalVerdicts, []string{schema.ShapeChanged}))
	moved := r.findingsWhere(func(f *schema.Finding) bool { return f.Verdict == schema.MovedCost && f.Kind != schema.KindDivided })
	if len(moved) > 0 {
		parts = append(parts, texttab.Plural(len(moved), "cost")+" moved between callees of one caller")
	}
	return strings.Join(parts, ", ")
}

// functionalText counts the changes of what is done.
func (r *Report) functionalText() string { return strings.Join(r.countEach(functionalVerdicts), ", ") }

// countEach counts the fragments and steps with each of some verdicts, in the order of the verdicts: "1 fragment and 2
// steps appeared". Other levels would repeat these.
func (r *Report) countEach(verdicts []string) (parts []string) {
	for _, verdict := range verdicts {
		var subjects []string
		if n := r.countOf(verdict, schema.LevelFragment); n > 0 {
			subjects = append(subjects, texttab.Plural(n, "fragment"))
		}
		if n := r.countOf(verdict, schema.LevelTransition); n > 0 {
			subjects = append(subjects, texttab.Plural(n, "step"))
		}
		if len(subjects) > 0 {
			parts = append(parts, strings.Join(subjects, " and ")+" "+otherWords[verdict])
		}
	}
	return parts
}

// stepsSentence says how many steps are decided: "3 of 4 steps are shown to be unchanged, 1 is undetermined". The other
// levels follow from steps.
func (r *Report) stepsSentence() string {
	text := fmt.Sprintf("%s of %s steps are shown to be unchanged",
		texttab.Count(r.countOf(schema.Unchanged, schema.LevelTransition)), texttab.Count(r.subjects(schema.LevelTransition)))
	switch n := r.countOf(schema.Undetermined, schema.LevelTransition); n {
	case 0:
	case 1:
		text += ", 1 is undetermined"
	default:
		text += fmt.Sprintf(", %s are undetermined", texttab.Count(n))
	}
	return text
}

// undecidedSentence says what is undetermined, and how many runs would decide it. The run time of an initial fragment is
// named if it is undetermined, because it is what most readers ask for.
func (r *Report) undecidedSentence() string {
	for i := range r.roots {
		c := &r.roots[i]
		if c.Verdict == schema.Undetermined {
			name := c.Fragment
			if len(r.roots) == 1 {
				name = r.rootName()
			}
			return fmt.Sprintf("whether %s did is undetermined (%s)%s; %s", name, r.rootFigures(c), runsNeededFor(c), r.stepsSentence())
		}
	}
	text := r.stepsSentence()
	if n := len(r.needed.Decided); n > 0 {
		d := r.needed.Decided[n-1]
		text += fmt.Sprintf("; %d runs per side would decide %.0f %% of what is undetermined", d.Runs, 100*float64(d.Count)/float64(r.needed.Undetermined))
	}
	return text
}

// shortRun is the share of the events of the median run of a side below which a run is likely to have been cut short.
const shortRun = .25

// shortRunText names the runs of a side that have far fewer events than the others; "" where there are none. A function that such a run
// did not reach is one that some runs lack, which is not judged: one run that ended early hides what five others show.
//
//	cand-3 has 83 events, the median run of its side 8,300. What it did not reach some runs lack, and that is not judged. If it ended early, leave it
//	out: name the others one by one, each with --cand.
func (r *Report) shortRunText(flag string, side []string) string {
	if len(side) < verdicts.MinRuns {
		return ""
	}
	var events []int64
	for _, name := range side {
		events = append(events, r.Runs[name].Events)
	}
	slices.Sort(events)
	median := events[len(events)/2]
	var short []string
	for _, name := range side {
		if n := r.Runs[name].Events; float64(n) < shortRun*float64(median) {
			short = append(short, fmt.Sprintf("%s has %s", name, texttab.Plural(int(n), "event")))
		}
	}
	if len(short) == 0 {
		return ""
	}
	it := "it did not reach some runs lack, and that is not judged. If it ended early, leave it out"
	if len(short) > 1 {
		it = "they did not reach some runs lack, and that is not judged. If they ended early, leave them out"
	}
	return fmt.Sprintf("%s, the median run of that side %s. What %s: name the others one by one, each with %s.",
		strings.Join(short, ", "), texttab.Count(median), it, flag)
}

// largeFloor is the share of a root execution from which on a reader is told how large the floor is.
const largeFloor = .5

// floorText says that the floor is large beside what root executions take; "" where one of them takes more than that. What is called
// unchanged there may have changed by half.
//
//	A root execution takes 3.14 us, and changes of up to 10.0 us count as none: see smaller ones with --floor 157ns.
func (r *Report) floorText() string {
	if !r.enough || len(r.roots) == 0 {
		return ""
	}
	most := int64(0)
	for i := range r.roots {
		most = max(most, value(r.roots[i].CostBaseNs), value(r.roots[i].CostCandNs))
	}
	floor := r.Rules.FloorNs
	if most <= 0 || floor < largeFloor*float64(most) {
		return ""
	}
	name := "A root execution takes"
	if len(r.roots) > 1 {
		name = "Root executions take at most"
	}
	smaller := max(1, int64(r.Rules.Margin*float64(most)))
	return fmt.Sprintf("%s %s, and changes of up to %s count as none: see smaller ones with --floor %s.",
		name, texttab.Duration(most), texttab.Duration(int64(floor)), texttab.Flag(time.Duration(smaller)))
}

// mostRunsNeeded is the number of runs per side above which more runs are no advice.
const mostRunsNeeded = 50

// runsNeededFor says how many runs would decide about something undetermined, or what would help more than runs.
func runsNeededFor(c *schema.Change) string {
	switch {
	case c.RunsNeeded == nil:
		return ""
	case *c.RunsNeeded > mostRunsNeeded:
		return "; its runs differ too much for a few more to decide: a quiet machine, a pinned processor, pairs of runs or longer runs would help"
	}
	return fmt.Sprintf("; with %s runs per side half of such cases are decided", texttab.Count(*c.RunsNeeded))
}

// runsNeededText says how many runs per side would decide about all that is undetermined.
//
//	Undetermined steps and fragments: 8; half of them need at most 4 runs per side. 5 runs would decide 6, 10 runs 8.
func (r *Report) runsNeededText() string {
	if r.needed.MedianRuns == 0 {
		return ""
	}
	text := "Undetermined steps and fragments: " + texttab.Count(r.needed.Undetermined)
	if r.needed.MedianRuns > mostRunsNeeded {
		return fmt.Sprintf("%s; half of them need more than %d runs per side.", text, mostRunsNeeded)
	}
	text += fmt.Sprintf("; half of them need at most %s runs per side", texttab.Count(r.needed.MedianRuns))
	for i, d := range r.needed.Decided {
		if i == 0 {
			text += fmt.Sprintf(". %d runs would decide %s", d.Runs, texttab.Count(d.Count))
		} else {
			text += fmt.Sprintf(", %d runs %s", d.Runs, texttab.Count(d.Count))
		}
	}
	return text + "."
}

// tooFewRunsSentence says why there is no verdict, and what stands out.
func (r *Report) tooFewRunsSentence() string {
	which := fmt.Sprintf("runs (%d against %d)", len(r.Base), len(r.Cand))
	if r.Blocks != nil {
		which = fmt.Sprintf("pairs of runs (%d)", r.RunsPerSide())
	}
	why := "too few " + which + " to separate a change of the release from differences between runs"
	list := r.candidates()
	switch other := r.otherChanges(); {
	case len(list) == 0 && len(r.findings) == 0:
		return why + "; nothing stands out from the noise"
	case len(list) == 0 && other != "":
		return why + "; no time stands out from the noise, but " + other
	case len(list) == 0:
		return why + "; no time stands out from the noise"
	}
	switch len(list) {
	case 1:
		return why + "; 1 candidate stands out from the noise" + led(list)
	}
	return fmt.Sprintf("%s; %s candidates stand out from the noise%s", why, texttab.Count(len(list)), led(list))
}

// sameCallsSentence says that the runs do the same, by what their recorder counted, and that nothing is known of times.
func (r *Report) sameCallsSentence() string {
	return fmt.Sprintf("what is done is the same: %s; there are too few runs (%d against %d) to say whether times changed, and none stands out from the noise",
		r.Totals.sameText(), len(r.Base), len(r.Cand))
}

// totalsText says what the totals of the sides have in common and what not, unless the summary does.
func (r *Report) totalsText() string {
	if !r.enough && r.whole == wholeUnchanged {
		return ""
	}
	return r.Totals.text()
}

// candidates returns the findings whose time stands out from the noise where there are too few runs for verdicts.
func (r *Report) candidates() []schema.Finding {
	return r.findingsWhere(func(f *schema.Finding) bool { return f.Verdict == schema.Candidate })
}

// levelNouns name one subject of a level, before a verdict: "a step regressed".
var levelNouns = map[string]string{
	schema.LevelFunction: "a function", schema.LevelTransition: "a step", schema.LevelFragment: "a fragment", schema.LevelCriticalPath: "a part of critical paths",
	schema.LevelDefined: "the metric", schema.LevelLifetime: "the lifetime", schema.LevelMetric: "a metric", schema.LevelMessage: "messages",
}

// subjectText names the subject of a change where nothing around it says the fragment.
//
//	exit f in lib.work from app            a step
//	execution lib.f towards app.main       a part of the critical paths of app.main
func subjectText(c *schema.Change) string { return subjectIn(c, c.Fragment) }

// shortSubject names the subject of a change with the function of its fragment, but not with the caller of that.
func shortSubject(c *schema.Change) string {
	function, _, _ := strings.Cut(c.Fragment, " from ")
	return subjectIn(c, function)
}

func subjectIn(c *schema.Change, fragment string) string {
	switch {
	case fragment == "" || fragment == c.Subject || c.Level == schema.LevelFragment:
		return c.Subject
	case c.Level == schema.LevelCriticalPath:
		return c.Subject + " towards " + fragment
	}
	return c.Subject + " in " + fragment
}

// fromTo writes a value of the baseline and one of the candidate, or one value where both are written alike: a reader
// cannot see a difference in "1.00 ms -> 1.00 ms".
func fromTo(base, cand string) string {
	if base == cand {
		return base
	}
	return base + " -> " + cand
}

// optional writes a nullable duration, a dash for null: a side that lacks the subject has no time of it.
func optional(ns *int64) string {
	if ns == nil {
		return "-"
	}
	return texttab.Duration(*ns)
}
