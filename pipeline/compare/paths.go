package compare

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/timing/pathdiff"
)

// compositionColumns are those that a comparison reads.
var compositionColumns = []string{
	"fragment", "initial", "category", "component", "function", "sender", "message", "busy_component", "occurrences", "total_ns",
}

// criticalPaths are what the critical paths of all runs spend their time on.
type criticalPaths struct {
	shares            *pathdiff.Shares // of functions
	rows              []*pathdiff.Row  // the parts, small ones folded; none where a side has no critical paths
	base, cand, noise side
}

// side is the runs of one side that are known to have critical paths.
type side struct {
	runs   []int
	unseen bool // in some run they hide causes, so that what is not on them may have delayed their end all the same
}

// readPaths reads the compositions of all runs. Nothing is known of a run without that table.
func (j *comparison) readPaths(ctx context.Context, models []*model) (*criticalPaths, error) {
	p := &criticalPaths{shares: pathdiff.New(len(models))}
	for i, m := range models {
		manifest, err := j.Lake.Manifest("compositions", lake.Run(m.run))
		if err != nil {
			return nil, err
		}
		if manifest == nil {
			continue
		}
		rows := schema.NewCompositions(new(schema.Names))
		err = j.Lake.Scan(ctx, manifest.Files, rows, lake.ScanOptions{Columns: compositionColumns, Meter: j.Progress}, func() error {
			p.shares.Add(i, rows)
			return nil
		})
		if err != nil {
			return nil, err
		}
		if !p.shares.Known(i) {
			continue
		}
		s := p.sideOf(j, i)
		s.runs = append(s.runs, i)
		s.unseen = s.unseen || p.shares.Unseen(i, m.waitsIn)
	}
	// Small parts are folded at once: they are most of all parts, and would be in memory until the end.
	if len(p.base.runs) > 0 && len(p.cand.runs) > 0 {
		p.rows = p.shares.Rows(len(j.Base))
	}
	p.shares.Forget()
	return p, nil
}

// sideOf is the side of a run, by its position.
func (p *criticalPaths) sideOf(j *comparison, run int) *side {
	switch {
	case run < len(j.Base):
		return &p.base
	case run < len(j.Base)+len(j.Cand):
		return &p.cand
	}
	return &p.noise
}

// criticalPaths compares the parts of critical paths, unless a side has none at all.
func (j *comparison) criticalPaths() (all []Subject) {
	p, models, pooled := j.paths, j.models, j.ofSamples()
	for _, r := range p.rows {
		c := pooled.ComparePaths(pathSubject(models, r), p.base.of(r), p.cand.of(r))
		s := Subject{Change: c}
		s.Observed = j.observed(&s, func(i int) verdicts.Run {
			return verdicts.Run{Count: float64(r.Occurrences[i]), TotalNs: float64(r.Ns[i])}
		})
		s.Observed.CostOnly = true
		switch {
		case len(p.base.runs)+len(p.cand.runs)+len(p.noise.runs) < len(models):
			s.Observed.Runs = nil // of some run it is not known
		case j.costsOnly:
			s.keepCosts(s.Observed.Runs)
		}
		all = append(all, s)
	}
	return all
}

// pathSubject names a part of critical paths, and marks executions that only wait as blocking calls.
func pathSubject(models []*model, r *pathdiff.Row) samplechanges.Subject {
	of := samplechanges.Subject{
		Level: schema.LevelCriticalPath, Component: cmp.Or(r.Part.Component, componentOf(models, r.Fragment)), Fragment: r.Fragment,
		Subject: r.Subject(), Metric: schema.CategoryWords[r.Part.Category], Function: r.Part.Function, Peer: r.Part.Peer(),
	}
	waiting := func(m *model) bool { return m.waitsIn(r.Part.Component, r.Part.Function) }
	if r.Part.Category == schema.Executing && slices.ContainsFunc(models, waiting) {
		of.Subject += " (blocking call)"
	}
	return of
}

// of gathers a part's total time of each run of the side, in ns, and how often it occurs in them.
func (s *side) of(r *pathdiff.Row) (out samplechanges.PathSide) {
	for _, run := range s.runs {
		out.TotalNs = append(out.TotalNs, r.Ns[run])
		out.Occurrences += r.Occurrences[run]
	}
	return out
}

// componentOf is the component of a fragment in the first run that has it, under its name in that run.
func componentOf(models []*model, fragment string) string {
	for _, m := range models {
		if f := m.fragments[fragment]; f != nil {
			return f.Component
		}
		if name, moved := m.called[fragment]; moved {
			return m.moved[name].component
		}
	}
	return ""
}

// critical is the time of a function on critical paths, of a run on average, or nil where no run of the side has compositions.
func (s *side) critical(shares *pathdiff.Shares, component, function string) *int64 {
	total, n := int64(0), int64(len(s.runs))
	for _, run := range s.runs {
		total += shares.FunctionNs(run, component, function)
	}
	if n == 0 || total == 0 && s.unseen {
		return nil
	}
	mean := (total + n/2) / n
	return &mean
}

// criticalOf is the same for some functions together.
func (s *side) criticalOf(shares *pathdiff.Shares, functions []functionKey) (ns *int64) {
	for _, f := range functions {
		of := s.critical(shares, f.component, f.function)
		switch {
		case of == nil:
			return nil
		case ns == nil:
			ns = of
		default:
			*ns += *of
		}
	}
	return ns
}
