// Mutation says what the tests of packages notice. It changes one place of a package at a time - negates a condition, moves a
// boundary by one, swaps an operator, adds one to a number, removes a statement - and runs the package's tests, which should
// fail. A change that they do not notice is either one that changes nothing that anybody can see, or a test that is missing.
//
//	go run ./benchmarks/mutation -jobs 2 -results results.jsonl ./stages/clocks/offset ./stages/change/stats
//
// The tree stays as it is: changed files are given to the compiler beside it. Results are appended one by one, and a run that
// was cut short goes on behind them. It prints a line for every package, and those that survived.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tracelake/tracelake/pipeline/workers"
)

// result is what the tests made of a mutant.
type result struct {
	mutant
	ID      string `json:"id"`      // of the place and the new text; see mutant.id
	Outcome string `json:"outcome"` // one of the words below
}

// The outcomes.
const (
	killed     = "killed"          // a test failed
	late       = "killed late"     // the tests did not end in time
	survived   = "survived"        // all tests passed
	uncompiled = "no such program" // the compiler refuses it: it says nothing of the tests
)

// driver tries the mutants of packages.
type driver struct {
	root    string            // of the module
	scratch string            // a folder for changed files
	share   uint64            // one of so many mutants is tried
	seed    uint64            // of the choice: samples of two seeds have nothing to do with each other
	timeout time.Duration     // for the tests of one mutant, without compiling
	all     *switched         // the program of the package in hand; nil: each mutant is compiled alone
	mu      sync.Mutex        // of what follows
	out     *os.File          // results
	done    map[string]result // results by id, of this run and of earlier ones
}

// main ends with 1 only where the command could not work: survivors are no error.
func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutation:", err)
		os.Exit(1)
	}
}

// run tries the mutants of the packages that are named, and prints what came of it.
func run(args []string) (err error) {
	f := flag.NewFlagSet("mutation", flag.ExitOnError)
	jobs := f.Int("jobs", 2, "how many mutants are tried at a time")
	share := f.Uint64("share", 1, "try one mutant of so many, chosen by a hash of its place")
	seed := f.Uint64("seed", 0, "choose others: tests that were written for the survivors of one sample are judged by another one")
	timeout := f.Duration("timeout", time.Minute, "how long the tests of a package may take, beyond compiling")
	results := f.String("results", "mutation.jsonl", "the file of results, which is continued")
	if err := f.Parse(args); err != nil {
		return err
	}
	d := &driver{share: *share, seed: *seed, timeout: *timeout, done: make(map[string]result)}
	// The command is run from the folder of the module, as its example shows.
	if d.root, err = os.Getwd(); err != nil {
		return err
	}
	if err := d.open(*results); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.out.Close()) }()
	if d.scratch, err = os.MkdirTemp("", "mutation-"); err != nil {
		return err
	}
	defer os.RemoveAll(d.scratch)
	for _, folder := range f.Args() {
		if err := d.try(filepath.Clean(folder), *jobs); err != nil {
			return err
		}
	}
	return nil
}

// open reads the results of an earlier run and makes the file ready for more.
func (d *driver) open(path string) (err error) {
	if d.out, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o666); err != nil {
		return err
	}
	lines := bufio.NewScanner(d.out)
	// A line has the text of a mutant, which may be long.
	lines.Buffer(nil, 1<<20) // 1 MiB a line
	for lines.Scan() {
		var r result
		if json.Unmarshal(lines.Bytes(), &r) == nil { // the last line may be half of one
			d.done[r.ID] = r
		}
	}
	return lines.Err()
}

