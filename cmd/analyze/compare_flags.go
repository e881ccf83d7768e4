package main

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/tasks"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/definitions"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/strata"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/report/verdict"
)

// compareFlags are the flags of analyze compare.
type compareFlags struct {
	base, cand, noise []string               // selectors of runs
	id, pairBy        string                 // name of the comparison; label of runs that belong together
	plan              bool                   // publish the plan instead of comparing
	elsewhere         *tasks.Elsewhere       // where tasks run
	pool              bool                   // compare all runs with all, whatever labels vary
	method, matching  string                 // words of the flags
	margin            string                 // a share such as 5% or 0.05
	floor             time.Duration          // change per root execution that does not matter
	fdr               float64                // rate of false discoveries, between 0 and 1
	norm              string                 // one of normalisations
	abs, guard        time.Duration          // thresholds of tests on samples
	ratio, p          float64                // threshold on the ratio of sums; level of significance
	levels            bool                   // also compare behaviour
	by                string                 // "" or verdict.ByFunction
	rank              string                 // "" or rankServices
	failOn, format    string                 // words of the gate; format of the standard output
	reports           []string               // FORMAT=FILE
	file              string                 // of definitions; "" for none
	definitions       *definitions.Set       // what the file says; nil for none
	details           bool                   // a text has all sections
	top               int                    // findings or changes that are printed
	given             func(flag string) bool // reports whether the command line has a flag
	strata            strata.Strata          // by labels that vary within the sides; found when the runs are known
	totals            *verdict.Totals        // what recorders counted; found with them
}

// methodThesis is the word for the combination of tests of Hilbig 2023.
const methodThesis = "thesis"

// normalisations are the words of --normalisation.
var normalisations = []string{schema.NormAbsolute, schema.NormRelative, schema.NormStackBased, schema.NormFragmentAbsolute}

// byRuns reports whether runs are compared with runs. Otherwise a test on pooled samples decides.
func (f *compareFlags) byRuns() bool { return f.method == verdict.MethodRuns }

// check checks the flags and turns them into a job without runs.
// The runs come later, since they need the lake.
func (f *compareFlags) check() (j compare.Job, err error) {
	if f.definitions, err = readDefinitions(f.file); err != nil { // first, since words of flags may be defined there
		return j, err
	}
	method, err := f.sampleTest() // also where runs decide: it fills columns
	switch {
	case err != nil:
		return j, console.Usagef("--method %q: one of %s", f.method, f.methodNames())
	case f.pool && f.pairBy != "":
		return j, console.Usagef("--pool compares all runs with all, and --pair-by those of a pair: give one of them")
	case f.by != "" && f.by != verdict.ByFunction:
		return j, console.Usagef("--by %q: %s", f.by, verdict.ByFunction)
	case len(f.base) == 0 || len(f.cand) == 0:
		return j, console.Usagef("name both sides with --base and --cand; see analyze compare --help")
	case !slices.Contains(f.normalisationNames(), f.norm):
		return j, console.Usagef("--normalisation %q: one of %s", f.norm, strings.Join(f.normalisationNames(), ", "))
	case f.p <= 0 || f.p >= 1 || f.ratio < 1 || f.abs < 0 || f.guard < 0 || f.top < 1:
		return j, console.Usagef("--p lies between 0 and 1, --rel is 1 or more, --top 1 or more, --abs and --guard are not negative")
	}
	if f.rank != "" {
		if err := f.checkRank(); err != nil {
			return j, err
		}
	}
	j = compare.Job{ID: f.id, Spec: compare.Spec{ByRuns: f.byRuns(), Options: samplechanges.Options{
		Method: method, Normalisation: f.norm,
		Thresholds: sampletests.Options{AbsNs: int64(f.abs), GuardNs: int64(f.guard), Rel: f.ratio, P: f.p},
	}, Definitions: f.definitions}}
	if d := f.detector(); d != nil { // a detector of the user's own
		j.Options.Detector = d.Expression
	}
	if j.Matching, err = matching.ParseMethod(f.matching); err != nil {
		return j, console.Usagef("--matching: %w", err)
	}
	if j.Verdicts, err = f.verdictOptions(); err != nil {
		return j, err
	}
	return j, f.checkMethod()
}

// detector returns the detector that --method names among the definitions, or nil.
func (f *compareFlags) detector() *definitions.Detector {
	if f.definitions == nil {
		return nil
	}
	return f.definitions.Detector(f.method)
}

