// Package samplechanges says what changed between the time samples of baseline runs and of candidate runs:
// one row for every step of a service fragment that both have, for every timing metric, and for every
// service fragment that only one side has (Hilbig 2023, sections 3.3 to 3.5).
//
// The paper finds changed samples and leaves it to the reader where they come from. Samples since the
// start of the fragment (the normalisation it recommends) carry a delay on to every later step, and to
// every caller. So each step is also judged by its own time, the time since the event before it:
//
//	own time        that time changed, and the component did not wait for a message in it
//	waits for P.f   that time changed, and the component spent it waiting for P to do f
//	earlier step    only the time since the start changed
//	other steps     that time changed, but it begins with an event that the other side does not have: right
//	                behind a functional change it says how the time is divided, and not who took it
//
// and rows are ranked by how much time the step itself gained or lost per run, so that the place where a
// delay arises stands before the places that it reaches. These are judgements on samples, not on
// releases: see package sampletests.
package samplechanges

import (
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
)

// Options are how to judge.
type Options struct {
	Thresholds    sampletests.Options // when a method fires
	Method        sampletests.Method  // the one whose answer is the verdict
	Normalisation string              // of transitions: a schema.Norm constant, or the name of a definition
	// Detector, if there is one, decides in the place of the method, which is its name.
	Detector    *sampletests.Expression `json:",omitempty"`
	SamplesOnly bool                    // the time of a step itself, and the cause, are told by others: Side.StepNs is not read
}

// detects reports whether the method or the detector to go by says that the samples differ.
func (o *Options) detects(r *sampletests.Result, m sampletests.Method) bool {
	if o.Detector != nil && m == o.Method {
		return o.Detector.Holds(r)
	}
	return r.Detected(m)
}

// Side is one side's samples of a subject. A judge sorts them where they are.
type Side struct {
	Values []int64 // in the normalisation to judge by
	StepNs []int64 // of a transition: the time since the event before it
	Runs   int     // how many runs they are from, those without samples included
	Behind bool    // of a transition: most events right before it are of steps that the other side does not take
}

// Subject is what a change is about; its other fields are left to Compare.
type Subject = schema.Change

// Judge judges many subjects by the same options. It is not safe for concurrent use.
type Judge struct {
	Options
	detector sampletests.Detector
	// Components have thresholds of their own, in place of Options.Thresholds.
	Components map[string]sampletests.Options
}

// Share makes the judge take the weights of quantiles from an estimator that other judges use, too.
func (j *Judge) Share(weights *stats.Estimator) { j.detector.Weights = weights }

// NewJudge returns a judge.
func NewJudge(o Options) *Judge {
	return &Judge{Options: o, detector: sampletests.Detector{Options: o.Thresholds}}
}

// Compare judges one subject. Awaited is whom the component waits for in a step (see Awaited), or "".
func (j *Judge) Compare(of Subject, base, cand Side, awaited string) schema.Change {
	c, r := j.measure(of, base, cand)
	j.decide(&c, &r, j.Method)
	c.Verdict = verdict(&c, r)
	if c.Level == schema.LevelTransition && !j.SamplesOnly {
		j.attribute(&c, base, cand, awaited)
	}
	return c
}

// measure fills in the figures of both sides and what the tests found.
func (j *Judge) measure(of Subject, base, cand Side) (schema.Change, sampletests.Result) {
	c := of
	c.TotalBaseNs, c.TotalCandNs = sampletests.SumOf(base.Values).Int64(), sampletests.SumOf(cand.Values).Int64()
	j.detector.Options = j.thresholds(c.Component)
	left, right := sampletests.TakeSample(base.Values).PerRun(base.Runs), sampletests.TakeSample(cand.Values).PerRun(cand.Runs)
	r := j.detector.Compare(left, right)
	c.NBase, c.NCand = int64(r.LeftN), int64(r.RightN)
	c.RunsBase, c.RunsCand = int64(base.Runs), int64(cand.Runs)
	c.AbsNs = stats.RoundNs(right.Sum().Float64() - left.Sum().Float64())
	j.describe(&c, left, right)
	if r.LeftN > 0 && r.RightN > 0 {
		test(&c, r)
	}
	return c, r
}

// thresholds are those of a component.
func (j *Judge) thresholds(component string) sampletests.Options {
	if own, has := j.Components[component]; has {
		return own
	}
	return j.Thresholds
}

