package verdict

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// effect is a verdict on a step, a fragment or a part of critical paths that follows from a finding. The set of all
// effects answers in one look-up what a scan of all changes would for every finding.
type effect struct {
	finding int64 // the number of the finding
	verdict string
}

// makesSlower reports whether a finding makes root executions slower: by its own verdict, or because something appeared
// or vanished, or is called more, that costs at least the floor, and what contains it regressed.
//
// A step that appeared cannot regress: the baseline has no time to compare it with. Its own cost alone is no evidence
// either, since it may replace another one. Only both together are: it costs time, and its caller takes longer.
// At least the floor per root execution, so that a cheap step that appeared is not blamed for what its caller does.
func (r *Report) makesSlower(f *schema.Finding) bool {
	return f.Verdict == schema.Regressed ||
		(isOneSided(f) || callsOtherwise(f)) && float64(f.EffectNs) >= r.Rules.FloorNs && r.effects[effect{f.Finding, schema.Regressed}]
}

// makesFaster reports whether a finding makes root executions faster, by the same rules.
func (r *Report) makesFaster(f *schema.Finding) bool {
	return f.Verdict == schema.Improved ||
		isOneSided(f) && float64(-f.EffectNs) >= r.Rules.FloorNs && r.effects[effect{f.Finding, schema.Improved}]
}

// causesOf returns the findings that have a verdict or give it to what contains them, by number. Numbers are given by
// effect, so the first is the greatest;
// only costs that moved between callees come after all others.
func (r *Report) causesOf(verdict string) []schema.Finding {
	switch verdict {
	case schema.Regressed:
		return r.findingsWhere(r.makesSlower)
	case schema.Improved:
		return r.findingsWhere(r.makesFaster)
	}
	return r.findingsWhere(func(f *schema.Finding) bool { return f.Verdict == verdict })
}

// callsOtherwise reports whether a finding is a caller with another number of calls. Where it calls less, root executions are shorter
// because something is left out, and nothing is faster.
func callsOtherwise(f *schema.Finding) bool {
	return f.Verdict == schema.CountChanged && f.Kind == schema.KindCalled
}

// isOneSided reports whether only one side does what a finding is about.
func isOneSided(f *schema.Finding) bool {
	return f.Verdict == schema.Appeared || f.Verdict == schema.Vanished
}

// withoutMinor returns the findings that are not small beside the greatest one.
func withoutMinor(list []schema.Finding) (major []schema.Finding) {
	for i := range list {
		if !list[i].Minor {
			major = append(major, list[i])
		}
	}
	return major
}

// delaying returns the findings that root executions wait for: what is never on a critical path makes none of them slower, and
// is no cause beside one that is. Where nothing else is found, all are returned: then they are what there is to say.
func delaying(list []schema.Finding) []schema.Finding {
	on := slices.DeleteFunc(slices.Clone(list), func(f schema.Finding) bool { return isOffPaths(f.CriticalBaseNs, f.CriticalCandNs) })
	if len(on) == 0 {
		return list
	}
	return on
}

// isOffPaths reports whether it is known of both sides that no critical path has any of it.
func isOffPaths(base, cand *int64) bool {
	return base != nil && cand != nil && *base == 0 && *cand == 0
}

// isJudged reports whether verdicts on a level count for the whole. Metrics and messages follow from steps: counting
// them, too, would count one cause twice. What users define counts, as they asked for it.
func isJudged(level string) bool {
	return level == schema.LevelTransition || level == schema.LevelFragment || level == schema.LevelCriticalPath || level == schema.LevelDefined
}

// isUnexplained reports whether a change has a verdict, counts for the whole, and follows from no finding. Steps that
// differ because of another one do not count: when one component is faster, those that wait for others wait longer.
func (r *Report) isUnexplained(c *schema.Change, verdict string) bool {
	if !isJudged(c.Level) || c.Verdict != verdict || c.Level == schema.LevelTransition && !isOwnTime(c) {
		return false
	}
	return c.Finding == nil || isOneSided(&r.findings[*c.Finding-1])
}

// isOwnTime reports whether a step differs by its own time, as far as is known. Behind an inserted or removed step, the
// time since the step before is not comparable.
func isOwnTime(c *schema.Change) bool {
	return !isInherited(c) && c.RootCause != samplechanges.OtherSteps
}

// isInherited reports whether a step differs because of another step.
func isInherited(c *schema.Change) bool {
	return strings.HasPrefix(c.RootCause, samplechanges.WaitsFor) || c.RootCause == samplechanges.EarlierStep
}

