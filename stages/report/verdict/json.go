package verdict

import (
	"encoding/json"
	"io"
	"strings"

	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/jsonrows"
)

// reportJSON is a Report for programs. Its keys are stable; more may come. Rows have the names of the columns of their
// tables, which analyze describe explains; times are nanoseconds per root execution. Intervals that are not known are null.
type reportJSON struct {
	Comparison string                    `json:"comparison"`
	Base       []string                  `json:"base"`            // names of the baseline's runs
	Cand       []string                  `json:"cand"`            // names of the candidate's runs
	Noise      []string                  `json:"noise"`           // names of older runs
	Method     string                    `json:"method"`          // "runs"
	Rules      rulesJSON                 `json:"rules"`           // of the verdicts
	Verdict    string                    `json:"verdict"`         // regressed, improved, mixed, changed, unchanged, undetermined, no_verdict
	Summary    string                    `json:"summary"`         // the verdict in a sentence
	Judged     bool                      `json:"times_judged"`    // false: too few runs, and unchanged means that as many calls are made
	Exit       exitJSON                  `json:"exit"`            // with its reasons
	Means      meansJSON                 `json:"means"`           // which mean the figures of each part are
	Findings   []jsonrows.Row            `json:"findings"`        // rows of the table findings
	Roots      []jsonrows.Row            `json:"root_executions"` // rows of the table changes: run times of initial fragments
	Counts     map[string]map[string]int `json:"verdicts"`        // numbers of subjects by level and verdict
	Needed     runsNeeded                `json:"runs_needed"`     // for verdicts that are undetermined
	Changes    []jsonrows.Row            `json:"changes"`         // rows of the table changes that are notable, by rank, at most as many as --top
	Next       []string                  `json:"next"`            // what to do next
	Strata     []stratumJSON             `json:"strata"`          // runs are compared within them; none if all are compared with all
	Doubts     []string                  `json:"doubts"`          // what makes every finding doubtful, in a few words
	Warnings   []string                  `json:"warnings"`        // what differs between runs and is not taken out
	Exchanged  exchangedJSON             `json:"exchanged"`       // what the rule claims where there is nothing to find
	Defined    []jsonrows.Row            `json:"defined"`         // rows of the table changes: metrics that users define
	Paths      *pathAccount              `json:"path_account"`    // what adds up to the difference of run times, along critical paths; null where some run has none
	Account    *account                  `json:"account"`         // what adds up to the difference of own times; null where functions were not compared

	Examples []Example `json:"examples,omitempty"` // requests that show findings, where runs have the ids of their traces

	Errors []jsonrows.Row `json:"errors"` // rows of the table error_shares: functions that failed

	Functions []jsonrows.Row `json:"functions,omitempty"` // with --by function: rows of the table contributions
	Lifetimes []jsonrows.Row `json:"lifetimes,omitempty"` // asynchronous work that takes another time, with --by function all: rows of the table changes
	Queueing  []jsonrows.Row `json:"queueing,omitempty"`  // with --by function: what messages wait for the functions that receive them, rows of the same table
}

// rulesJSON are the rules of the verdicts.
type rulesJSON struct {
	Margin       float64  `json:"margin"`        // relative change that does not matter
	FloorNs      float64  `json:"floor_ns"`      // change per root execution that does not matter
	FDR          float64  `json:"fdr"`           // rate of false discoveries among verdicts
	CandidateFDR float64  `json:"candidate_fdr"` // the same among candidates
	Interval     float64  `json:"interval"`      // confidence level of the intervals
	MinRuns      int      `json:"min_runs"`      // runs per side that a verdict needs
	Components   []string `json:"components"`    // thresholds that users define for some: "lens_*: margin 10%"
	Paired       bool     `json:"paired"`        // runs of one block are compared with each other
}

// stratumJSON is runs with the same values of labels that vary within the sides.
type stratumJSON struct {
	Labels map[string]string `json:"labels"` // values by key
	Base   int               `json:"base"`   // runs
	Cand   int               `json:"cand"`   // runs of the candidate in it
}