// try tries the mutants of one package and prints its line and its survivors.
func (d *driver) try(folder string, jobs int) error {
	all, err := mutantsOf(d.root, folder)
	if err != nil {
		return err
	}
	if err := d.prepare(folder); err != nil {
		return err
	}
	// At most jobs tests run at once; each is a process of the go command.
	var group workers.Group
	group.SetLimit(jobs)
	// The counts are of this package alone, also those that an earlier run tried.
	count := make(map[string]int)
	var survivors []result
	// A hash chooses the mutants, so that the same share is tried on every machine.
	for i, m := range all {
		if !chosen(m.id(), d.share, d.seed) {
			continue
		}
		// Mutants are tried side by side; only counting and writing take turns.
		group.Go(func() error {
			r, err := d.outcome(m, folder, i)
			d.mu.Lock()
			defer d.mu.Unlock()
			if count[r.Outcome]++; r.Outcome == survived {
				survivors = append(survivors, r)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	// What does not compile says nothing of the tests and counts on neither side.
	noticed := count[killed] + count[late]
	tried := noticed + count[survived]
	fmt.Printf("%s: %d mutants, %d noticed (%.1f %%, %d of them by the timeout), %d survived; %d do not compile\n",
		folder, tried, noticed, 100*float64(noticed)/float64(max(tried, 1)), count[late], count[survived], count[uncompiled])
	for _, r := range survivors {
		fmt.Printf("  %s:%d: %s\n", r.File, r.Line, r.What)
	}
	return nil
}

// chosen reports whether a mutant belongs to the sample of a seed that has one of share mutants.
func chosen(id string, share, seed uint64) bool {
	h := fnv.New64a()
	fmt.Fprintf(h, "%d %s", seed, id)
	// The low bits of the hash depend on the low bits of the text alone: two seeds would choose the same half, or the other one.
	return h.Sum64()>>32%share == 0
}

// prepare compiles one program of all mutants of a package, and sees that its tests pass while none is on.
func (d *driver) prepare(folder string) (err error) {
	if d.all, err = newSwitched(d.root, folder); err == nil {
		err = d.all.build(d.root, folder, d.scratch)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "mutation: %s: each mutant is compiled alone: %v\n", folder, err)
		d.all = nil
		return nil
	}
	if outcome, said := d.switchOn(folder, 0); outcome != survived {
		return fmt.Errorf("%s: the tests do not pass: %s\n%s", folder, outcome, said)
	}
	return nil
}

// switchOn runs the tests of the program of all mutants with one of them.
func (d *driver) switchOn(folder string, n int) (outcome, said string) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*d.timeout+time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, d.all.program, "-test.short", "-test.failfast", "-test.timeout", d.timeout.String())
	c.Dir, c.Env, c.WaitDelay = filepath.Join(d.root, folder), append(os.Environ(), fmt.Sprint(number, "=", n)), time.Second
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	switch err := c.Run(); {
	case err == nil:
		return survived, ""
	case ctx.Err() != nil || strings.Contains(out.String(), "panic: test timed out"):
		return late, out.String()
	}
	return killed, out.String()
}

// outcome tries a mutant, unless an earlier run did, and appends what came of it to the results. number tells files of mutants apart.
func (d *driver) outcome(m mutant, folder string, number int) (result, error) {
	d.mu.Lock()
	r, known := d.done[m.id()]
	d.mu.Unlock()
	if known {
		return r, nil
	}
	// The lock is not held while tests run, which takes seconds.
	r = result{mutant: m, ID: m.id()}
	if d.all != nil && d.all.numbers[m.id()] > 0 {
		r.Outcome, _ = d.switchOn(folder, d.all.numbers[m.id()])
	} else {
		overlay, err := d.plant(m, number)
		if err != nil {
			return r, err
		}
		r.Outcome = d.test(overlay, folder)
	}
	line, err := json.Marshal(r)
	if err != nil {
		return r, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	_, err = d.out.Write(append(line, '\n'))
	return r, err
}

// plant writes the changed file and the list that gives it to the compiler in place of the other: see go help build, -overlay.
func (d *driver) plant(m mutant, number int) (overlay string, err error) {
	path := filepath.Join(d.root, m.File)
	source, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	name := filepath.Join(d.scratch, fmt.Sprintf("%d-%s", number, filepath.Base(m.File)))
	// Bytes are replaced, not syntax: the text between two offsets.
	changed := string(source[:m.From]) + m.New + string(source[m.To:])
	list, err := json.Marshal(map[string]map[string]string{"Replace": {path: name}}) // the form that the go command reads
	if err != nil {
		return "", err
	}
	overlay = name + ".json"
	return overlay, errors.Join(os.WriteFile(name, []byte(changed), 0o666), os.WriteFile(overlay, list, 0o666))
}

// test runs the tests of a package with a changed file.
func (d *driver) test(overlay, folder string) string {
	// A mutant may loop for ever; both limits end it.
	// The tests end themselves, with a trace of what they did; the outer limit is for those that cannot.
	ctx, cancel := context.WithTimeout(context.Background(), 5*d.timeout+5*time.Minute) // compiling counts, too
	defer cancel()
	c := exec.CommandContext(ctx, "go", "test", "-short", "-count=1", "-vet=off", "-failfast", "-timeout", d.timeout.String(),
		"-overlay", overlay, "./"+folder)
	c.Dir, c.WaitDelay = d.root, time.Second // afterwards pipes that a hanging child still holds are closed
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	// What the tests print tells an error of the compiler from a failing test; both end with the same exit code.
	switch {
	case err == nil:
		return survived
	case strings.Contains(out.String(), "[build failed]") || strings.Contains(out.String(), "[setup failed]"):
		return uncompiled
	case ctx.Err() != nil || strings.Contains(out.String(), "panic: test timed out"):
		return late
	}
	return killed
}