// functionalVerdicts are the verdicts on what is done, as opposed to how long it takes.
var functionalVerdicts = []string{schema.Appeared, schema.Vanished, schema.Moved, schema.CountChanged}

// isFunctional reports whether a change is one of what is done: a fragment or step that only one side has, that moved, or
// that is taken more or less often.
func isFunctional(c *schema.Change) bool {
	return (c.Level == schema.LevelTransition || c.Level == schema.LevelFragment) && samplechanges.Notable(c.Verdict) &&
		slices.Contains(functionalVerdicts, c.Verdict)
}

// behaviour is a change of what is done, with what it costs.
type behaviour struct {
	change *schema.Change // a fragment, or the step of one that costs most
	ns     int64          // what a root execution of the candidate spends more: of a step, in all steps of its fragment
	more   int            // further steps of the fragment that changed
}

// subject names what changed: that of the step, and how many more there are.
func (b *behaviour) subject(name string) string {
	if b.more > 0 {
		name += " and " + texttab.Plural(b.more, "more step")
	}
	return name
}

// functionalChanges returns the fragments that only one side has, that moved, or whose number changed, and those with steps of the kind, the
// most costly first. It leaves out those that only wait and those of findings that the text explains. Time before a step that is new passed
// before another one in the baseline, so that steps of a fragment are netted with all of its steps.
func (r *Report) functionalChanges() []behaviour {
	explained := make(map[int64]bool) // by number of the finding
	// What the text explains in full needs no row again.
	for _, f := range r.ordered[:min(explainedFindings, len(r.ordered))] {
		explained[f.Finding] = true
	}
	var list []behaviour
	at, net := make(map[string]int), make(map[string]int64) // by fragment
	for i := range r.changes {
		c := &r.changes[i]
		if c.Level == schema.LevelTransition && c.ImpactNs != 0 { // else the component waits, or there is nothing to net
			net[c.Fragment] += costChange(c)
		}
		known := c.Finding != nil && explained[*c.Finding]
		if !isFunctional(c) || isInherited(c) || known || c.Level == schema.LevelFragment && c.Verdict == schema.CountChanged {
			continue
		}
		if c.Level == schema.LevelFragment {
			list = append(list, behaviour{change: c, ns: costChange(c)})
			continue
		}
		k, there := at[c.Fragment]
		if !there {
			at[c.Fragment] = len(list)
			list = append(list, behaviour{change: c})
			continue
		}
		b := &list[k]
		if b.more++; magnitude(costChange(c)) > magnitude(costChange(b.change)) {
			b.change = c
		}
	}
	for i := range list {
		if b := &list[i]; b.change.Level == schema.LevelTransition {
			b.ns = net[b.change.Fragment]
		}
	}
	// By cost, which decides what a reader looks at first; ties keep the rank of the table.
	slices.SortStableFunc(list, func(a, b behaviour) int { return cmp.Compare(magnitude(b.ns), magnitude(a.ns)) })
	return list
}

// costChange returns how much more time a root execution of the candidate spends in a subject, in nanoseconds.
func costChange(c *schema.Change) int64 { return value(c.CostCandNs) - value(c.CostBaseNs) }

// pathChanges returns the parts of critical paths that changed by at least the floor, outside the functions of findings,
// by rank. A part in the function of a finding repeats that finding.
func (r *Report) pathChanges() (list []schema.Change) {
	known := make(map[string]bool)
	for i := range r.findings {
		known[place(&r.findings[i])] = true
	}
	for i := range r.changes {
		c := &r.changes[i]
		if c.Level == schema.LevelCriticalPath && samplechanges.Notable(c.Verdict) && !known[c.Component+"."+c.Function] &&
			magnitude(costChange(c)) >= int64(r.Rules.FloorNs) {
			list = append(list, *c)
		}
	}
	return list
}

// mostDelayedRoot returns the initial fragment that a finding delays most: the one on whose critical paths its function
// spends the most time. It is nil if the function is on no critical path. The greater of the two sides counts, because
// what vanished was on paths of the baseline only.
func (r *Report) mostDelayedRoot(f *schema.Finding) (root *schema.Change) {
	var most int64 // nanoseconds
	for i := range r.changes {
		c := &r.changes[i]
		if c.Level != schema.LevelCriticalPath || c.Component != f.Component || c.Function != f.Function {
			continue
		}
		// What vanished is on paths of the baseline, what appeared on paths of the candidate.
		ns := max(c.TotalCandNs, c.TotalBaseNs)
		if ns <= most {
			continue
		}
		for k := range r.roots {
			if r.roots[k].Fragment == c.Fragment {
				most, root = ns, &r.roots[k]
			}
		}
	}
	return root
}
