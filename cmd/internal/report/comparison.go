package report

import (
	"context"
	"math"
	"slices"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/change/strata"
	"github.com/tracelake/tracelake/stages/report/pages"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/report/verdict"
)

// ofComparison makes the resources of a comparison: the fragments of its causes first, then its tables, then what else changed, as far as
// it fits.
func (f *command) ofComparison(ctx context.Context, l *lake.Lake, of *runs.Compared, budget *pages.Budget) (all []pages.Resource, summary string, err error) {
	result, spec, err := compare.Read(l, of.ID)
	if err != nil {
		return nil, "", err
	}
	if !spec.ByRuns {
		return nil, "", console.Usagef("comparison %s was made with --method %s, which tests samples and finds no causes: compare runs with runs", of.ID, spec.Options.Method)
	}
	c, err := f.reported(ctx, l, of.ID, result, spec)
	if err != nil {
		return nil, "", err
	}
	if c.Examples, err = runs.Examples(ctx, l, spec.Base, spec.Cand, result.Findings, f.TaskMemory()); err != nil {
		return nil, "", err
	}
	p := &pages.Comparison{
		Report: verdict.New(*c, result.Changes, result.Findings), ID: of.ID, Changes: result.Changes, Findings: result.Findings,
		Estimates: result.Estimates, Factors: result.Factors, Exchanges: result.Exchanges,
	}
	t := &spec.Options.Thresholds
	p.Tests = &pages.Tests{P: t.P, GuardNs: t.GuardNs, AbsNs: t.AbsNs}
	if err := p.Reserve(budget); err != nil {
		return nil, "", err
	}
	names := pages.Fragments(result.Changes, result.Findings)
	budget.Leave("fragments that changed, without their automata", int64(max(0, len(names)-f.fragments)))
	names = names[:min(len(names), f.fragments)]
	r := &fragmentReader{compared: of, budget: budget, normalisation: spec.Options.Normalisation, memory: f.TaskMemory() / 4}
	causes := min(len(names), len(result.Findings))
	if err := r.add(ctx, names[:causes]); err != nil {
		return nil, "", err
	}
	w := &windowReader{lake: l, jobs: f.Jobs, memory: f.TaskMemory()}
	if p.Windows, err = w.of(ctx, result.Findings, spec, budget); err != nil {
		return nil, "", err
	}
	if p.PerRun, err = perRun(ctx, l, result, spec); err != nil {
		return nil, "", err
	}
	if err := p.Rows(budget); err != nil {
		return nil, "", err
	}
	if err := r.add(ctx, names[causes:]); err != nil {
		return nil, "", err
	}
	all, err = p.Finish(budget, r.contents)
	return all, texttab.Plural(len(result.Findings), "finding") + ", " + texttab.Plural(len(r.contents), "fragment") + " with automata", err
}

// perRun reads the metrics of communication of every run. A fragment that moved has another name in the candidate.
func perRun(ctx context.Context, l *lake.Lake, result *compare.Result, spec *compare.Spec) (*pages.PerRun, error) {
	all := &pages.PerRun{Runs: slices.Concat(spec.Base, spec.Cand), Base: len(spec.Base), Fragments: []string{}, Metrics: []string{}, TotalsNs: [][]int64{}}
	wanted := make(map[runs.FragmentMetric]int)
	for i, r := range pages.Communication(result.Changes) {
		wanted[runs.FragmentMetric{Fragment: r.Fragment, Metric: r.Metric}] = i
		if r.CandFragment != "" {
			wanted[runs.FragmentMetric{Fragment: r.CandFragment, Metric: r.Metric}] = i
		}
		all.Fragments, all.Metrics, all.TotalsNs = append(all.Fragments, r.Fragment), append(all.Metrics, r.Metric), append(all.TotalsNs, make([]int64, len(all.Runs)))
	}
	of, err := runs.MetricTotals(ctx, l, all.Runs, wanted, len(all.Fragments))
	for run, totals := range of {
		for i, ns := range totals {
			all.TotalsNs[i][run] = ns
		}
	}
	return all, err
}

