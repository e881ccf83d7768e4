package report

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/pages"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// ofRun makes the resources of a run: what its critical paths consist of, the window of its longest root execution, its fragments and
// functions, and the automata of the slowest fragments as far as they fit.
func (f *command) ofRun(ctx context.Context, l *lake.Lake, name string, budget *pages.Budget) (all []pages.Resource, summary string, err error) {
	p := &pages.Run{Name: name}
	if p.Described, err = runs.Named(l, name); err != nil {
		return nil, "", err
	}
	if err := readRun(ctx, l, p); err != nil {
		return nil, "", err
	}
	p.Sort()
	if err := p.Reserve(budget); err != nil {
		return nil, "", err
	}
	w := &windowReader{lake: l, jobs: f.Jobs, memory: f.TaskMemory()}
	if p.Windows, err = w.ofRun(ctx, name, p.Slowest(), budget); err != nil {
		return nil, "", err
	}
	if err := p.Rows(budget); err != nil {
		return nil, "", err
	}
	contents, err := f.runFragments(ctx, l, name, p.Fragments(), budget)
	if err != nil {
		return nil, "", err
	}
	all, err = p.Finish(budget, contents)
	return all, texttab.Plural(p.Described.Executions, "execution") + ", " + texttab.Plural(len(contents), "fragment") + " with automata", err
}

// readRun reads the tables of the page of a run.
func readRun(ctx context.Context, l *lake.Lake, p *pages.Run) error {
	c := schema.NewCompositions(new(schema.Names))
	err := l.ScanTable(ctx, "compositions", p.Name, c, lake.ScanOptions{}, func() error {
		for i, initial := range c.Initial {
			if initial {
				p.Parts = append(p.Parts, partOf(c, i))
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if p.Summaries, err = lake.Read[schema.Summary](l, "summaries", lake.Run(p.Name)); err != nil {
		return err
	}
	p.Summaries = slices.DeleteFunc(p.Summaries, func(s schema.Summary) bool {
		return s.Level != schema.LevelFunction && (s.Level != schema.LevelMetric || s.Metric != schema.MetricWords[schema.Runtime])
	})
	v, err := l.Inventory(lake.Run(p.Name))
	if err != nil {
		return err
	}
	seen := make(map[[2]string]bool) // tables of one stage state the same losses
	for _, m := range v.Tables {
		for _, loss := range m.Losses {
			if key := [2]string{loss.Stage, loss.Reason}; !seen[key] {
				seen[key] = true
				p.Losses = append(p.Losses, loss)
			}
		}
	}
	return nil
}

// partOf is a row of compositions with its names.
func partOf(c *schema.Compositions, i int) pages.PathPart {
	n := c.Names
	return pages.PathPart{
		Fragment: n.Fragments.Name(c.Fragment[i]), Category: schema.CategoryWords[c.Category[i]], Component: n.Components.Name(c.Component[i]),
		Function: n.Functions.Name(c.Function[i]), Sender: n.Components.Name(c.Sender[i]), Message: n.Messages.Name(c.Label[i]),
		Busy: n.Components.Name(c.Busy[i]), Occurrences: c.Occurrences[i], Steps: c.Steps[i], TotalNs: c.TotalNs[i], MaxNs: c.MaxNs[i],
	}
}

// runFragments adds the automata of the fragments that take the most time, as far as they fit.
func (f *command) runFragments(ctx context.Context, l *lake.Lake, run string, names []string, budget *pages.Budget) (contents []pages.Contents, err error) {
	const what = "fragments without their automata"
	budget.Leave(what, int64(max(0, len(names)-f.fragments)))
	names = names[:min(len(names), f.fragments)]
	for i, name := range names {
		t, _, err := runs.TimedAutomaton(ctx, l, run, name, schema.NormRelative)
		if err != nil {
			return nil, err
		}
		if t == nil {
			return nil, fmt.Errorf("run %s: the tables summaries and fragments do not fit together: analyze it again", run)
		}
		page, err := pages.RunFragment(run, name, t)
		if err != nil {
			return nil, err
		}
		resource := pages.FragmentResource(len(contents))
		fits, err := budget.Add(resource, page)
		if err != nil {
			return nil, err
		}
		if !fits {
			budget.Leave(what, int64(len(names)-i))
			break
		}
		budget.Use(len(name) + len(resource) + 40) // its line in the contents
		contents = append(contents, pages.Contents{Fragment: name, Resource: resource})
	}
	return contents, nil
}

// ofRun adds the window of the longest execution that begins a fragment as this one.
func (r *windowReader) ofRun(ctx context.Context, run, fragment string, budget *pages.Budget) ([]pages.WindowContents, error) {
	function := ""
	err := lake.ReadEach(r.lake, "fragments", lake.Run(run), func(f *schema.Fragment) {
		if f.Fragment == fragment {
			function = f.Component + "." + f.Function
		}
	})
	if err != nil || function == "" {
		return nil, err
	}
	x, err := r.typical(ctx, function, []string{run})
	if err != nil || x == nil {
		return nil, err
	}
	margin := max(x.SpanNs()/20, 1)
	one, err := r.window(ctx, function, nil, x, x.FromNs-margin, x.ToNs+margin)
	if errors.Is(err, criticalpaths.ErrNothing) || err == nil && one == nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	resource := pages.WindowResource(0)
	fits, err := budget.Add(resource, &pages.Windows{Function: function, Sides: []pages.Window{*one}})
	if err != nil || !fits {
		return nil, err
	}
	return []pages.WindowContents{{Function: function, Resource: resource}}, nil
}
