package compare

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// Observations are all subjects of a comparison, paired over all runs.
type Observations struct {
	Subjects []Subject
	Sides    verdicts.Sides
	matches  []schema.Match
}

// Observe pairs all that the runs of a job have and says what their summaries say of it, without reading samples.
func Observe(ctx context.Context, j Job) (*Observations, error) {
	if _, _, err := j.fingerprint(); err != nil {
		return nil, err // a run lacks a table
	}
	j.summariesOnly = true
	return j.observe(ctx)
}

func (j *Job) observe(ctx context.Context) (*Observations, error) {
	models, err := j.readModels()
	if err != nil {
		return nil, err
	}
	paths, err := j.readPaths(ctx, models)
	if err != nil {
		return nil, err
	}
	judges, err := j.judgeGroups(ctx, models, paths)
	if err != nil {
		return nil, err
	}
	o := &Observations{Sides: j.sides(models)}
	for _, g := range judges {
		o.Subjects, o.matches = append(o.Subjects, g.subjects...), append(o.matches, g.matches...)
	}
	rest := &judge{job: j, models: models, paths: paths, pooled: j.ofSamples()} // what is in no group
	rest.messages()
	rest.criticalPaths()
	o.Subjects = append(o.Subjects, rest.subjects...)
	return o, nil
}

// ofSamples judges samples by the options of the job.
func (j *Job) ofSamples() *samplechanges.Judge {
	o := j.Options
	o.SamplesOnly = j.ByRuns
	return samplechanges.NewJudge(o)
}

// readModels reads what is known of the runs, under the names of the baseline.
func (j *Job) readModels() ([]*model, error) {
	models := make([]*model, len(j.runs()))
	for i, run := range j.runs() {
		var err error
		if models[i], err = readModel(j.Lake, run); err != nil {
			return nil, err
		}
	}
	if j.Matching != matching.ByWalk {
		j.settle(models)
	}
	for _, m := range models {
		if err := m.summarise(j.Lake); err != nil {
			return nil, err
		}
	}
	return models, nil
}

// judgeGroups compares all groups of components.
func (j *Job) judgeGroups(ctx context.Context, models []*model, paths *criticalPaths) ([]*judge, error) {
	groups := groupsOf(models)
	judges := make([]*judge, len(groups))
	workers, inner := errgroup.WithContext(ctx)
	workers.SetLimit(max(j.Jobs, 1))
	free := make(chan *samplechanges.Judge, max(j.Jobs, 1)) // they keep what samples of one size have in common
	for range cap(free) {
		free <- j.ofSamples()
	}
	for i, g := range groups {
		workers.Go(func() error {
			pooled := <-free
			defer func() { free <- pooled }()
			judges[i] = &judge{job: j, models: models, paths: paths, group: g, pooled: pooled}
			return judges[i].run(inner)
		})
	}
	err := workers.Wait()
	if err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return judges, err
}

// sides are the runs by their positions.
func (j *Job) sides(models []*model) verdicts.Sides {
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