// reported is what the report in text says about a comparison beside its rows.
func (f *command) reported(ctx context.Context, l *lake.Lake, id string, result *compare.Result, s *compare.Spec) (*verdict.Comparison, error) {
	described, err := runs.Described(l, slices.Concat(s.Base, s.Cand, s.Noise))
	if err != nil {
		return nil, err
	}
	c := &verdict.Comparison{
		ID: id, Base: s.Base, Cand: s.Cand, Noise: s.Noise, Blocks: s.Blocks, Method: verdict.MethodRuns, Rules: s.Verdicts, Runs: described,
		Lake: f.Lake, Gate: verdict.Gate{ExitCode: console.Changed}, Strata: strataOf(s, described), Thresholds: s.Definitions.ThresholdTexts(),
		Contributions: result.Contributions, Errors: result.Errors, By: verdict.ByFunction, Factors: result.Factors,
	}
	if common := result.Common(s); common != nil {
		c.Common = &verdict.Common{Ratio: math.Exp(common.Log), Lo: math.Exp(common.Lo), Hi: math.Exp(common.Hi), P: common.P}
	}
	if err := runs.Doubt(l, slices.Concat(s.Base, s.Cand), &c.Strata); err != nil {
		return nil, err
	}
	if c.Exchanges, c.Claims = result.Exchanged(); s.OmitsShort {
		c.Strata.WarnOfShortCalls()
		base, cand, err := runs.TotalsOfSides(ctx, l, s.Base, s.Cand)
		if err != nil {
			return nil, err
		}
		c.Totals = verdict.NewTotals(base, cand)
	}
	return c, nil
}

// strataOf finds the strata of a comparison again, whose blocks the lake has, but not their labels. Labels that no two runs of different
// sides share are those that chose the sides, or as good as these. Where other strata come out, as with --pair-by, nothing is said of any.
func strataOf(s *compare.Spec, described map[string]schema.Run) strata.Strata {
	base, cand := strata.RunsOf(s.Base, described), strata.RunsOf(s.Cand, described)
	var chosen []string
	for _, run := range slices.Concat(base, cand) {
		for label := range run.Labels {
			if !slices.Contains(chosen, label) && tellsApart(base, cand, label) {
				chosen = append(chosen, label)
			}
		}
	}
	slices.Sort(chosen)
	found := strata.Find(base, cand, chosen, chosen)
	if !slices.Equal(found.Blocks, s.Blocks[:min(len(s.Blocks), len(base)+len(cand))]) {
		return strata.Strata{}
	}
	return found
}

// tellsApart reports whether no run of the baseline has a value of a label that one of the candidate has.
func tellsApart(base, cand []strata.Run, label string) bool {
	return !slices.ContainsFunc(base, func(b strata.Run) bool {
		return slices.ContainsFunc(cand, func(c strata.Run) bool { return b.Labels[label] == c.Labels[label] })
	})
}

// fragmentReader adds fragments of a comparison to a file, one after the other.
type fragmentReader struct {
	compared      *runs.Compared
	budget        *pages.Budget
	normalisation string // by which the comparison tested samples
	memory        int64  // bytes for the samples that are read in one pass
	contents      []pages.Contents
}

// add adds fragments as long as they fit. What does not fit is counted.
func (r *fragmentReader) add(ctx context.Context, names []string) error {
	kept := 0 // fragments whose automata are read
	for i, name := range names {
		if i == kept {
			n, err := r.compared.Keep(ctx, names[i:], pages.Normalisations(r.normalisation), r.memory)
			if err != nil {
				return err
			}
			kept += n
		}
		fragment, err := r.compared.Fragment(ctx, name)
		if err != nil {
			return err
		}
		times := make(map[string][]*samples.TimedAutomaton)
		for _, norm := range pages.Normalisations(r.normalisation)[1:] {
			if times[norm], err = r.compared.Times(ctx, fragment, norm); err != nil {
				return err
			}
		}
		page, err := pages.Fragment(fragment, times)
		if err != nil {
			return err
		}
		resource := pages.FragmentResource(len(r.contents))
		fits, err := r.budget.Add(resource, page)
		if err != nil {
			return err
		}
		if !fits {
			r.budget.Leave("fragments that changed, without their automata", int64(len(names)-i))
			return nil
		}
		r.budget.Use(len(name) + len(resource) + 40) // its line in the contents
		r.contents = append(r.contents, pages.Contents{Fragment: fragment.Fragment, Resource: resource})
	}
	return nil
}