// sampleTest returns the test on pooled samples. Its results stand in the columns of the table changes whatever decides.
func (f *compareFlags) sampleTest() (sampletests.Method, error) {
	if f.byRuns() || f.method == methodThesis {
		return sampletests.DYN, nil
	}
	if d := f.detector(); d != nil { // named as in the definitions
		return sampletests.Method(d.Name), nil
	}
	return sampletests.ParseMethod(f.method)
}

// checkMethod refuses the flags of runs compared with runs where a test on samples decides. The flags of samples are
// never refused: they determine columns of the result.
func (f *compareFlags) checkMethod() error {
	if f.byRuns() {
		return nil
	}
	for _, flag := range []string{"margin", "floor", "fdr", "noise", "pair-by", "pool", "report", "by"} {
		if f.given(flag) {
			return console.Usagef("--%s is for --method runs; --method %s does not use it", flag, f.method)
		}
	}
	return nil
}

// verdictOptions returns the rules by which runs are compared with runs.
// The comparisons are written so that NaN fails them.
func (f *compareFlags) verdictOptions() (verdicts.Options, error) {
	o := verdicts.Defaults()
	margin, err := parseMargin(f.margin)
	switch {
	case err != nil:
		return o, err
	case !(f.fdr > 0 && f.fdr < 1):
		return o, console.Usagef("--fdr %g: it lies between 0 and 1", f.fdr)
	case f.floor < 0:
		return o, console.Usagef("--floor %s: it is not negative", texttab.Flag(f.floor))
	case margin == 0 && f.floor == 0:
		return o, console.Usagef("--margin and --floor are both 0: nothing could be shown to be unchanged")
	}
	o.Margin, o.FloorNs, o.FDR = margin, float64(f.floor), f.fdr
	return o, nil
}

// parseMargin reads the value of --margin. 5 is refused: it would be 500 %, within which nearly everything is unchanged.
func parseMargin(text string) (float64, error) {
	margin, err := texttab.ParseShare(text)
	switch {
	case err != nil || !(margin >= 0) || math.IsInf(margin, 1):
		return 0, console.Usagef("--margin %q: give a share such as 5%% or 0.05", text)
	case margin >= 1 && !strings.HasSuffix(text, "%"):
		return 0, console.Usagef("--margin %s is %.0f %%: give a share such as 5%% or 0.05", text, 100*margin)
	}
	return margin, nil
}

// reportFile is a file of --report.
type reportFile struct{ format, name string }

// reportFiles checks the flags about reports and returns the files to write.
// Files are opened only when the comparison is there.
func (f *compareFlags) reportFiles() (files []reportFile, err error) {
	if _, err := verdict.ParseGate(f.failOn, f.method); err != nil {
		return nil, console.Usagef("--fail-on: %w", err)
	}
	hasFormat := f.format == verdict.Text || f.format == verdict.JSON // all reports have these
	switch {
	case !slices.Contains(verdict.Formats, f.format):
		return nil, console.Usagef("--format %q: one of %s", f.format, strings.Join(verdict.Formats, ", "))
	case !f.byRuns() && !hasFormat:
		return nil, console.Usagef("--format %s is for --method runs; --method %s has text and json", f.format, f.method)
	case f.levels && !hasFormat:
		return nil, console.Usagef("--levels has text and json, and no %s", f.format)
	}
	for _, report := range f.reports {
		format, name, _ := strings.Cut(report, "=")
		if !slices.Contains(verdict.Formats, format) || name == "" {
			return nil, console.Usagef("--report %q: give FORMAT=FILE with one of the formats %s", report, strings.Join(verdict.Formats, ", "))
		}
		files = append(files, reportFile{format, name}) // opened when the comparison is there
	}
	return files, nil
}

// comparison returns what a report says about the job. The flags have been checked.
// It is the same for a report that is printed and for one that goes to a file.
func (f *compareFlags) comparison(j compare.Job) verdict.Comparison {
	words, _ := verdict.ParseGate(f.failOn, f.method)
	c := verdict.Comparison{
		ID: j.ID, Base: j.Base, Cand: j.Cand, Noise: j.Noise, Blocks: j.Blocks, Method: verdict.MethodRuns, Rules: j.Verdicts,
		Gate: verdict.Gate{Words: words, ExitCode: console.Changed}, Strata: f.strata, Totals: f.totals,
	}
	if !j.ByRuns { // a test on pooled samples decides
		c.Method = string(j.Options.Method) // --method thesis is reported as the test that it stands for
	}
	return c
}

