package verdict

import (
	"cmp"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// The formats of a report.
const (
	Text     = "text"
	JSON     = "json"
	JUnit    = "junit"
	Markdown = "markdown"
)

// Formats lists the formats of a Report. A Pooled has Text and JSON.
var Formats = []string{Text, JSON, JUnit, Markdown}

// Report is the report on runs compared with runs. All formats read what New has sorted and counted, so that they
// cannot disagree.
type Report struct {
	Comparison

	changes  []schema.Change           // by rank
	findings []schema.Finding          // by number: the finding n of a change is findings[n-1]
	ordered  []schema.Finding          // the same in reading order
	roots    []schema.Change           // run times of initial fragments: regressed and improved ones first, then by effect
	counts   map[string]map[string]int // numbers of subjects by level and verdict
	needed   runsNeeded
	enough   bool                     // there are enough runs for verdicts; otherwise the whole verdict is wholeNone
	effects  map[effect]bool          // what follows from which finding
	ofSteps  map[int64]bool           // the findings whose figures are not those of a function as a whole, by number
	naming   map[int64]*schema.Change // the steps that name findings about all calls of their functions, by number
	hits     []gateHit                // the words of the gate that something meets
	account  *account                 // what adds up to the difference; nil where functions were not compared
	paths    *pathAccount             // the same along critical paths; nil where some run has none
	whole    string                   // the verdict on the whole comparison, such as "REGRESSED"
	summary  string                   // the whole verdict in a sentence, without the word
}

// New prepares a report. changes are ordered by rank and findings by their numbers, as the tables have them; the report
// keeps both slices.
func New(c Comparison, changes []schema.Change, findings []schema.Finding) *Report {
	r := &Report{
		Comparison: c, changes: changes, findings: findings,
		counts: make(map[string]map[string]int), effects: make(map[effect]bool), enough: c.RunsPerSide() >= verdicts.MinRuns,
	}
	for i := range changes {
		r.count(&changes[i])
	}
	slices.SortStableFunc(r.roots, func(a, b schema.Change) int {
		return cmp.Or(cmp.Compare(timeRank(&a), timeRank(&b)), cmp.Compare(magnitude(value(b.EffectNs)), magnitude(value(a.EffectNs))))
	})
	r.needed = countRunsNeeded(changes, c.RunsPerSide())
	r.ordered = r.inReadingOrder()
	r.account, r.paths = accountOf(r.Contributions, findings), r.pathAccountOf()
	r.ofSteps = findingsOfSteps(findings, changes)
	r.naming = stepsOfWholes(findings, changes, r.ofSteps)
	r.hits = r.gateHits()
	r.whole, r.summary = r.judgeWhole()
	if text := r.lifetimesChanged(); text != "" {
		r.summary += "; beside the time of functions, " + text
	}
	r.Strata.Warnings = slices.Clone(r.Strata.Warnings) // those that the caller has stay as they are
	for _, text := range []string{r.shortRunText("--base", r.Base), r.shortRunText("--cand", r.Cand), r.oddRunText(r.Base), r.oddRunText(r.Cand), r.floorText(), r.totalsText()} {
		if text != "" {
			r.Strata.Warnings = append(r.Strata.Warnings, text)
		}
	}
	return r
}

// Failed reports whether something meets a word of the gate.
func (r *Report) Failed() bool { return len(r.hits) > 0 }

// Write writes the report in a format. top limits the findings and changes that are printed; JUnit has all of them.
// The text lacks the exit code, which a command prints last; see ExitLine.
func (r *Report) Write(out io.Writer, format string, top int) error {
	switch format {
	case JSON:
		return r.writeJSON(out, top)
	case JUnit:
		return r.writeJUnit(out)
	case Markdown:
		return r.writeMarkdown(out, top)
	}
	return r.writeText(out, top)
}

// count adds a change to the numbers of its level, to the effects of its finding, and to the roots.
func (r *Report) count(c *schema.Change) {
	if r.counts[c.Level] == nil {
		r.counts[c.Level] = make(map[string]int)
	}
	r.counts[c.Level][c.Verdict]++
	if c.Finding != nil && isJudged(c.Level) {
		r.effects[effect{*c.Finding, c.Verdict}] = true
	}
	if isInitial(c) {
		r.roots = append(r.roots, *c)
	}
}

// isInitial reports whether a change is the run time of an initial fragment, which no message starts. The names of all
// others end in the sender of the message, "lib.work from app", which is the peer of the change.
func isInitial(c *schema.Change) bool {
	return c.Level == schema.LevelFragment && c.Fragment != c.Component+"."+c.Function+" from "+c.Peer
}

// timeRank is 0 for what regressed or improved and 1 for all others, so that the former are sorted first.
func timeRank(c *schema.Change) int {
	if c.Verdict == schema.Regressed || c.Verdict == schema.Improved {
		return 0
	}
	return 1
}

// inReadingOrder puts the findings that are small beside the greatest behind all others, which keep the order of their numbers.
func (r *Report) inReadingOrder() []schema.Finding {
	class := func(f *schema.Finding) int {
		if f.Minor {
			return 1
		}
		return 0
	}
	ordered := slices.Clone(r.findings)
	slices.SortStableFunc(ordered, func(a, b schema.Finding) int { return cmp.Compare(class(&a), class(&b)) })
	return ordered
}

// countOf returns how many subjects of some levels have a verdict.
func (r *Report) countOf(verdict string, levels ...string) (n int) {
	for _, level := range levels {
		n += r.counts[level][verdict]
	}
	return n
}

// subjects returns how many subjects a level has: every subject has exactly one verdict.
func (r *Report) subjects(level string) (n int) {
	for _, one := range r.counts[level] {
		n += one
	}
	return n
}

// rootsWith returns how many initial fragments have a verdict.
func (r *Report) rootsWith(verdict string) (n int) {
	for i := range r.roots {
		if r.roots[i].Verdict == verdict {
			n++
		}
	}
	return n
}

// findingsWhere returns the findings for which a condition holds, by number.
func (r *Report) findingsWhere(holds func(*schema.Finding) bool) (list []schema.Finding) {
	for i := range r.findings {
		if holds(&r.findings[i]) {
			list = append(list, r.findings[i])
		}
	}
	return list
}

// runsNeeded says how many runs per side would decide about what is undetermined.
type runsNeeded struct {
	Undetermined int       `json:"undetermined"` // steps and fragments
	MedianRuns   int64     `json:"median_runs"`  // runs per side that half of them need at most; 0 if none is undetermined
	Decided      []decided `json:"decided"`      // at most two plans that would decide more
}

// decided is how many subjects a number of runs per side would decide.
type decided struct {
	Runs  int64 `json:"runs"`
	Count int   `json:"count"`
}

// plans are the numbers of runs per side that people plan with.
var plans = []int64{3, 5, 10, 20, 50, 100}

// countRunsNeeded sums up the numbers of runs that undetermined steps and fragments need, beyond those at hand.
//
// The median says what deciding half of them takes. At most two plans follow, each of which decides more than the one
// before: a reader weighs one number of recordings against another. Other levels are left out, as they follow from steps.
func countRunsNeeded(changes []schema.Change, atHand int) runsNeeded {
	n := runsNeeded{Decided: []decided{}}
	var needs []int64
	for i := range changes {
		c := &changes[i]
		if c.Verdict == schema.Undetermined && (c.Level == schema.LevelTransition || c.Level == schema.LevelFragment) {
			n.Undetermined++
			if c.RunsNeeded != nil {
				needs = append(needs, *c.RunsNeeded)
			}
		}
	}
	if len(needs) == 0 {
		return n
	}
	slices.Sort(needs)
	n.MedianRuns = needs[(len(needs)-1)/2]
	for _, runs := range plans {
		count, _ := slices.BinarySearch(needs, runs+1)
		last := len(n.Decided) - 1
		if runs > int64(atHand) && count > 0 && last < 1 && (last < 0 || n.Decided[last].Count < count) {
			n.Decided = append(n.Decided, decided{runs, count})
		}
	}
	return n
}

// notable returns the changes that are worth a row, by rank, at most as many as a limit. What is unchanged
// or undetermined is not.
func notable(changes []schema.Change, limit int) (list []schema.Change) {
	for i := range changes {
		if len(list) < limit && samplechanges.Notable(changes[i].Verdict) {
			list = append(list, changes[i])
		}
	}
	return list
}

// value returns a nullable number of nanoseconds, 0 for null: a side without the subject spends no time in it.
func value(ns *int64) int64 {
	if ns == nil {
		return 0
	}
	return *ns
}

// magnitude returns a number of nanoseconds without its sign. No duration comes near the smallest int64.
func magnitude(ns int64) int64 { return max(ns, -ns) }
