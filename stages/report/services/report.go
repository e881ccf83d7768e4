// Package services reports which services are at fault for what changed between two sets of requests, with a request as
// an example of every change.
package services

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/services"
	"github.com/tracelake/tracelake/stages/change/strata"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// Report is a ranking with the names of what it ranks.
type Report struct {
	Base, Cand []Part           // the sides; requests have the positions of theirs in Runs
	Rules      services.Options // of the ranking, which the text states
	Top        int              // services that the text has
	About      strata.Strata    // what makes the recordings doubtful
	Columns    int              // of the terminal that a text is written to; 0: of none

	*services.Ranking
	names     *schema.Names      // of components and functions, by the codes in requests and reasons
	baseCount int                // requests of the baseline
	requests  []services.Request // of the candidate
	traces    []map[int64]string // by run: ids of traces by the executions of their roots
}

// Part is a run, or a window of one.
type Part struct {
	Run  string
	Name string // the run, and the window behind a comma
}

// namesOf are the names of parts.
func namesOf(parts []Part) []string {
	out := make([]string, len(parts))
	for i := range parts {
		out[i] = parts[i].Name
	}
	return out
}

// countRuns counts the runs of a side, of which several parts are one.
func countRuns(parts []Part) int {
	names := make(map[string]bool)
	for i := range parts {
		names[parts[i].Run] = true
	}
	return len(names)
}

// Runs are the names of the runs of all parts, those of the baseline first.
func (r *Report) Runs() []string {
	var out []string
	for _, part := range slices.Concat(r.Base, r.Cand) {
		out = append(out, part.Run)
	}
	return out
}

// Rank ranks the services of requests, those of the baseline's runs first.
func (r *Report) Rank(requests []services.Request, names *schema.Names) {
	r.baseCount = len(requests)
	// Requests come run by run: the first one of a candidate run ends the baseline.
	if first := slices.IndexFunc(requests, func(q services.Request) bool { return int(q.Run) >= len(r.Base) }); first >= 0 {
		r.baseCount = first
	}
	r.names, r.requests = names, requests[r.baseCount:]
	r.Ranking = services.Rank(requests[:r.baseCount], r.requests, r.Rules)
}

// NameTraces looks up the ids of the traces of the requests that are named as examples, run by run; a request that has none goes without.
func (r *Report) NameTraces(find func(run string, roots map[int64]bool) (map[int64]string, error)) error {
	roots := make([]map[int64]bool, len(r.Runs()))
	for i := range r.Services {
		for k := range r.Services[i].Reasons {
			q := &r.requests[r.Services[i].Reasons[k].Example]
			if roots[q.Run] == nil {
				roots[q.Run] = make(map[int64]bool)
			}
			roots[q.Run][q.Seq] = true
		}
	}
	r.traces = make([]map[int64]string, len(roots))
	for i, run := range r.Runs() {
		if roots[i] == nil {
			continue
		}
		ids, err := find(run, roots[i])
		if err != nil {
			return err
		}
		r.traces[i] = ids
	}
	return nil
}

// traceOf is the id of the trace of a request, "" where it is not known.
func (r *Report) traceOf(q *services.Request) string {
	if r.traces == nil {
		return ""
	}
	return r.traces[q.Run][q.Seq]
}

// ParseGate splits a list of verdicts with commas between and checks that a ranking gives them. What regressed also changed, as in
// other comparisons.
func ParseGate(list string) (verdicts []string, err error) {
	if list == "" {
		return nil, nil
	}
	for word := range strings.SplitSeq(list, ",") {
		word = strings.TrimSpace(word)
		if !slices.Contains(services.Verdicts, word) {
			return nil, fmt.Errorf("%q is no verdict of a ranking: %s", word, strings.Join(services.Verdicts, ", "))
		}
		// The word stays as it was written; what is added makes changed stop at regressed as well.
		if verdicts = append(verdicts, word); word == services.Changed {
			verdicts = append(verdicts, services.Regressed)
		}
	}
	return verdicts, nil
}

// Found reports whether a service has one of some verdicts.
func (r *Report) Found(verdicts []string) bool {
	return slices.ContainsFunc(r.Services, func(s services.Service) bool { return slices.Contains(verdicts, s.Verdict) })
}

// reasonsShown is the number of reasons that the text has of a service.
const reasonsShown = 3

// WriteText writes the report for people.
func (r *Report) WriteText(out io.Writer) error {
	fmt.Fprintf(out, "Services by how likely they are at fault: %s of %s against %s of %s\n", texttab.Plural(len(r.requests), "request"),
		texttab.Plural(countRuns(r.Cand), "candidate run"), texttab.Count(r.baseCount), texttab.Plural(countRuns(r.Base), "baseline run"))
	width := lineWidth
	if r.Columns > 0 {
		width = min(r.Columns, lineWidth)
	}
	if len(r.About.Doubts) > 0 {
		fmt.Fprintf(out, "\n%s\n", texttab.Wrap("Take care: "+strings.Join(r.About.Doubts, "; ")+"; see the notes below.", width, ""))
	}
	// Services are sorted by their score; what is cut is the least likely.
	shown := min(r.Top, len(r.Services))
	for i := range r.Services[:shown] {
		r.writeService(out, i)
	}
	if more := len(r.Services) - shown; more > 0 {
		fmt.Fprintf(out, "\n%s with --top or --format json\n", texttab.Plural(more, "more service"))
	}
	for _, text := range append([]string{r.rulesText()}, r.About.Warnings...) {
		if _, err := fmt.Fprintf(out, "\n%s\n", texttab.Wrap(text, width, "")); err != nil {
			return err
		}
	}
	return nil
}

