package main

import (
	"context"
	"slices"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/change/services"
	ranking "github.com/tracelake/tracelake/stages/report/services"
)

// notOfRanks are the flags of analyze compare that mean nothing to --rank: it compares requests, and not runs.
var notOfRanks = []string{"id", "method", "margin", "floor", "fdr", "noise", "pair-by", "pool", "matching", "normalisation", "abs", "guard", "rel", "p",
	"definitions", "levels", "report", "details", "by"}

// checkRank checks the flags of a ranking.
func (f *compareFlags) checkRank() error {
	if f.rank != "services" {
		return console.Usagef("--rank %q: services", f.rank)
	}
	for _, flag := range notOfRanks { // a flag without effect would be taken for one that works
		if f.given(flag) {
			return console.Usagef("--%s is not for --rank, which compares requests with requests", flag)
		}
	}
	if f.format != "text" && f.format != "json" {
		return console.Usagef("--rank has text and json, and no %s", f.format)
	}
	if _, err := ranking.ParseGate(f.failOn); err != nil {
		return console.Usagef("--fail-on: %w", err)
	}
	return nil
}

// rankRequests ranks the services of the runs of a comparison, or of windows of runs, by their requests. It needs the executions of the
// runs alone, and leaves nothing in the lake.
func (a *app) rankRequests(ctx context.Context, j compare.Job, f compareFlags) error {
	base, err := runs.Parts(j.Lake, f.base)
	if err != nil {
		return err
	}
	cand, err := runs.Parts(j.Lake, f.cand)
	if err != nil {
		return err
	}
	for _, part := range base {
		if slices.Contains(cand, part) {
			return console.Usagef("run %s is on both sides", part)
		}
	}
	parts := slices.Concat(base, cand)
	r := &ranking.Report{Base: reportedParts(base), Cand: reportedParts(cand), Rules: services.Defaults(), Top: f.top} // the rules whose rates are measured
	only := keepStoredOptions()
	only.stages = []string{"executions"} // requests need nothing else
	if _, err := a.bringUpToDate(ctx, j.Lake, runs.NamesOf(parts), only); err != nil {
		return err
	}
	requests, names, err := runs.Requests(ctx, j.Lake, parts, j.Memory)
	if err != nil {
		return err
	}
	if err := runs.Doubt(j.Lake, runs.NamesOf(parts), &r.About); err != nil {
		return err
	}
	r.Columns = console.Columns(a.stdout)
	r.Rank(requests, names) // fills the report
	err = r.NameTraces(func(run string, roots map[int64]bool) (map[int64]string, error) {
		return runs.TraceIDs(ctx, j.Lake, run, roots)
	})
	if err != nil {
		return err
	}
	if err := inFormat(f.format, r.WriteText, r.WriteJSON)(a.stdout); err != nil {
		return err
	}
	if words, _ := ranking.ParseGate(f.failOn); r.Found(words) { // checked by checkRank
		return console.Exit(console.Changed)
	}
	return nil
}

// reportedParts are parts as a report names them.
func reportedParts(parts []runs.Part) []ranking.Part {
	out := make([]ranking.Part, len(parts))
	for i, p := range parts {
		out[i] = ranking.Part{Run: p.Run, Name: p.String()}
	}
	return out
}
