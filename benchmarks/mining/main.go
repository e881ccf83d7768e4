// Command mining measures how good mined requirements are: five runs are mined, the specification is held against five others of the
// same kind, and against runs into one call of which a delay was injected.
//
//	bin/ingest --lake LAKE --label cell=quiet RECORDINGS/*.txt.zst
//	go run ./benchmarks/mining -lake LAKE -splits 10 -injected 100 cell=quiet
//
// A check counts as failing if one of the five runs does not keep it. A delay counts as found if a check that names the function, or one
// that is open while it is, is broken, and was kept before. The run with the fault stays in the lake, as mining-injected.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/checks"
	"github.com/tracelake/tracelake/pipeline/inject"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mining"
	"github.com/tracelake/tracelake/stages/checks/mtl"
	"github.com/tracelake/tracelake/stages/checks/requirements"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/evaluation/faults"
)

// side is how many runs are mined, and how many others the specification is held against.
const side = 5

func main() {
	program.Main("mining", measure)
}

// measurement is what the flags ask for.
type measurement struct {
	engine   *pipeline.Engine
	splits   int
	injected int
	delayNs  int64
	slack    float64
}

func measure(ctx context.Context, stdout, stderr io.Writer, args []string) error {
	f := program.NewFlags("mining", "-lake LAKE KEY=VALUE...", stderr)
	folder := f.String("lake", "lake", "folder of the lake")
	m := measurement{}
	f.IntVar(&m.splits, "splits", 10, "random splits of the runs of each label")
	f.IntVar(&m.injected, "injected", 100, "runs with a delay")
	delay := f.Duration("delay", 10e6, "the delay")
	f.Float64Var(&m.slack, "slack", 1, "share of idle time that a delay may use up")
	if err := f.Parse(args); err != nil || f.NArg() == 0 {
		f.Usage()
		return flag.ErrHelp
	}
	if m.splits < 1 {
		return fmt.Errorf("-splits %d: at least 1", m.splits)
	}
	m.delayNs = int64(*delay)
	l, err := lake.Open(*folder, false)
	if err != nil {
		return err
	}
	m.engine = &pipeline.Engine{Lake: l, Jobs: 2}
	fmt.Fprintln(stdout, "| runs | checks | fail on five others, mean | most | delays found |\n|---|---|---|---|---|")
	for _, label := range f.Args() {
		names, err := runs.Select(l, []string{label})
		if err != nil {
			return err
		}
		if len(names) < 2*side {
			return fmt.Errorf("%s: %d runs, and %d are needed", label, len(names), 2*side)
		}
		line, err := m.cell(ctx, names)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "| %s | %s |\n", label, line)
	}
	return nil
}

// cell measures runs of one kind. The runs with a delay are made of those that were not mined, in turn.
func (m *measurement) cell(ctx context.Context, names []string) (string, error) {
	rng := rand.New(rand.NewPCG(1, 15))
	mined, sum, most, found := 0, 0.0, 0.0, 0
	for i := range m.splits {
		rng.Shuffle(len(names), func(a, b int) { names[a], names[b] = names[b], names[a] })
		s, err := m.mine(ctx, names[:side])
		if err != nil {
			return "", err
		}
		var failing [side]map[string]bool
		any := make(map[string]bool)
		for k, run := range names[side : 2*side] {
			if failing[k], err = m.broken(ctx, s, run); err != nil {
				return "", err
			}
			maps.Copy(any, failing[k])
		}
		share := float64(len(any)) / float64(len(s.Checks))
		mined, sum, most = mined+len(s.Checks), sum+share, max(most, share)
		for seed := i; seed < m.injected; seed += m.splits {
			k := seed / m.splits % side
			ok, err := m.finds(ctx, s, names[side+k], uint64(seed), failing[k])
			if err != nil {
				return "", err
			}
			if ok {
				found++
			}
		}
	}
	return fmt.Sprintf("%d | %.1f %% | %.1f %% | %d of %d", mined/m.splits, 100*sum/float64(m.splits), 100*most, found, m.injected), nil
}

// mine mines runs.
func (m *measurement) mine(ctx context.Context, names []string) (*spec.Spec, error) {
	j := &checks.Mining{Engine: m.engine, Runs: names, Like: func(mining.Subject) bool { return true }}
	all, _, err := j.Mine(ctx)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	if err := mining.Write(&text, nil, all); err != nil {
		return nil, err
	}
	return spec.Parse("mined", text.String())
}

// broken names the checks that a run does not keep.
func (m *measurement) broken(ctx context.Context, s *spec.Spec, run string) (map[string]bool, error) {
	j := &checks.Job{Engine: m.engine, Run: run, Spec: s, Semantics: requirements.Four, Untraced: true}
	outcomes, err := j.Check(ctx)
	names := make(map[string]bool)
	for _, o := range outcomes {
		if o.Verdict != mtl.Good && o.Verdict != mtl.StillTrue {
			names[o.Check] = true
		}
	}
	return names, err
}

// finds reports whether a delay of one call is found where it is, by a check that the run kept before.
func (m *measurement) finds(ctx context.Context, s *spec.Spec, run string, seed uint64, before map[string]bool) (bool, error) {
	const name = "mining-injected"
	out, err := inject.Run(ctx, inject.Job{Engine: m.engine, Options: inject.Options{
		Name: name, Run: run, Fault: faults.Fault{Kind: faults.Spikes, DeltaNs: m.delayNs, Events: 1}, Seed: seed, Slack: m.slack,
	}})
	if err != nil {
		return false, err
	}
	if out == nil { // the lake has it from an earlier measurement
		return false, fmt.Errorf("drop the run %s first", name)
	}
	after, err := m.broken(ctx, s, name)
	if err != nil {
		return false, err
	}
	at := mining.Subject{Component: out.Functions[0].Component, Function: out.Functions[0].Function}
	around, err := m.around(ctx, run, at)
	if err != nil {
		return false, err
	}
	for i := range s.Checks {
		c := &s.Checks[i]
		if after[c.Name] && !before[c.Name] && slices.ContainsFunc(around, func(f mining.Subject) bool {
			return names(s.Sentence(c), f)
		}) {
			return true, nil
		}
	}
	fmt.Fprintf(os.Stderr, "not found: seed %d, %v in %s\n", seed, at, run)
	return false, nil
}

// names reports whether a sentence names a function.
func names(sentence string, f mining.Subject) bool {
	name := "component " + f.Component + " and function " + f.Function
	return slices.ContainsFunc([]string{" ", ",", ".", ")"}, func(after string) bool { return strings.Contains(sentence, name+after) })
}

// around lists a function and those that are open when it is called.
func (m *measurement) around(ctx context.Context, run string, at mining.Subject) ([]mining.Subject, error) {
	open, around := make(map[mining.Subject]int), map[mining.Subject]bool{at: true}
	ev := schema.NewEvents()
	err := m.engine.Lake.ScanEvents(ctx, run, ev, lake.ScanOptions{Columns: []string{"kind", "component", "function"}}, func() error {
		for i, kind := range ev.Kind {
			f := mining.Subject{Component: ev.Names.Components.Name(ev.Component[i]), Function: ev.Names.Functions.Name(ev.Function[i])}
			switch kind {
			case schema.Enter:
				open[f]++
				for g, n := range open {
					if f == at && n > 0 {
						around[g] = true
					}
				}
			case schema.Exit:
				open[f]--
			}
		}
		return nil
	})
	var all []mining.Subject
	for f := range around {
		all = append(all, f)
	}
	return all, err
}
