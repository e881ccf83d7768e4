package verdict

import (
	"cmp"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// pathChange is what changed on the critical paths towards the finish of one fragment.
type pathChange struct {
	Fragment string `json:"fragment"`
	BaseNs   int64  `json:"base_ns"` // time of all these paths in an average run of the baseline
	CandNs   int64  `json:"cand_ns"` // the same of the candidate

	Parts   []schema.Change `json:"-"`       // the parts that changed, the greatest change first, idle time last
	Changes []jsonrows.Row  `json:"changes"` // the first of them by the names of the columns
}

// mostPaths is for how many fragments a report has the changes of critical paths. A change usually arrives at all
// fragments that contain it, and the first few show where.
const mostPaths = 3

// mostParts returns how many parts of one fragment a report has if it may print a number of changes in all.
func mostParts(top int) int { return max(top/mostPaths, 1) }

// changesByFragment groups parts of critical paths, ordered by rank, by their fragments. It returns the fragments with a
// changed part, the one with the greatest change first: by rank, what changed comes before what did not.
func changesByFragment(parts []schema.Change) (changed []*pathChange) {
	byFragment := make(map[string]*pathChange)
	for _, c := range parts {
		p := byFragment[c.Fragment]
		if p == nil {
			p = &pathChange{Fragment: c.Fragment}
			byFragment[c.Fragment] = p
		}
		// Totals of all runs are summed up first and divided by the runs once, at the end.
		p.BaseNs, p.CandNs = p.BaseNs+c.TotalBaseNs, p.CandNs+c.TotalCandNs
		if c.Verdict == schema.Unchanged {
			continue
		}
		if p.Parts = append(p.Parts, c); len(p.Parts) == 1 {
			changed = append(changed, p)
		}
	}
	// Idle time comes last, as it follows from what else changed; other parts keep their rank.
	for _, p := range changed {
		slices.SortStableFunc(p.Parts, func(a, b schema.Change) int { return cmp.Compare(idleRank(&a), idleRank(&b)) })
		p.BaseNs, p.CandNs = p.BaseNs/max(p.Parts[0].RunsBase, 1), p.CandNs/max(p.Parts[0].RunsCand, 1)
	}
	return changed
}

// idleRank is 1 for time in which nothing runs and 0 for all other. When less is done, more time is idle: that is a
// consequence, so it stands after the rest.
func idleRank(c *schema.Change) int {
	if c.Metric == schema.CategoryWords[schema.Idling] {
		return 1
	}
	return 0
}

// pathRowsOf returns the first changes of critical paths with their columns: those that the text prints, so that both
// forms of the report have the same.
func pathRowsOf(parts []schema.Change, top int) []*pathChange {
	changed := changesByFragment(parts)
	changed = changed[:min(mostPaths, len(changed))]
	for _, p := range changed {
		p.Changes = jsonrows.ByColumn(p.Parts[:min(mostParts(top), len(p.Parts))])
	}
	return notNull(changed)
}

// writePaths writes what changed on critical paths, a table for each of the first fragments. The number of paths says
// whether there are more of them or each takes longer.
//
//	Critical paths: client.fetch: 9.35 ms -> 28.6 ms per run
//	  change        time per run  paths
//	+19.2 ms  4.30 ms -> 23.5 ms     10  execution server.search
func writePaths(out io.Writer, parts []schema.Change, top int) error {
	changed := changesByFragment(parts)
	for _, p := range changed[:min(mostPaths, len(changed))] {
		fmt.Fprintf(out, "Critical paths: %s: %s per run\n", p.Fragment, fromTo(texttab.Duration(p.BaseNs), texttab.Duration(p.CandNs)))
		table := texttab.New("rrr")
		table.Row("change", "time per run", "paths")
		for i := range p.Parts[:min(mostParts(top), len(p.Parts))] {
			c := &p.Parts[i]
			table.Row(texttab.Change(c.ImpactNs), fromTo(texttab.Duration(baselineTime(c)), texttab.Duration(candidateTime(c))),
				fromTo(perRun(c.NBase, c.RunsBase), perRun(c.NCand, c.RunsCand)), c.Subject)
		}
		if more := len(p.Parts) - mostParts(top); more > 0 {
			table.Row("...", "", "", fmt.Sprintf("%s more parts changed", texttab.Count(more)))
		}
		if err := table.Write(out); err != nil {
			return err
		}
		fmt.Fprintln(out)
	}
	if more := len(changed) - mostPaths; more > 0 {
		fmt.Fprintf(out, "The critical paths of %d more initial fragments changed: analyze query critical-path-change\n\n", more)
	}
	return nil
}

// criticalTimes writes how much time an average run spends on critical paths in the function that a step belongs to:
// "never -> 20.2 ms".
func criticalTimes(c *schema.Change) string {
	return fromTo(criticalTime(c.CriticalBaseNs), criticalTime(c.CriticalCandNs))
}
