package nightly

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/runs"
	report "github.com/tracelake/tracelake/stages/report/nightly"
)

// nights is one call of the command.
type nights struct {
	*command
	config          *config
	analyze, ingest string // the programs

	known   []*report.Night   // in ascending order
	touched map[string]bool   // nights to which something happened in this call
	owners  map[string]string // the path of the trace of every run
}

// Lake is where the lake of the file is.
func (n *nights) Lake() string { return n.config.Lake }

// open opens the lake as it is now, after what other processes did. Without one it returns nil.
func (n *nights) open() (*lake.Lake, error) {
	l, err := stores.Open(n.Lake(), !n.dry)
	if n.dry && err != nil {
		return nil, nil
	}
	return l, err
}

// alone waits until no other call goes through the nights of the lake.
func (n *nights) alone(ctx context.Context) (release func(), err error) {
	l, err := n.open()
	if err != nil {
		return nil, err
	}
	l.Waiting = func(busy *lake.BusyError) { n.Logger(n.stderr).Info("waits: " + busy.Error()) }
	return l.Lease(ctx, lake.Partition{Key: "nightly", Name: "all"})
}

// all does what is to be done: (1) it ingests what is new, (2) goes through every night that something happened to, the oldest first, since
// one is compared with another, (3) drops what is old, and (4) writes the pages. It returns the worst verdict of the newest night, of the one of --night, and of those
// that something happened to.
func (n *nights) all(ctx context.Context) (report.Verdict, error) {
	n.touched, n.owners = make(map[string]bool), make(map[string]string)
	if err := n.load(); err != nil {
		return "", err
	}
	traces, unlabelled, err := n.config.find()
	if err != nil {
		return "", err
	}
	for _, path := range unlabelled {
		n.Logger(n.stderr).Warn(path + ": is left out, as the expression of label does not match it")
	}
	if err := n.begin(traces); err != nil {
		return "", err
	}
	if len(n.known) == 0 {
		n.Logger(n.stderr).Warn("there are no traces yet")
		return report.Passed, nil
	}
	if err := n.forget(traces); err != nil {
		return "", err
	}
	for i := range traces {
		if err := n.bring(ctx, &traces[i]); err != nil {
			return "", err
		}
	}
	verdict := report.Passed
	for _, night := range n.known {
		before := night.Verdict()
		if night == n.newest() || n.stale(night) {
			if err := n.through(ctx, night); err != nil {
				return "", err
			}
		}
		if night == n.newest() || night.Name == n.command.night || n.touched[night.Name] || night.Verdict() != before {
			verdict = worse(verdict, night.Verdict())
		}
	}
	if err := n.keep(ctx); err != nil {
		return "", err
	}
	return verdict, n.finish()
}

// worse returns the verdict that decides the exit code.
func worse(a, b report.Verdict) report.Verdict {
	order := []report.Verdict{report.Waits, report.Passed, report.Failed, report.Stopped}
	if slices.Index(order, a) < slices.Index(order, b) {
		return b
	}
	return a
}

// begin makes the nights known that traces are of, and the one of --night, so that it is known which is the newest.
func (n *nights) begin(traces []found) error {
	if n.command.night != "" {
		if err := lake.CheckName(n.command.night); err != nil {
			return console.Usagef("--night: %w", err)
		}
		n.night(n.command.night)
	}
	for i := range traces {
		n.night(traces[i].night)
	}
	for _, night := range n.known {
		if !night.Summarised || night == n.newest() { // a later change of the file does not judge older nights
			night.Expected = n.config.Expect
		}
		if night.Name == n.command.night {
			night.Expected = max(night.Expected, 1)
		}
	}
	return nil
}

