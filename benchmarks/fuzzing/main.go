// Fuzzing collects executions of fuzz targets over many nights. The fuzzer of Go keeps the inputs that it found worth keeping, but not how
// much it tried: here every stretch of fuzzing is a line of a file, and the next stretch is for a target that has not had enough.
//
//	nice -n 19 go run ./benchmarks/fuzzing -for 1h -results fuzzing.jsonl
//
// With -mutated the bodies of targets are called with random mutations of what the fuzzer kept, in one process and without following the coverage, which is
// 10 to 100 times as fast: package mutated says how.
//
//	nice -n 19 go run ./benchmarks/fuzzing -mutated -for 1h -results fuzzing.jsonl
//
// Targets that were never tried come first, and then those that are done soonest at the rate of their last stretch. Without -for it prints
// what was done until now. It ends with 1 where a target failed: the fuzzer keeps the input in the testdata of the package, and the
// other targets go on.
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tracelake/tracelake/benchmarks/mutated"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// stretch is a line of the results: what one start of the fuzzer did with one target.
type stretch struct {
	Package string  `json:"package"` // the folder from that of the module
	Target  string  `json:"target"`  // the function
	Execs   int64   `json:"execs"`   // how many inputs it was called with
	Seconds float64 `json:"seconds"` // how long that took, without compiling; where Mutated, the CPU seconds of the process
	Commit  string  `json:"commit"`  // of the sources, with "-dirty" where files were changed
	Mutated bool    `json:"mutated,omitempty"`
	Failed  string  `json:"failed,omitempty"`
}

// target is a fuzz target and the sum of its stretches.
type target struct {
	folder, name string
	execs        int64
	mutated      int64   // of these without the fuzzer
	rate         float64 // executions a second in the last stretch that had any; 0: never tried
	stretches    int     // as this run makes them: with the fuzzer, or without
	failed       int
	out          bool // it failed in this run: no more of it before somebody looks
}

// main says in its exit code whether a target failed.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Stdout, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "fuzzing:", err)
		os.Exit(1)
	}
}