// lineWidth is the width of wrapped text.
const lineWidth = 100

// rulesText says what a verdict rests on, and where nothing was found, why.
// With no question asked, "nothing found" would sound like good news.
func (r *Report) rulesText() string {
	if r.Asked == 0 {
		return "Nothing could be asked: both sides need two requests of one kind, which have the same root operation and the same first call to another service."
	}
	text := fmt.Sprintf("%s asked of requests of one kind. A change counts from p < %g and %s on; regressed and changed mean shown to be more than %s, which services drift without a fault, at a false discovery rate of %s.",
		texttab.Plural(r.Asked, "question"), r.Rules.MaxP, texttab.Duration(int64(r.FloorNs)), texttab.Share(r.Rules.Drift), texttab.Share(r.Rules.FDR))
	if slices.ContainsFunc(r.Services, func(s services.Service) bool { return s.Verdict == services.Weak }) {
		text += fmt.Sprintf(" Weak ones count from p < %g, as chance alone makes some: they stand behind all others.", r.Rules.WeakP)
	}
	if len(r.Services) == 0 {
		text = "No service is slower, fails more often or calls otherwise. " + text
	}
	return text
}

// writeService writes a service with its greatest changes.
func (r *Report) writeService(out io.Writer, i int) {
	s := &r.Services[i]
	fmt.Fprintf(out, "\n%d. %s  %s\n", i+1, texttab.Printable(r.names.Components.Name(s.Component)), s.Verdict)
	for k := range s.Reasons[:min(reasonsShown, len(s.Reasons))] {
		why := &s.Reasons[k]
		fmt.Fprintf(out, "   %s\n      %s\n", texttab.Printable(r.sentence(why)), texttab.Printable(r.evidence(why)))
	}
	if more := len(s.Reasons) - reasonsShown; more > 0 {
		fmt.Fprintf(out, "   %s with --format json\n", texttab.Plural(more, "more change"))
	}
}

// sentence says what changed.
func (r *Report) sentence(why *services.Reason) string {
	component, peer := r.names.Components.Name(why.Component), r.names.Components.Name(why.Peer)
	operation := component + "." + r.names.Functions.Name(why.Function)
	// Own time, edges and errors say what takes how long; what is left are numbers of calls.
	switch why.Kind {
	case services.Own:
		return fmt.Sprintf("%s takes %s by itself, was %s (%s)", operation, duration(why.Cand), duration(why.Base), change(why))
	case services.Edge:
		return r.edgeSentence(why, component, peer)
	case services.Errors:
		return fmt.Sprintf("%s fails in %s of its calls, was %s", operation, texttab.Share(round(why.Cand)), texttab.Share(round(why.Base)))
	}
	text := fmt.Sprintf("%s makes %.3g calls, were %.3g", operation, why.Cand, why.Base)
	if why.Peer != schema.NoCode {
		text += "; more of its executions end after calling " + peer
	}
	return text
}

// edgeSentence says how calls between services changed.
func (r *Report) edgeSentence(why *services.Reason, component, peer string) string {
	// An edge without a peer stands for all calls of a service, where none of them explains the change alone.
	if why.Peer == schema.NoCode {
		return fmt.Sprintf("all its calls to other services are slower: the median one takes %s beside the callee, was %s (%s)", duration(why.Cand), duration(why.Base), change(why))
	}
	text := fmt.Sprintf("edge %s -> %s: calls take %s beside the callee, were %s (%s)", component, peer, duration(why.Cand), duration(why.Base), change(why))
	if why.Shared > 0 {
		text += fmt.Sprintf("; %s of it as all calls of %s", duration(why.Shared), component)
	}
	return text
}

// evidence says how sure a change is, and names a request that shows it.
// The example is the request that shows the change most; its name is an argument of critical-path.
func (r *Report) evidence(why *services.Reason) string {
	q := &r.requests[why.Example]
	trace := r.traceOf(q)
	if trace != "" {
		trace = ", trace " + trace
	}
	return fmt.Sprintf("%s, in %d of %d requests, %d before, %s; see %s of run %s%s: %s", why.Verdict, why.Requests[1], len(r.requests), why.Requests[0],
		probability(why.P), r.requestName(q), r.Runs()[q.Run], trace, texttab.Duration(q.DurationNs()))
}

// probability writes a p-value; what is below a millionth is not known better.
func probability(p float64) string {
	if p < 1e-6 {
		return "p < 1e-06"
	}
	return fmt.Sprintf("p %.1g", p)
}

// requestName names the root of a request as the commands on executions take it.
func (r *Report) requestName(q *services.Request) string {
	root := &q.Spans[0]
	return fmt.Sprintf("%s.%s#%d", r.names.Components.Name(root.Component), r.names.Functions.Name(root.Function), q.Root)
}

// duration writes ns without their fraction.
func duration(ns float64) string { return texttab.Duration(int64(math.Round(ns))) }

// change is the difference of the means of a time.
func change(why *services.Reason) string {
	return texttab.Change(int64(math.Round(why.Cand - why.Base)))
}

// round keeps a tenth of a percent of a share.
func round(share float64) float64 { return math.Round(share*1000) / 1000 }