// strataJSON lists the strata of a comparison.
func (c *Comparison) strataJSON() []stratumJSON {
	out := []stratumJSON{}
	for _, cell := range c.Strata.Cells {
		s := stratumJSON{make(map[string]string), cell.Base, cell.Cand}
		for i, label := range c.Strata.Labels {
			s.Labels[label] = cell.Values[i]
		}
		out = append(out, s)
	}
	return out
}

// exchangedJSON says what the rule claims with runs exchanged between the sides, where there is nothing to find.
type exchangedJSON struct {
	Exchanges int     `json:"exchanges"` // how many were compared
	Claims    float64 `json:"claims"`    // findings in one, on average
}

// exitJSON is the exit code with its reasons: a program need not run the command again to learn it.
type exitJSON struct {
	Code    int       `json:"code"`    // of the command: 0, or that of the gate
	FailOn  []string  `json:"fail_on"` // words of the gate
	Because []gateHit `json:"because"` // words that are met
}

// writeJSON writes the report for programs, in one line, so that the reports of many nights are one file of JSON lines.
func (r *Report) writeJSON(out io.Writer, top int) error {
	e := json.NewEncoder(out)
	e.SetEscapeHTML(false) // commands in Next are copied into a shell
	document := r.document(top)
	document.Queueing = jsonrows.ByColumn(r.queueing(), r.unknown()...) // pages have it among the changes
	return e.Encode(document)
}

// document is the report for programs, with at most so many changes.
func (r *Report) document(top int) *reportJSON {
	v := r.Rules
	document := &reportJSON{
		// Lists are copied without nil, so that JSON has [] where there is nothing.
		Comparison: r.ID, Base: r.Base, Cand: r.Cand, Noise: notNull(r.Noise), Method: MethodRuns,
		Rules:   rulesJSON{v.Margin, v.FloorNs, v.FDR, v.CandidateFDR, v.Level, verdicts.MinRuns, notNull(r.Thresholds), r.Blocks != nil},
		Verdict: strings.ReplaceAll(strings.ToLower(r.whole), " ", "_"), Summary: r.summary, Judged: r.enough,
		Exit: exitJSON{FailOn: notNull(r.Gate.Words), Because: notNull(r.hits)}, Means: r.means(),
		Findings: jsonrows.ByColumn(r.findings, r.unknown()...), Roots: jsonrows.ByColumn(r.roots, r.unknown()...), Counts: r.counts, Needed: r.needed,
		Changes: jsonrows.ByColumn(notable(r.changes, top), r.unknown()...), Next: notNull(r.nextSteps()),
		Strata: r.strataJSON(), Doubts: notNull(r.Strata.Doubts), Warnings: notNull(r.Strata.Warnings), Exchanged: exchangedJSON{r.Exchanges, r.Claims}, Defined: jsonrows.ByColumn(definedOf(r.changes), r.unknown()...),
		Errors: jsonrows.ByColumn(r.Errors), Examples: r.examples(), Paths: r.paths, Account: r.account,
	}
	document.Lifetimes = jsonrows.ByColumn(r.lifetimes(), r.unknown()...)
	if r.By == ByFunction {
		document.Functions = jsonrows.ByColumn(r.functionsByChange())
	}
	if r.Failed() {
		document.Exit.Code = r.Gate.ExitCode
	}
	return document
}

// unknown is the columns that have no value in this comparison. One run a side has no intervals, and a program must not read one where the text has
// none; the tables keep what the noise of all other subjects makes of it.
func (c *Comparison) unknown() []string {
	if c.noiseOfOthers() {
		return []string{"effect_lo_ns", "effect_hi_ns"}
	}
	return nil
}

// notNull returns a list that JSON writes as [] where it is empty, so that programs need no case for null. It is a copy.
func notNull[T any](list []T) []T { return append([]T{}, list...) }
