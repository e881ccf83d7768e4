package compare

import (
	"context"
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/relocations"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// Observations are all subjects of a comparison, paired over all runs.
type Observations struct {
	Subjects []Subject      // group by group, then those that belong to none; later stages rank them
	Sides    verdicts.Sides // positions of the runs of each side in Subject.Observed.Runs
	defined  []Subject      // metrics that users define

	lifetimes []Subject // of asynchronous operations
	of        *comparison

	relocations relocations.Moves // of functions and fragments
}

// comparison is what all buckets of a comparison have in common: how to compare, and what is known of the runs before
// their samples are read. Several goroutines use it, and only judges is changed.
type comparison struct {
	Spec
	Lake     *lake.Lake
	Jobs     int
	Progress *pipeline.Meter

	summariesOnly bool  // the samples themselves are not read
	costsOnly     bool  // of what the summaries say only costs are compared
	memory        int64 // bytes that a task may hold
	names         schema.Dictionary
	models        []*model
	receivers     samplechanges.Receivers // of calls that their callees have under another name, in any run
	paths         *criticalPaths
	groups        []*group
	thresholds    map[string]sampletests.Options // by component, where definitions have some for it
	judges        chan *samplechanges.Judge      // one a goroutine; they keep what samples of one size have in common
}

// load reads what is known of the runs, under the names of the baseline.
func load(ctx context.Context, c *comparison) (*comparison, error) {
	var err error
	if c.models, err = c.readModels(ctx); err != nil {
		return nil, err
	}
	if c.paths, err = c.readPaths(ctx, c.models); err != nil {
		return nil, err
	}
	c.limit()
	if err := c.readReferences(ctx); err != nil {
		return nil, err
	}
	c.groups = groupsOf(c.models)
	c.judges = make(chan *samplechanges.Judge, max(c.Jobs, 1))
	weights := new(stats.Estimator)
	for range cap(c.judges) {
		judge := c.ofSamples()
		judge.Share(weights)
		c.judges <- judge
	}
	return c, nil
}

// Observe pairs all that some runs have and says what their summaries say of it, without reading samples. Nothing is
// staged or committed.
func Observe(ctx context.Context, e *pipeline.Engine, s Spec) (*Observations, error) {
	return observe(ctx, &comparison{Spec: s, Lake: e.Lake, Jobs: e.Jobs, Progress: e.Progress, summariesOnly: true, memory: math.MaxInt64})
}

// ObserveCosts is Observe for who looks at costs alone: see Subject.Costs.
func ObserveCosts(ctx context.Context, e *pipeline.Engine, s Spec) (*Observations, error) {
	return observe(ctx, &comparison{Spec: s, Lake: e.Lake, Jobs: e.Jobs, Progress: e.Progress, summariesOnly: true, costsOnly: true, memory: math.MaxInt64})
}

func observe(ctx context.Context, c *comparison) (*Observations, error) {
	c, err := load(ctx, c)
	if err != nil {
		return nil, err
	}
	judges, err := pipeline.Each(ctx, c.Jobs, len(c.groups), func(ctx context.Context, i int) (*judge, error) {
		return c.judgeGroup(ctx, c.groups[i], nil)
	})
	if err != nil {
		return nil, err
	}
	o := &Observations{Sides: c.sides(c.models), of: c}
	for _, j := range judges {
		for _, s := range j.subjects {
			o.Subjects = append(o.Subjects, *s)
		}
		for run, functions := range j.functions {
			maps.Copy(c.models[run].summaries.functions, functions)
			maps.Copy(c.models[run].summaries.lifetimes, j.lifetimes[run])
		}
	}
	o.complete(c.criticalPaths())
	if o.defined, err = c.defined(ctx); err != nil {
		return nil, err
	}
	o.lifetimes = c.lifetimesOf(&o.Sides)
	o.Subjects = slices.Concat(o.Subjects, o.lifetimes, o.defined)
	return o, nil
}

// ObserveBucket does what Observe does in one task of a stage, for the components of the task's bucket, as far as costs need it. The
// stage reads the tables of Observe and ends with a task that calls Observed.
func ObserveBucket(t *pipeline.Task, s Spec) error { return judgeBucket(t, s, true) }

// Observed puts together what the tasks that called ObserveBucket found. It is for Stage.Finish; the tasks of a stage give
// all of these functions the same spec.
func Observed(t *pipeline.Task, s Spec) (*Observations, error) {
	c, err := atEnd(t, s, true)
	if err != nil {
		return nil, err
	}
	o, err := c.gathered(t, c.criticalPaths())
	if err != nil {
		return nil, err
	}
	if o.defined, err = c.defined(t.Context()); err != nil {
		return nil, err
	}
	o.lifetimes = c.lifetimesOf(&o.Sides)
	o.Subjects = slices.Concat(o.Subjects, o.lifetimes, o.defined)
	return o, nil
}

// Limits returns what does not matter in each component that has limits of its own.
func (o *Observations) Limits() map[string]verdicts.Limits { return o.of.Verdicts.Components }

// shared is the comparison that the tasks of one process have in common.
func shared(t *pipeline.Task, s Spec, summariesOnly bool) (*comparison, error) {
	return pipeline.Shared(t, func(t *pipeline.Task) (*comparison, error) {
		c := &comparison{Spec: s, Lake: t.Lake(), Jobs: t.Jobs(), Progress: t.Progress(), summariesOnly: summariesOnly, costsOnly: summariesOnly, memory: t.Memory}
		return load(t.Context(), c)
	})
}

// atEnd is the comparison for the last task of a stage. The samples were judged, and what the judges remember of their sizes is much.
func atEnd(t *pipeline.Task, s Spec, summariesOnly bool) (*comparison, error) {
	c, err := shared(t, s, summariesOnly)
	if err == nil {
		c.judges = nil
	}
	return c, err
}

// judgeBucket judges the components that belong to the task's bucket. A comparison reduces what the runs say.
func judgeBucket(t *pipeline.Task, s Spec, summariesOnly bool) error {
	c, err := shared(t, s, summariesOnly)
	if err != nil {
		return err
	}
	for _, g := range c.groups {
		if g.bucket != t.Bucket() {
			continue
		}
		var reducer *verdicts.Reducer
		if !summariesOnly {
			reducer = verdicts.NewReducer(c.sides(c.models), c.Verdicts)
		}
		j, err := c.judgeGroup(t.Context(), g, reducer)
		if err != nil {
			return err
		}
		return j.stage(t)
	}
	return nil // only runs other than the first keep components there, which it keeps elsewhere
}

// judgeGroup compares one group. It borrows a judge of samples: there are as many as goroutines.
func (j *comparison) judgeGroup(ctx context.Context, g *group, reducer *verdicts.Reducer) (*judge, error) {
	pooled := <-j.judges
	defer func() { j.judges <- pooled }()
	judge := &judge{comparison: j, group: g, pooled: pooled, reducer: reducer}
	return judge, judge.run(ctx)
}

// complete puts messages behind all other subjects of groups, in an order of their own, since they belong to two components. It
// adds what belongs to no group: parts of critical paths.
func (o *Observations) complete(paths []Subject) {
	number := 0
	for i := range o.Subjects {
		if o.Subjects[i].Change.Level == schema.LevelMessage {
			number++
		}
	}
	messages, others := make([]Subject, 0, number), o.Subjects[:0]
	for i := range o.Subjects {
		if s := &o.Subjects[i]; s.Change.Level == schema.LevelMessage {
			messages = append(messages, *s)
		} else {
			others = append(others, *s)
		}
	}
	clear(o.Subjects[len(others):])
	o.Subjects = others
	slices.SortFunc(messages, compareMessages)
	o.Subjects = append(append(o.Subjects, messages...), paths...)
}

// ofSamples judges samples by the options of the comparison.
func (j *comparison) ofSamples() *samplechanges.Judge {
	o := j.Options
	o.SamplesOnly = j.ByRuns
	judge := samplechanges.NewJudge(o)
	judge.Components = j.thresholds
	return judge
}

// readModels reads what is known of the runs, under the names of the baseline.
func (j *comparison) readModels(ctx context.Context) ([]*model, error) {
	runs := j.Runs()
	models := make([]*model, len(runs))
	for i, run := range runs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var err error
		if models[i], err = j.readModel(ctx, run); err != nil {
			return nil, err
		}
	}
	if err := j.findReceivers(ctx, models); err != nil {
		return nil, err
	}
	if j.Matching != matching.ByWalk {
		return models, j.settle(ctx, models)
	}
	return models, nil
}

// sides are the runs by their positions.
func (j *comparison) sides(models []*model) verdicts.Sides {
	s := verdicts.Sides{Blocks: j.Blocks}
	for i, m := range models {
		switch s.Roots = append(s.Roots, m.roots()); {
		case i < len(j.Base):
			s.Base = append(s.Base, i)
		case i < len(j.Base)+len(j.Cand):
			s.Cand = append(s.Cand, i)
		default:
			s.Noise = append(s.Noise, i)
		}
	}
	return s
}
