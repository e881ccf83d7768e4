package verdict

import (
	"fmt"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// place names the function to look at first: that of a finding, else its fragment, else its component. Not every finding
// has all three: a fragment may have changed as a whole. Messages are of an edge, whose reply the caller receives: its name alone
// would blame the caller.
func place(f *schema.Finding) string {
	switch {
	case f.Caller != "":
		return "edge " + f.Caller + " -> " + f.Callee
	case f.Function != "":
		return f.Component + "." + f.Function
	case f.Fragment != "":
		return f.Fragment
	}
	return f.Component
}

// kindWords follow the place, in the table of findings, where a finding is about something else than the own
// time of a step.
var kindWords = map[string]string{
	schema.KindTransit: ", latency of messages", schema.KindLateness: ", readiness", schema.KindDiffuse: ", many steps", schema.KindShape: ", distribution",
	schema.KindDivided: ", told apart",
}

// stepText names the step of a finding with its fragment.
func stepText(f *schema.Finding) string {
	switch {
	case f.Kind == schema.KindDivided:
		return f.Subject + " and what it is a part of on one side"
	case f.Level == schema.LevelFunction:
		return "own time of all calls of " + f.Subject
	case f.Fragment == "" || f.Fragment == f.Subject:
		return f.Subject
	}
	return f.Subject + " in " + f.Fragment
}

// happening is stepText as a sentence of people has it. Where a step names a finding whose figures are those of all calls of its function, both are said.
//
//	own time of all calls of Curl_poll, mostly where Curl_poll returns to lib in lib.Curl_poll from app
//	own time of all calls of operate, -12.9 us of it where write calls lib in tool.operate
func (r *Report) happening(f *schema.Finding) string {
	text := texttab.Happening(stepText(r.asWhole(f)))
	if step := r.naming[f.Finding]; step != nil {
		part := "mostly" // by estimates of their own, which need not add up
		if 2*magnitude(value(step.EffectNs)) < magnitude(f.EffectNs) {
			part = texttab.Change(value(step.EffectNs)) + " of it"
		}
		text += ", " + part + " where " + texttab.Happening(stepText(f))
	}
	return text
}

// asWhole returns a finding whose figures are those of all calls of a function as one about these, whichever step names it.
func (r *Report) asWhole(f *schema.Finding) *schema.Finding {
	if r.naming[f.Finding] == nil {
		return f
	}
	whole := *f
	whole.Level, whole.Subject, whole.Fragment = schema.LevelFunction, f.Function, ""
	return &whole
}

// stepsOfWholes returns the steps that name findings whose figures are those of all calls of their functions, by the numbers of the findings.
func stepsOfWholes(findings []schema.Finding, changes []schema.Change, ofSteps map[int64]bool) map[int64]*schema.Change {
	at, naming := make(map[int64]int64), make(map[int64]*schema.Change) // by rank
	for i := range findings {
		if f := &findings[i]; f.Level == schema.LevelTransition && !isOneSided(f) && !ofSteps[f.Finding] {
			at[f.Rank] = f.Finding
		}
	}
	for i := range changes {
		if n, named := at[changes[i].Rank]; named {
			naming[n] = &changes[i]
		}
	}
	return naming
}

// message is a finding in a line, with all of its figures.
//
//	server.search: regressed +1.63 ms (422 us -> 2.05 ms, 95 % interval +1.60 to +1.66 ms), q <0.001
func (r *Report) message(f *schema.Finding) string {
	figures := fromTo(texttab.Duration(f.BaseNs), texttab.Duration(f.CandNs))
	if interval := r.intervalText(f.EffectLoNs, f.EffectHiNs); interval != "" {
		figures += ", 95 % interval " + interval
	}
	text := fmt.Sprintf("%s: %s %s (%s)", place(f), Words(f.Verdict), texttab.Change(f.EffectNs), figures)
	if f.Q != nil {
		text += ", q " + qText(f.Q)
	}
	return text
}

// reason says in numbers where the difference of a finding comes from.
//
// Costs that moved between callees of one caller come first: for them the numbers of calls would mislead. What only one
// side does has no difference to split. The kinds of findings then say what the difference is one of.
func reason(f *schema.Finding) string {
	// 1. What only one side does, or what moved, before numbers of calls, which would mislead there.
	switch {
	case f.Kind == schema.KindDivided:
		return dividedText(f)
	case f.Verdict == schema.MovedCost && f.EffectNs > 0:
		return "moved here from " + f.MovedFrom + ": their caller is unchanged"
	case f.Verdict == schema.MovedCost:
		return "moved from here to " + f.MovedFrom + ": their caller is unchanged"
	case f.Verdict == schema.Appeared && f.Level == schema.LevelFunction:
		return "only the candidate has it: " + callsText(f.CountCand, f.CountCand) + besideText(f, "in the baseline") + counterpartText(f, "baseline") + handedText(f)
	case f.Verdict == schema.Vanished && f.Level == schema.LevelFunction:
		return "only the baseline has it: " + callsText(f.CountBase, f.CountBase) + besideText(f, "in the candidate") + counterpartText(f, "candidate") + handedText(f)
	case f.Verdict == schema.Appeared:
		return "only the candidate does it, " + timesText(f.CountCand)
	case f.Verdict == schema.Vanished:
		return "only the baseline does it, " + timesText(f.CountBase)
	}
	// 2. Kinds that are about something else than calls that take longer or are more.
	switch f.Kind {
	case schema.KindShape:
		return "its distribution changed and its level did not"
	case schema.KindTransit:
		return "latency of messages: " + breakdown(f)
	case schema.KindLateness:
		ready := "later"
		if f.EffectNs < 0 {
			ready = "earlier"
		}
		return "the receiver is ready " + ready + " because of its own work: " + breakdown(f)
	case schema.KindDiffuse:
		return "the fragment as a whole; no single step of it is shown to have changed"
	}
	// 3. Calls: how much by each being slower and how much by more of them.
	text := breakdown(f)
	if said := mixText(f); said != "" {
		text = said + ": " + text
	} else if said := statement(f); said != "" && text != "" && !contradicts(f) {
		text = said + ": " + text
	}
	if f.MovedFrom != "" {
		text += ", in the place of " + f.MovedFrom
	}
	return text + withinText(f) + handedText(f)
}

// handedText names the function whose change belongs to that of a finding, and what both come to.
//
//	; src_config2setopts_c.config2setopts, which only the candidate has, makes calls there that it makes itself in the baseline: net -13.6 us
func handedText(f *schema.Finding) string {
	if f.Handed == "" {
		return ""
	}
	// The other half of what is slower, or new, is on the baseline alone, or was slower there.
	side, other := "candidate", "baseline"
	if f.Verdict == schema.Vanished || f.Verdict != schema.Appeared && f.EffectNs > 0 {
		side, other = other, side
	}
	net := texttab.Change(value(f.HandedNetNs))
	switch {
	case f.HandedBy == schema.HandedByUnseen && side == "candidate":
		return fmt.Sprintf("; %s of the same component is called less often instead, and may be called unseen by what is new there: it and all that is new there together %s", f.Handed, net)
	case f.HandedBy == schema.HandedByUnseen:
		return fmt.Sprintf("; %s of the same component is called more often instead, and may have been called unseen by what is gone there: it and all that is gone there together %s", f.Handed, net)
	case f.Verdict == schema.Appeared || f.Verdict == schema.Vanished:
		return fmt.Sprintf("; it makes calls that %s makes itself in the %s: net of both %s", f.Handed, other, net)
	}
	return fmt.Sprintf("; %s, which only the %s has, makes calls there that it makes itself in the %s: net of both %s", f.Handed, side, other, net)
}

// dividedText says that a function is traced apart on one side only, so that what it takes there the others seem to save.
//
//	1,372 calls that only the candidate shows: they were a part of lib.f and lib.g; together 246 us -> 235 us
func dividedText(f *schema.Finding) string {
	shown := ""
	if f.Verdict == schema.MovedCost {
		shown = ", which does not show a difference"
	}
	// One side has calls of it and the other has none, which shows the side that tells it apart.
	side, where, calls := "candidate", "in the baseline they are a part of ", f.CountCand
	if f.CountBase > 0 {
		side, where, calls = "baseline", "in the candidate they are a part of ", f.CountBase
	}
	return callsText(calls, calls) + " that only the " + side + " shows: " + where + namesText(schema.SplitNames(f.MovedFrom)) +
		", since calls within a component may not be traced; all of them together " + fromTo(texttab.Duration(f.BaseNs), texttab.Duration(f.CandNs)) + shown
}

// namesText names the first two of several functions, as SplitNames gives them.
func namesText(names []string) string {
	if len(names) > 1 {
		names = names[:len(names)-1] // the last one is the text itself
	}
	if len(names) > 2 {
		return fmt.Sprintf("%s, %s and %d more", names[0], names[1], len(names)-2)
	}
	return schema.JoinNames(names)
}

// besideText names what lay in the same component as a function on the side that does not have it, and calls it from elsewhere on the
// other: then it need not be new, and what takes its time may be there under their names. It names two of more.
func besideText(f *schema.Finding, side string) string {
	names := schema.SplitNames(f.MovedFrom)
	if len(names) == 0 {
		return ""
	}
	return fmt.Sprintf("; %s it lay in one component with %s, where calls within a component may not be traced", side, namesText(names))
}

// counterpartText names the function of the other side that may do the same as one that only one side has, and what both come to.
func counterpartText(f *schema.Finding, side string) string {
	if f.Counterpart == "" {
		return ""
	}
	return fmt.Sprintf("; %s, which only the %s has in the same component, is called as often and may do the same: net %s",
		f.Counterpart, side, texttab.Change(value(f.CounterpartNetNs)))
}

// breakdown splits a difference into calls that take longer and calls that are more, in effects per root execution that add up to that of the finding. A part
// below a hundredth of the other is left out. Where most of the difference is of calls that are gone or new, the others are what is left.
//
//	+18.1 ms by slower calls, +2.00 ms by more calls (4 -> 5 calls)
//	-63.0 us by fewer calls (51 -> 11 calls), +9.23 us by the others
func breakdown(f *schema.Finding) string {
	negligible := max(magnitude(f.SlowerNs), magnitude(f.CalledNs)) / 100 // nanoseconds
	var parts []string
	part := func(ns int64, positive, negative string) {
		switch {
		case magnitude(ns) <= negligible:
		case ns < 0:
			parts = append(parts, texttab.Change(ns)+" by "+negative)
		default:
			parts = append(parts, texttab.Change(ns)+" by "+positive)
		}
	}
	calls := " (" + callsText(f.CountBase, f.CountCand) + callersText(f) + ")"
	switch {
	case isOfCalls(f) && magnitude(f.SlowerNs) > negligible:
		part(f.CalledNs, "more calls"+calls, "fewer calls"+calls)
		part(f.SlowerNs, "the others", "the others")
		return strings.Join(parts, ", ")
	case float64(f.CalledNs)*(f.CountCand-f.CountBase) < 0:
		// Calls of several kinds, of which the dear ones became more and the others fewer: "by more calls (4 -> 3 calls)" would be nonsense.
		part(f.SlowerNs+f.CalledNs, "other calls", "other calls")
	default:
		part(f.SlowerNs, "slower calls", "faster calls")
		part(f.CalledNs, "more calls", "fewer calls")
	}
	if len(parts) > 0 {
		parts[len(parts)-1] += calls
	}
	return strings.Join(parts, ", ")
}

// isOfCalls reports whether a difference is that of calls that are gone or new, for which the others make up in part.
func isOfCalls(f *schema.Finding) bool {
	return float64(f.CalledNs)*(f.CountCand-f.CountBase) > 0 && (f.CalledNs < 0) == (f.SlowerNs > 0) && magnitude(f.CalledNs) > magnitude(f.SlowerNs)
}

// The rules of what is said of a mix of calls.
const (
	farFewer = 2   // times as many calls as on the other side, at least
	unlike   = 1.1 // ratio from which on a call takes longer or less long on average
)

// mixText says that short calls are gone, or new, by which a call takes longer, or less long, on average, though none of those that both
// sides have need be slower; "" where calls are not far fewer or more, or where those that are gone were like the others.
//
//	its short calls are gone, so that a call takes 2.29 us -> 5.73 us on average
func mixText(f *schema.Finding) string {
	few, many, each := f.CountCand, f.CountBase, float64(f.CandNs)/f.CountCand
	which, ofMany := "gone", float64(f.BaseNs)/f.CountBase
	if few > many {
		few, many, which, each, ofMany = many, few, "new", ofMany, each
	}
	if !(few > 0) || many < farFewer*few || each < unlike*ofMany || magnitude(f.CalledNs) <= magnitude(f.SlowerNs) {
		return ""
	}
	if apart := float64(magnitude(f.CalledNs)) / (many - few); apart >= ofMany {
		return ""
	}
	return fmt.Sprintf("its short calls are %s, so that a call takes %s on average", which,
		fromTo(texttab.Duration(stats.RoundNs(float64(f.BaseNs)/f.CountBase)), texttab.Duration(stats.RoundNs(float64(f.CandNs)/f.CountCand))))
}

// callersText names the component whose calls are fewer or more, of a function that several call; "" where their number matters little.
//
//	, from src_tool_setopt_c 36 -> 0
func callersText(f *schema.Finding) string {
	if f.CallsFrom == "" || f.CallsFromBase == nil || f.CallsFromCand == nil || f.CountBase == f.CountCand || !callsMatter(f) {
		return ""
	}
	return ", from " + f.CallsFrom + " " + fromTo(rate(*f.CallsFromBase), rate(*f.CallsFromCand))
}

// callsMatter reports whether the number of calls makes a quarter of a difference.
func callsMatter(f *schema.Finding) bool { return 4*magnitude(f.CalledNs) >= magnitude(f.EffectNs) }

// withinText names functions that may make calls which are not seen, of a function that is called less; "" where none are known, or where
// the number of calls matters little.
func withinText(f *schema.Finding) string {
	names := schema.SplitNames(f.CallsWithin)
	if len(names) == 0 || !callsMatter(f) {
		return ""
	}
	side := "candidate"
	if f.CountCand > f.CountBase {
		side = "baseline"
	}
	return fmt.Sprintf("; %s, which only the %s has in the same component, may call it unseen", namesText(names), side)
}

// rate writes a mean, such as how often something happens per root execution, with at most three digits unless it is a whole number.
func rate(n float64) string {
	if n == float64(int64(n)) {
		return texttab.Count(int64(n))
	}
	return fmt.Sprintf("%.3g", n)
}

// callsText writes how many calls a root execution makes on either side: "2.5 -> 2 calls".
func callsText(base, cand float64) string {
	text := fromTo(rate(base), rate(cand))
	if text == "1" {
		return "1 call"
	}
	return text + " calls"
}

// timesText writes how often something happens per root execution as an adverb.
func timesText(n float64) string {
	if n == 1 {
		return "once"
	}
	return rate(n) + " times"
}

// criticalText says how much time the function of a finding spends on critical paths of initial fragments, per run. A
// function that is slower and never on a critical path delays nothing that a user waits for.
func criticalText(f *schema.Finding) string {
	switch {
	case f.CriticalBaseNs == nil && f.CriticalCandNs == nil:
		return "whether it is on critical paths is unknown"
	case value(f.CriticalBaseNs) == 0 && value(f.CriticalCandNs) == 0:
		return "never on a critical path"
	}
	// Time that is 0 in the candidate has no arrow into a number: it is never on a path any more.
	base, cand := criticalTime(f.CriticalBaseNs), criticalTime(f.CriticalCandNs)
	if value(f.CriticalCandNs) == 0 {
		return "on critical paths " + base + " per run -> " + cand
	}
	return "on critical paths " + fromTo(base, cand) + " per run"
}

// criticalTime writes the time on critical paths in words where there is none, or where the trace does not show it.
func criticalTime(ns *int64) string {
	switch {
	case ns == nil:
		return "unknown"
	case *ns == 0:
		return "never"
	}
	return texttab.Duration(*ns)
}

// inheritedText says how many changes follow from a finding, and in which callers. The chain of callers begins with the
// fragment of the finding itself, which is left out.
//
//	9 changes follow from it: b.g < c.h < ... < e.j
func inheritedText(f *schema.Finding) string {
	// InheritedAt is a chain from the finding outwards, with " < " between callers.
	_, callers, isCalled := strings.Cut(f.InheritedAt, " < ")
	callers = shortChain(callers)
	switch {
	case f.Inherited == 0 && isCalled:
		return "no other change follows from it; called by " + callers
	case f.Inherited == 0:
		return "no other change follows from it"
	}
	text := texttab.Count(f.Inherited) + " changes follow from it"
	if f.Inherited == 1 {
		text = "1 change follows from it"
	}
	if isCalled {
		text += ": " + callers
	}
	return text
}

// shortChain shortens a chain of callers to the two nearest and the outermost.
func shortChain(chain string) string {
	const nearest = 2
	names := strings.Split(chain, " < ")
	if last := len(names) - 1; last > nearest {
		outermost := names[last]
		if names = append(names[:nearest:nearest], "..."); outermost != "..." {
			names = append(names, outermost)
		}
	}
	return strings.Join(names, " < ")
}

// shareText writes which share of the whole difference a finding explains; "" where that is not known. A negative
// share makes up for others, so that several may add up to more than 100 %.
func shareText(f *schema.Finding) string {
	if f.Share == nil {
		return ""
	}
	// Below one percent the sign says no more than the number.
	x := 100 * *f.Share
	if x < 1 && x > -1 {
		return "<1 %"
	}
	return fmt.Sprintf("%.0f %%", x)
}

// qText writes a p-value that is adjusted for the number of tests (Benjamini and Hochberg); "" for none. Three decimals
// do: the estimate of a smaller one is not that good.
func qText(q *float64) string {
	switch {
	case q == nil:
		return ""
	case *q < .001:
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", *q)
}
