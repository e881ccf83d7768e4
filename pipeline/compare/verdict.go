package compare

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// byRuns is the name of the method that compares runs with runs, beside those of package sampletests.
const byRuns = "runs"

// judgeByRuns compares runs with runs, and keeps the estimates of every subject, of which the first has the position before among all.
// With ByRuns its verdicts stand in the changes, else only its figures.
func (j *comparison) judgeByRuns(subjects []Subject, sides verdicts.Sides, keep *estimates, before int) {
	reducer := verdicts.NewReducer(sides, j.Verdicts)
	var reduced []*verdicts.Reduction
	var at []int
	for i := range subjects {
		if s := &subjects[i]; s.isKnown() {
			s.reduced = s.reduction(reducer)
			reduced, at = append(reduced, s.reduced), append(at, i)
		}
	}
	verdicts.EachReduced(reduced, sides, j.Verdicts, func(i int, v *verdicts.Judgement) {
		s := &subjects[at[i]]
		s.forgetMoments()
		reduced[i] = nil
		j.apply(v, s, &sides)
		keep.put(before+at[i], v.Estimates)
	})
}

// apply writes a judgement into the row of its subject.
func (j *comparison) apply(v *verdicts.Judgement, s *Subject, sides *verdicts.Sides) {
	fill(&s.Change, v)
	if j.ByRuns {
		decide(s, v, sides)
		if j.OmitsShort {
			s.withdraw()
		}
		s.impact()
	}
}

// forgetMoments drops what a reduction was judged by, once it is: it is most of its memory. The reduction may be one of observations
// that are judged again, which keep it.
func (s *Subject) forgetMoments() {
	rest := *s.reduced
	rest.Moments = nil
	s.reduced = &rest
}

// withdraw takes back what rests on which steps a run has, where recorders left out short calls: that a step or a part of critical paths
// appeared, vanished or is taken otherwise often, and, of too few runs for a test, that it stands out, as its neighbours were others.
func (s *Subject) withdraw() {
	byPresence := []string{schema.Appeared, schema.Vanished, schema.CountChanged, schema.Candidate}
	levels := []string{schema.LevelTransition, schema.LevelCriticalPath}
	if c := &s.Change; slices.Contains(levels, c.Level) && slices.Contains(byPresence, c.Verdict) {
		c.Verdict, c.Detected, c.RootCause = schema.Undetermined, false, ""
	}
}

// impact fills in the time that a run spends in a step on average, and its change where the component does not wait
// in it.
func (s *Subject) impact() {
	if c := &s.Change; c.Level == schema.LevelTransition {
		c.StepBaseNs, c.StepCandNs = stats.OptionalNs(s.reduced.TotalBase), stats.OptionalNs(s.reduced.TotalCand)
		if s.Awaited == "" {
			c.ImpactNs = *c.StepCandNs - *c.StepBaseNs
		}
	}
}

// conclude ranks what was found and puts it down to root causes, which mark the changes. What only has other names because a function
// moved becomes one row then: root causes need what each of its names costs.
func (j *comparison) conclude(o *Observations, r *Result) {
	r.ranked, r.positions = o.rank()
	r.Findings = j.findings(o)
	pairs := o.fold()
	o.countInherited(r.Findings)
	if len(pairs) == 0 {
		return
	}
	before := r.ranked
	r.ranked, r.positions = o.rank()
	for _, f := range pairs {
		o.Subjects[f.base].Change.Rank = o.Subjects[f.cand].Change.Rank
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Rank > 0 {
			f.Rank = before[f.Rank-1].Rank
		}
	}
}

// eachChange hands out the changes by rank: an iter.Seq.
func (r *Result) eachChange(yield func(schema.Change) bool) {
	for _, c := range r.ranked {
		if !yield(*c) {
			return
		}
	}
}

// copied is the result with its changes apart from the subjects, for whoever keeps it longer than these.
func (r *Result) copied() *Result {
	r.Changes = slices.AppendSeq(make([]schema.Change, 0, len(r.ranked)), r.eachChange)
	r.ranked, r.positions = nil, nil
	return r
}

// fill fills in the figures of runs compared with runs: effect, interval, costs and p-values.
func fill(c *schema.Change, v *verdicts.Judgement) {
	c.EffectNs, c.EffectLoNs, c.EffectHiNs = stats.OptionalNs(v.EffectNs), stats.OptionalNs(v.LoNs), stats.OptionalNs(v.HiNs)
	c.CostBaseNs, c.CostCandNs = stats.OptionalNs(v.BaseNs), stats.OptionalNs(v.CandNs)
	counts := [...]float64{v.CountBase, v.CountCand} // a pointer into the judgement would keep all of it
	c.CountBase, c.CountCand = &counts[0], &counts[1]
	c.Quantity = v.Quantity
	c.P, c.Q, c.EquivalenceP = known(v.P), known(v.Q), known(v.EquivalenceP)
	if v.RunsNeeded > 0 {
		n := int64(v.RunsNeeded)
		c.RunsNeeded = &n
	}
}

// known is a number, or nil where there is none.
func known(x float64) *float64 {
	if math.IsNaN(x) {
		return nil
	}
	return &x
}

// decide replaces the verdict of the samples by that of the runs. A fragment that moved has moved, whatever its time does, where all
// runs have it: what a few runs do may by chance be another component's doing in others.
func decide(s *Subject, v *verdicts.Judgement, sides *verdicts.Sides) {
	c := &s.Change
	moved := c.Verdict == schema.Moved && s.reduced.TakenBase == len(sides.Base) && s.reduced.TakenCand == len(sides.Cand)
	c.Method, c.Verdict, c.RootCause = byRuns, v.Verdict, ""
	switch c.Level {
	case schema.LevelMetric:
		c.Verdict = verdicts.OfMetric(c.Metric, v.Verdict)
	case schema.LevelLifetime:
		c.Verdict = verdicts.OfLifetime(v.Verdict)
	}
	c.Detected = samplechanges.Notable(v.Verdict)
	if moved {
		c.Verdict = schema.Moved
	}
	switch {
	case c.Detected && c.Quantity == schema.QuantityArrival:
		c.RootCause = samplechanges.EarlierStep
	case c.Level == schema.LevelTransition && c.Detected:
		c.RootCause = samplechanges.CauseOf(s.Awaited, s.behind)
	}
}