// run fuzzes for the time that is given, and prints a row for every target.
func run(ctx context.Context, out io.Writer, args []string) error {
	f := flag.NewFlagSet("fuzzing", flag.ContinueOnError)
	wanted := f.Int64("wanted", 1e7, "how many executions each target should have")
	duration := f.Duration("for", 0, "how long to fuzz in all, a stretch that has begun is ended; 0 only prints")
	each := f.Duration("stretch", time.Minute, "how long one target is fuzzed at a time")
	results := f.String("results", "fuzzing.jsonl", "the file of stretches, which is continued")
	without := f.Bool("mutated", false, "call bodies with mutations of what the fuzzer kept, without the fuzzer")
	only := f.String("only", "", "fuzz targets only whose folder and name match an expression, as 'stages/checks/.* FuzzParse': with it several runs share a machine")
	if err := f.Parse(args); err != nil {
		return err
	}
	targets, err := find(".")
	if err != nil {
		return err
	}
	chosen, err := among(targets, *only)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(*results, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := add(targets, file, *without); err != nil {
		return err
	}
	var b *builder // where the fuzzer does not build
	if *without && *duration > 0 {
		if b, err = newBuilder("."); err != nil {
			return err
		}
		defer os.RemoveAll(b.scratch)
	}
	commit, err := exec.Command("git", "describe", "--always", "--dirty").Output()
	if err != nil {
		return fmt.Errorf("git says no commit: %w", err)
	}
	// What fails is told once at the end, so that one defect does not keep the others from being found.
	var failed []error
	for begin := time.Now(); time.Since(begin) < *duration && ctx.Err() == nil; {
		t := next(chosen, *wanted)
		if t == nil {
			break
		}
		s, said := t.try(ctx, *each, *wanted, b)
		s.Commit = strings.TrimSpace(string(commit))
		if ctx.Err() != nil {
			s.Failed = "" // the fuzzer was interrupted, and the target is not to blame
		}
		line, err := json.Marshal(s)
		if err != nil {
			return err
		}
		if _, err := file.Write(append(line, '\n')); err != nil {
			return err
		}
		if t.count(s, *without); s.Failed != "" {
			t.out = true
			failed = append(failed, fmt.Errorf("%s %s: %s\n%s", s.Package, s.Target, s.Failed, said))
		}
	}
	return errors.Join(append(failed, write(out, targets, *wanted))...)
}

// declaration is how a fuzz target begins.
var declaration = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(`)

// find lists the fuzz targets of a module, by folder and name.
func find(root string) ([]*target, error) {
	var all []*target
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, found := range declaration.FindAllSubmatch(source, -1) {
			all = append(all, &target{folder: filepath.ToSlash(filepath.Dir(path)), name: string(found[1])})
		}
		return err
	})
	slices.SortFunc(all, func(a, b *target) int {
		return cmp.Or(strings.Compare(a.folder, b.folder), strings.Compare(a.name, b.name))
	})
	return all, err
}

// add counts the stretches of earlier runs. Targets that are no more are left out, and so is a last line that is cut.
func add(targets []*target, results io.Reader, mutated bool) error {
	lines := bufio.NewScanner(results)
	for lines.Scan() {
		var s stretch
		if json.Unmarshal(lines.Bytes(), &s) != nil {
			continue
		}
		for _, t := range targets {
			if t.folder == s.Package && t.name == s.Target {
				t.count(s, mutated)
			}
		}
	}
	return lines.Err()
}

// count adds a stretch to the sums of its target. The rate is that of stretches with the fuzzer, or of those without.
func (t *target) count(s stretch, mutated bool) {
	t.execs += s.Execs
	if s.Mutated {
		t.mutated += s.Execs
	}
	if s.Mutated == mutated {
		if t.stretches++; s.Execs > 0 && s.Seconds > 0 {
			t.rate = float64(s.Execs) / s.Seconds
		}
	}
	if s.Failed != "" {
		t.failed++
	}
}

// among returns the targets whose folder and name match an expression.
func among(targets []*target, expression string) ([]*target, error) {
	only, err := regexp.Compile(expression)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(slices.Clone(targets), func(t *target) bool { return !only.MatchString(t.folder + " " + t.name) }), nil
}

// next is the target to fuzz, or nil where all have had enough: one that was never tried, or else the one that will be done soonest.
func next(targets []*target, wanted int64) *target {
	open := slices.DeleteFunc(slices.Clone(targets), func(t *target) bool { return t.out || t.execs >= wanted })
	if len(open) == 0 {
		return nil
	}
	return slices.MinFunc(open, func(a, b *target) int { return cmp.Compare(a.remaining(wanted), b.remaining(wanted)) })
}

// remaining is how many seconds it takes until a target has had enough: 0 where nobody knows, for ever where it was tried without an execution.
func (t *target) remaining(wanted int64) float64 {
	if t.stretches == 0 {
		return 0
	}
	return float64(wanted-t.execs) / t.rate
}

// progress is what the fuzzer prints every few seconds: how long it runs and how many executions there were.
var progress = regexp.MustCompile(`fuzz: elapsed: (\S+), execs: (\d+)`)

// try fuzzes a target for a while, or calls it until it has had enough, where b builds its program.
func (t *target) try(ctx context.Context, d time.Duration, wanted int64, b *builder) (s stretch, said string) {
	if b == nil {
		return t.fuzz(ctx, d)
	}
	return t.mutate(ctx, b, mutated.Plan{Execs: wanted - t.execs, For: d, First: t.mutated})
}

// fuzz runs the fuzzer on one target with one worker, as every worker takes a core, and returns what it printed, too. The fuzzer sometimes
// reports that its time ended within an input, though nothing failed.
func (t *target) fuzz(ctx context.Context, d time.Duration) (s stretch, said string) {
	c := exec.CommandContext(ctx, "go", "test", "./"+t.folder, "-vet=off", "-run", "^$", "-fuzz", "^"+t.name+"$",
		"-fuzztime", d.String(), "-fuzzminimizetime", "20x", "-parallel", "1")
	c.Cancel = func() error { return c.Process.Signal(os.Interrupt) } // go test ends the fuzzer, which ends its worker
	c.WaitDelay = 10 * time.Second
	out, err := c.CombinedOutput()
	s = stretch{Package: t.folder, Target: t.name}
	s.Execs, s.Seconds = executions(string(out))
	if said = string(out); err != nil && !strings.Contains(said, "context deadline exceeded") {
		s.Failed = err.Error()
	}
	return s, said
}

// executions is the last progress that the fuzzer printed.
func executions(said string) (execs int64, seconds float64) {
	all := progress.FindAllStringSubmatch(said, -1)
	if len(all) == 0 {
		return 0, 0
	}
	last := all[len(all)-1]
	elapsed, err := time.ParseDuration(last[1])
	if err != nil {
		return 0, 0
	}
	execs, _ = strconv.ParseInt(last[2], 10, 64) // digits only
	return execs, elapsed.Seconds()
}

// write prints a row for each target and how many have had enough.
func write(out io.Writer, targets []*target, wanted int64) error {
	var enough, failures int
	fmt.Fprintln(out, "| target | executions | a second | failed |\n|---|---|---|---|")
	for _, t := range targets {
		fmt.Fprintf(out, "| `%s` %s | %s | %s | %d |\n", t.folder, t.name, texttab.Count(t.execs), texttab.Count(int64(t.rate)), t.failed)
		if failures += t.failed; t.execs >= wanted {
			enough++
		}
	}
	_, err := fmt.Fprintf(out, "\n%d of %d targets had %s executions; %d stretches failed\n", enough, len(targets), texttab.Count(wanted), failures)
	return err
}