// forget forgets traces that could not be read and have been taken away: nobody can try them again.
func (n *nights) forget(traces []found) error {
	there := make(map[string]bool)
	for i := range traces {
		there[traces[i].path] = true
	}
	for _, night := range n.known {
		before := len(night.Traces)
		night.Traces = slices.DeleteFunc(night.Traces, func(t report.Trace) bool {
			gone := !there[t.Path] && (t.State == report.Torn || t.State == report.Taken || t.State == report.Writing)
			if gone {
				n.Logger(n.stderr).Warn(t.Path + ": was not to be read, and is gone")
			}
			return gone
		})
		if len(night.Traces) < before {
			n.touched[night.Name] = true
			if err := n.save(night); err != nil {
				return err
			}
		}
	}
	return nil
}

// bring has a trace ingested, unless the lake has it, and remembers what came of it.
func (n *nights) bring(ctx context.Context, t *found) error {
	night := n.night(t.night)
	now := report.Trace{Path: t.path, Run: t.run, Bytes: t.bytes, Modified: t.modified.UnixNano()}
	old := night.Trace(t.path)
	same := old != nil && old.Bytes == now.Bytes && old.Modified == now.Modified && old.Run == now.Run
	owner := n.owners[t.run]
	if owner == "" {
		n.owners[t.run] = t.path
	}
	if same && owner == "" && (old.State == report.Ingested || old.State == report.Broken || old.State == report.TooLate && night.Reduced) {
		has, err := n.has(t.run)
		if err != nil || has || old.State == report.TooLate {
			return err
		}
	}
	var err error
	switch {
	case owner != "":
		now.State, now.Says = report.Taken, fmt.Sprintf("it would be run %s, as %s is: give run, a name that differs", t.run, owner)
	case night.Reduced:
		now.State, now.Says = report.TooLate, "only the summaries of this night are left"
	case time.Since(t.modified) < t.source.settle:
		now.State, now.Says = report.Writing, "it changed less than "+t.source.Settle+" ago"
	default:
		now.State, now.Says, err = n.ingestTrace(ctx, t)
	}
	if err != nil {
		return err
	}
	if night.Summarised && (now.State == report.Ingested || now.State == report.TooLate) {
		now.LateIn = n.newest().Name
	}
	return n.remember(night, now)
}

// ingestTrace ingests a trace.
func (n *nights) ingestTrace(ctx context.Context, t *found) (state report.State, says string, err error) {
	args := []string{"--run", t.run, "--replace"}
	for _, key := range slices.Sorted(maps.Keys(t.labels)) {
		args = append(args, "--label", key+"="+t.labels[key])
	}
	args = append(append(args, t.source.Ingest...), "--", t.path)
	out, err := n.do(ctx, n.ingest, args...)
	if err != nil || out.exit == 0 {
		return report.Ingested, "", err
	}
	says = strings.TrimPrefix(out.says, "ingest: ")
	return report.Torn, strings.TrimPrefix(says, t.path+": "), nil // the summary names the path itself
}

// remember puts a trace into its night. A night with a new run is not complete any more, and neither are those that are compared with it: that
// is remembered at once, since the process may be killed.
func (n *nights) remember(night *report.Night, now report.Trace) error {
	old := night.Trace(now.Path)
	if old != nil && *old == now {
		return nil // as torn as before
	}
	if old == nil {
		night.Traces = append(night.Traces, now)
		slices.SortFunc(night.Traces, func(a, b report.Trace) int { return strings.Compare(a.Path, b.Path) })
	} else {
		*old = now
	}
	n.touched[night.Name] = true
	if now.State != report.Ingested {
		return n.save(night)
	}
	night.Complete = false
	for _, other := range n.known {
		uses := slices.ContainsFunc(other.Steps, func(s report.Step) bool { return s.Against == night.Name })
		if uses {
			other.Complete = false
			if err := n.save(other); err != nil {
				return err
			}
		}
	}
	return n.save(night)
}

// has reports whether the lake has a run.
func (n *nights) has(run string) (bool, error) {
	l, err := n.open()
	if l == nil || err != nil {
		return false, err
	}
	have, err := l.Inventory(lake.Run(run))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && have.Table("runs") != nil, err
}

