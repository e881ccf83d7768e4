package checks

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mining"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/checks/stl"
)

// Mining proposes checks that runs keep.
type Mining struct {
	*pipeline.Engine
	Runs []string
	Like func(mining.Subject) bool // the functions that checks may be about
}

// Mine reads the runs twice, and holds them against what it proposes: what a run does not keep is left out, and counted. That is
// what rests on the first states of messages alone.
func (j *Mining) Mine(ctx context.Context) (kept []mining.Proposal, leftOut int, err error) {
	var m mining.Miner
	for _, name := range j.Runs {
		if err := j.observe(ctx, &m, name); err != nil {
			return nil, 0, err
		}
	}
	m.Pairs()
	for _, name := range j.Runs {
		ev := schema.NewEvents()
		o := m.ObservePairs(ev.Names)
		err := j.Lake.ScanEvents(ctx, name, ev, lake.ScanOptions{Columns: mining.PairColumns(), Meter: j.Progress}, func() error {
			o.Add(ev)
			return nil
		})
		if err != nil {
			return nil, 0, err
		}
	}
	all := m.Proposals(j.Like)
	if len(all) == 0 {
		return nil, 0, nil
	}
	broken, err := j.broken(ctx, all)
	if err != nil {
		return nil, 0, err
	}
	kept = slices.DeleteFunc(all, func(p mining.Proposal) bool { return broken[p.Name] })
	return kept, len(broken), nil
}

// observe reads a run for the first time.
func (j *Mining) observe(ctx context.Context, m *mining.Miner, name string) error {
	e, err := j.Lake.Table("events", lake.Run(name))
	if err != nil {
		return err
	}
	j.Progress.Expect(2 * e.Rows())
	things, err := runs.Things(ctx, j.Lake, name)
	if err != nil {
		return err
	}
	ev := schema.NewEvents()
	o := m.Observe(ev.Names)
	if len(things.Claims.Execution) > 0 {
		o.Claim(things.Claims, things.Resources)
	}
	err = j.Lake.ScanEvents(ctx, name, ev, lake.ScanOptions{Columns: mining.Columns(), Meter: j.Progress}, func() error {
		o.Add(ev)
		return nil
	})
	o.Close()
	if err != nil {
		return err
	}
	traced := requirements.Traced(things)
	for _, s := range things.Signals {
		of, err := traced(spec.Filter{Pairs: []spec.Pair{{Name: "name", Value: s.Name}}})
		if err != nil || len(of) == 0 { // several have the name, so that no specification can ask for one of them
			continue
		}
		signal := stl.New(of)
		least, _ := signal.Least(math.Inf(-1), math.Inf(1))
		greatest, _ := signal.Greatest(math.Inf(-1), math.Inf(1))
		o.Signal(s.Name, least, greatest)
	}
	return nil
}

// broken names the proposals that a run does not keep.
func (j *Mining) broken(ctx context.Context, all []mining.Proposal) (map[string]bool, error) {
	var text strings.Builder
	if err := mining.Write(&text, nil, all); err != nil {
		return nil, err
	}
	s, err := spec.Parse("what was mined", text.String())
	if err != nil {
		return nil, fmt.Errorf("a proposal cannot be read again: %w", err)
	}
	broken := make(map[string]bool)
	for _, name := range j.Runs {
		check := &Job{Engine: j.Engine, Run: name, Spec: s, Semantics: requirements.Four, Untraced: true}
		outcomes, err := check.Check(ctx)
		if err != nil {
			return nil, err
		}
		for _, o := range outcomes {
			if o.Verdict != mtl.Good && o.Verdict != mtl.StillTrue {
				broken[o.Check] = true
			}
		}
	}
	return broken, nil
}