// selectRuns finds the runs of both sides, the older ones, and which were recorded together, and names the comparison.
// A run on both sides is wrong usage: it would always be unchanged.
func (f *compareFlags) selectRuns(ctx context.Context, j *compare.Job) (err error) {
	if j.Base, err = runs.Select(j.Lake, f.base); err != nil {
		return err
	}
	if j.Cand, err = runs.Select(j.Lake, f.cand); err != nil {
		return err
	}
	// The order in which runs are named says nothing, and sums of the same figures in another order differ in the last bits.
	slices.Sort(j.Base)
	slices.Sort(j.Cand)
	for _, run := range j.Base {
		if slices.Contains(j.Cand, run) {
			return console.Usagef("run %s is on both sides", run)
		}
	}
	j.ID = cmp.Or(j.ID, runs.Label(f.base)+"-vs-"+runs.Label(f.cand))
	if err := lake.CheckName(j.ID); err != nil {
		return console.Usagef("name the comparison with --id: %w", err)
	}
	if err := f.selectNoise(j); err != nil {
		return err
	}
	if f.pairBy != "" {
		err = f.pairRuns(j)
	} else {
		err = f.stratify(j)
	}
	if err != nil || !f.byRuns() {
		return err
	}
	if err := runs.Doubt(j.Lake, slices.Concat(j.Base, j.Cand), &f.strata); err != nil {
		return err
	}
	if j.OmitsShort, err = runs.OmitShortCalls(j.Lake, slices.Concat(j.Base, j.Cand)); j.OmitsShort {
		f.strata.WarnOfShortCalls()
		base, cand, err := runs.TotalsOfSides(ctx, j.Lake, j.Base, j.Cand)
		if err != nil {
			return err
		}
		f.totals = verdict.NewTotals(base, cand)
	}
	return err
}

// stratify finds the labels by which runs have to be compared with runs of their own kind. Older runs belong to no stratum, as
// runs in blocks show themselves how much they differ.
func (f *compareFlags) stratify(j *compare.Job) error {
	if !f.byRuns() || f.pool {
		return nil
	}
	described, err := runs.Described(j.Lake, slices.Concat(j.Base, j.Cand))
	if err != nil {
		return err
	}
	f.strata = strata.Find(strata.RunsOf(j.Base, described), strata.RunsOf(j.Cand, described), runs.LabelKeys(f.base), runs.LabelKeys(f.cand))
	if j.Blocks = f.strata.Blocks; j.Blocks != nil {
		for i := range j.Noise { // a block of its own: it compares with nobody
			j.Blocks = append(j.Blocks, len(j.Base)+len(j.Cand)+i)
		}
	}
	return nil
}

// selectNoise finds the older runs. Those that are on a side are left out, so that a label may name all runs of a release.
// They show how much runs of one release differ, and are on no side.
func (f *compareFlags) selectNoise(j *compare.Job) error {
	if len(f.noise) == 0 {
		return nil
	}
	all, err := runs.Select(j.Lake, f.noise)
	if err != nil {
		return err
	}
	slices.Sort(all) // as of the sides: the order says nothing
	for _, run := range all {
		if !slices.Contains(j.Base, run) && !slices.Contains(j.Cand, run) { // on no side
			j.Noise = append(j.Noise, run)
		}
	}
	if len(j.Noise) == 0 {
		return console.Usagef("--noise %s: all of these runs are on a side", strings.Join(f.noise, ", "))
	}
	return nil
}

// pairRuns gives all runs with the same value of the label --pair-by the same block. Blocks are numbered from 0.
// Every run must have the label. Blocks stand in the order base, candidate, noise, as the job expects them.
func (f *compareFlags) pairRuns(j *compare.Job) error {
	all := slices.Concat(j.Base, j.Cand, j.Noise)
	described, err := runs.Described(j.Lake, all)
	if err != nil {
		return err
	}
	blocks := make(map[string]int) // by value of the label
	for _, run := range all {
		value, has := described[run].Labels[f.pairBy]
		if !has {
			return console.Usagef("--pair-by %s: run %s has no such label", f.pairBy, run)
		}
		if _, known := blocks[value]; !known {
			blocks[value] = len(blocks) // numbered in the order of their first run
		}
		j.Blocks = append(j.Blocks, blocks[value]) // in the order of all
	}
	c := f.comparison(*j)
	// Runs are compared within blocks, so a block needs runs of both sides.
	if c.RunsPerSide() == 0 {
		return console.Usagef("--pair-by %s: no value of this label is on both sides", f.pairBy)
	}
	return nil
}