// stale reports whether the steps of a night are to be done: something happened to it, or it is compared with another night than before.
func (n *nights) stale(night *report.Night) bool {
	if night.Reduced {
		return false
	}
	if !night.Complete {
		return true
	}
	for _, s := range n.config.steps() {
		old := night.Step(s.kind, s.Name)
		if against, _ := n.against(night, &s); old != nil && against != old.Against && s.kind == compareKind {
			return true
		}
	}
	return false
}

// through analyzes the runs of a night and does its steps.
func (n *nights) through(ctx context.Context, night *report.Night) error {
	if err := n.analyzeRuns(ctx, night); err != nil {
		return err
	}
	var steps []report.Step
	for _, s := range n.config.steps() {
		step, err := n.step(ctx, night, &s)
		if err != nil {
			return err
		}
		if old := night.Step(s.kind, s.Name); old != nil && night.Summarised {
			if step.First = old.First; step.First == "" && old.Verdict != step.Verdict {
				step.First = old.Verdict
			}
		}
		steps = append(steps, step)
	}
	night.Steps = steps
	failed := slices.ContainsFunc(steps, func(s report.Step) bool { return s.Verdict == report.Failed })
	night.Complete, night.Summarised = !failed && night.In(report.Broken) == 0, true
	if err := n.save(night); err != nil {
		return err
	}
	return n.publish(night)
}

// analyzeRuns has the runs of a night analyzed: all at once, which uses cores and nodes best, and one by one where that fails, to learn which.
func (n *nights) analyzeRuns(ctx context.Context, night *report.Night) error {
	var at []*report.Trace
	for i := range night.Traces {
		if state := night.Traces[i].State; state == report.Ingested || state == report.Broken {
			at = append(at, &night.Traces[i])
		}
	}
	if len(at) == 0 || night.Reduced {
		return nil
	}
	groups := [][]*report.Trace{at}
	for len(groups) > 0 {
		group := groups[0]
		groups = groups[1:]
		args := append([]string{"run"}, n.config.runFlags()...)
		for _, t := range group {
			args = append(args, t.Run)
		}
		out, err := n.do(ctx, n.analyze, args...)
		switch {
		case err != nil:
			return err
		case out.exit == 0:
			for _, t := range group {
				t.State, t.Says = report.Ingested, ""
			}
		case len(group) > 1:
			for _, t := range group {
				groups = append(groups, []*report.Trace{t})
			}
		default:
			group[0].State, group[0].Says = report.Broken, strings.TrimPrefix(out.says, "analyze: ")
		}
	}
	return nil
}

// runFlags are those of analyze run.
func (c *config) runFlags() []string {
	flags := slices.Clone(c.Analyze)
	if c.Executor != "" {
		flags = append(flags, "--executor", c.Executor)
	}
	if c.Nodes > 0 {
		flags = append(flags, "--nodes", fmt.Sprint(c.Nodes))
	}
	if c.Pod != "" {
		flags = append(flags, "--pod", c.Pod)
	}
	if c.Array {
		flags = append(flags, "--array")
	}
	return flags
}

// analyzed reports which of the runs of a night are whole and have what a reduced run keeps.
func (n *nights) analyzed(l *lake.Lake, night *report.Night) (names []string, err error) {
	for i := range night.Traces {
		have, err := l.Inventory(lake.Run(night.Traces[i].Run))
		if err != nil {
			return nil, err
		}
		if have.Table("summaries") != nil && have.Table("events") != nil {
			names = append(names, night.Traces[i].Run)
		}
	}
	return names, nil
}

// selected are the runs of selectors, none where the lake has none.
func selected(l *lake.Lake, selectors []string) (names []string, err error) {
	for _, selector := range selectors {
		found, err := runs.Select(l, []string{selector})
		if err != nil && !errors.As(err, new(*runs.NameError)) {
			return nil, err
		}
		names = append(names, found...)
	}
	return names, nil
}