// decide fills in which methods see a change, and what the method to go by says.
func (j *Judge) decide(c *schema.Change, r *sampletests.Result, m sampletests.Method) {
	f := r.Fired
	c.FiredAbs, c.FiredRel, c.FiredKs, c.FiredMwu, c.FiredShift, c.FiredDyn = f.ABS, f.REL, f.KS, f.MWU, f.SHIFT, f.DYN
	c.Method, c.Detected = string(m), j.detects(r, m)
}

// describe fills in the quantiles of both sides: Harrell-Davis estimates for the quartiles, as the paper has them.
func (j *Judge) describe(c *schema.Change, left, right sampletests.Sample) {
	c.MinBaseNs, c.Q25BaseNs, c.MedianBaseNs, c.Q75BaseNs, c.MaxBaseNs, c.MeanBaseNs = j.summary(left)
	c.MinCandNs, c.Q25CandNs, c.MedianCandNs, c.Q75CandNs, c.MaxCandNs, c.MeanCandNs = j.summary(right)
}

func (j *Judge) summary(s sampletests.Sample) (least, q25, median, q75, most, mean *int64) {
	n := s.N()
	if n == 0 {
		return
	}
	values := s.Sorted()
	first, last := values[0], values[n-1] // copies: a pointer into the samples would keep all of them in memory with the change
	at := func(x float64) *int64 { v := stats.RoundNs(x); return &v }
	lower, middle, upper := j.detector.Quartiles(s)
	return &first, at(lower), at(middle), at(upper), &last, at(stats.Mean(values))
}

// test fills in the statistics.
func test(c *schema.Change, r sampletests.Result) {
	if r.LeftSum.Float64() != 0 {
		ratio := r.RightSum.Float64() / r.LeftSum.Float64()
		c.Ratio = &ratio
	}
	c.KsD, c.KsP, c.MwuU, c.MwuP, c.CliffsDelta = &r.KS.D, &r.KS.P, &r.MWU.U, &r.MWU.P, &r.Delta
	shift := stats.RoundNs(r.ShiftNs)
	c.HlShiftNs = &shift
	switch {
	case r.ShiftUp && !r.ShiftDown:
		c.Shift = "up"
	case r.ShiftDown && !r.ShiftUp:
		c.Shift = "down"
	}
}

// verdict puts a detection into a word. It is plainly slower or faster only where the total and the typical
// value say the same.
func verdict(c *schema.Change, r sampletests.Result) string {
	switch {
	case r.LeftN == 0 && r.RightN > 0:
		return schema.Appeared
	case r.RightN == 0 && r.LeftN > 0:
		return schema.Vanished
	case !c.Detected:
		return schema.Unchanged
	}
	typical := r.ShiftNs
	switch {
	case typical >= 0 && *c.MeanCandNs > *c.MeanBaseNs:
		return schema.Slower
	case typical <= 0 && *c.MeanCandNs < *c.MeanBaseNs:
		return schema.Faster
	}
	return schema.Changed
}

// The causes of a changed step.
const (
	OwnTime     = "own time"
	WaitsFor    = "waits for "
	EarlierStep = "earlier step"
	OtherSteps  = "other steps"
)

// attribute says whether a step changed by itself, and by how much a run.
func (j *Judge) attribute(c *schema.Change, base, cand Side, awaited string) {
	c.StepBaseNs, c.StepCandNs = perRun(base), perRun(cand)
	if awaited == "" {
		c.ImpactNs = *c.StepCandNs - *c.StepBaseNs
	}
	if !c.Detected {
		return
	}
	left, right := sampletests.TakeSample(base.StepNs).PerRun(base.Runs), sampletests.TakeSample(cand.StepNs).PerRun(cand.Runs)
	switch own := j.detector.Compare(left, right); {
	case !j.detects(&own, j.Method):
		c.RootCause = EarlierStep
	default:
		c.RootCause = CauseOf(awaited, base.Behind || cand.Behind)
	}
}

// CauseOf is the cause of a step whose own time changed: behind says that it stands right behind steps that the other
// side does not take.
func CauseOf(awaited string, behind bool) string {
	switch {
	case awaited != "":
		return WaitsFor + awaited
	case behind:
		return OtherSteps
	}
	return OwnTime
}

// perRun is the time that a run spends in a step.
func perRun(s Side) *int64 {
	mean := int64(0)
	if s.Runs > 0 {
		mean = stats.RoundNs(float64(sampletests.SumOf(s.StepNs).Int64()) / float64(s.Runs))
	}
	return &mean
}
