package nightly

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	report "github.com/tracelake/tracelake/stages/report/nightly"
)

// keep drops what the rules do not keep: of old nights the runs but for their summaries, their comparisons, and their reports. What cannot
// be dropped is said, and tried again with the next night.
func (n *nights) keep(ctx context.Context) error {
	l, err := n.open()
	if l == nil || err != nil {
		return err
	}
	kept, err := n.protected(l)
	if err != nil {
		return err
	}
	for i, night := range n.known {
		age := len(n.known) - i // 1 for the newest
		if k := n.config.Keep.Nights; k > 0 && age > k && !night.Reduced {
			if err := n.reduce(ctx, l, night, kept); err != nil {
				return err
			}
		}
		if k := n.config.Keep.Comparisons; k > 0 && age > k {
			if err := n.dropComparisons(ctx, l, night); err != nil {
				return err
			}
		}
		if k := n.config.Keep.Reports; k > 0 && age > k && !n.dry && hasReports(night) {
			if err := errors.Join(n.removeReports(night), n.save(night), n.publish(night)); err != nil {
				return err
			}
		}
	}
	return nil
}

// protected are the runs that are kept whole whatever their age: those of except, those that a step names other than by a night, and those
// that the newest night is compared with.
func (n *nights) protected(l *lake.Lake) ([]string, error) {
	selectors := slices.Clone(n.config.Keep.Except)
	for _, s := range n.config.steps() {
		if s.kind == historyKind {
			continue // it needs no more than summaries
		}
		for _, selector := range slices.Concat(s.Base, s.Cand, s.Runs) {
			if !strings.Contains(selector, "{") {
				selectors = append(selectors, selector)
			}
		}
	}
	names, err := selected(l, selectors)
	for _, s := range n.newest().Steps {
		if s.Against == "" {
			continue
		}
		for _, t := range n.night(s.Against).Traces {
			names = append(names, t.Run)
		}
	}
	return names, err
}

// reduce drops of the runs of a night all but their summaries. A night of which some runs are kept is not reduced: late traces join it.
func (n *nights) reduce(ctx context.Context, l *lake.Lake, night *report.Night, kept []string) error {
	whole, err := n.analyzed(l, night)
	if err != nil {
		return err
	}
	old := slices.DeleteFunc(slices.Clone(whole), func(run string) bool { return slices.Contains(kept, run) })
	if len(old) > 0 {
		out, err := n.do(ctx, n.analyze, append([]string{"drop", "--keep-summaries"}, old...)...)
		if err != nil || out.exit != 0 {
			return err
		}
	}
	if len(old) < len(whole) {
		return nil
	}
	night.Reduced = true
	return n.save(night)
}

// dropComparisons drops the comparisons of a night that the lake still has.
func (n *nights) dropComparisons(ctx context.Context, l *lake.Lake, night *report.Night) error {
	have, err := l.Partitions("comparison")
	if err != nil {
		return err
	}
	args := []string{"drop"}
	for _, s := range night.Steps {
		if id := comparison(s.Name, night.Name); s.Kind == compareKind && slices.Contains(have, lake.Comparison(id)) {
			args = append(args, "--comparison", id)
		}
	}
	if len(args) == 1 {
		return nil
	}
	_, err = n.do(ctx, n.analyze, args...)
	return err
}

// hasReports reports whether a night has reports beside its summaries.
func hasReports(night *report.Night) bool {
	return slices.ContainsFunc(night.Steps, func(s report.Step) bool { return len(s.Files) > 0 })
}

// finish writes the pages of the nights that something happened to, and of the newest one, which tells of others, and prints its summary.
func (n *nights) finish() error {
	if n.dry {
		return nil
	}
	newest := n.newest()
	for _, night := range n.known {
		if night != newest && !n.touched[night.Name] {
			continue
		}
		if err := errors.Join(n.save(night), n.publish(night)); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(n.config.Reports, 0o777); err != nil {
		return err
	}
	if err := n.index(); err != nil {
		return err
	}
	write := func(out io.Writer) error { return n.page(newest).WriteMarkdown(out) }
	if err := console.WriteFile("-", n.stdout, write); err != nil {
		return err
	}
	if !n.Quiet {
		fmt.Fprintf(n.stderr, "summaries are in %s\n", n.config.Reports)
	}
	return nil
}
