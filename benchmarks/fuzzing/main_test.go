package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// What is never tried comes first, then what is done soonest, and what cannot be executed only when nothing else is left.
func TestNext(t *testing.T) {
	slow, fast, broken, enough := &target{name: "slow"}, &target{name: "fast"}, &target{name: "broken"}, &target{name: "enough"}
	targets := []*target{enough, broken, slow, fast}
	var order []string
	for _, s := range []stretch{
		{Execs: 1000, Seconds: 1},   // enough
		{Failed: "exit status 1"},   // broken
		{Execs: 10, Seconds: 1},     // slow: 99 s
		{Execs: 100, Seconds: 1},    // fast: 9 s
		{Execs: 1, Seconds: 1},      // fast, which became slow: 899 s
		{Execs: 990, Seconds: 99},   // slow
		{Execs: 899, Seconds: 1000}, // fast
		{Execs: 1000, Seconds: 10},  // broken, which was mended
	} {
		n := next(targets, 1000)
		order = append(order, n.name)
		n.count(s, false)
	}
	expect.Equal(t, strings.Join(order, " "), "enough broken slow fast fast slow fast broken", "order of targets")
	if n := next(targets, 1000); n != nil {
		t.Errorf("%s is fuzzed though it has had enough", n.name)
	}
	expect.Equal(t, broken.failed, 1, "failed stretches")
}

// TestAmong chooses targets by their folders and names.
func TestAmong(t *testing.T) {
	targets := []*target{{folder: "a/b", name: "FuzzX"}, {folder: "a/c", name: "FuzzX"}, {folder: "a/c", name: "FuzzY"}}
	for expression, want := range map[string]int{"": 3, "FuzzX": 2, "a/c": 2, "^a/c FuzzX$": 1, "FuzzZ": 0} {
		expect.Equal(t, len(expect.Value(among(targets, expression))(t)), want, "targets of %q", expression)
	}
	if _, err := among(targets, "("); err == nil {
		t.Error("( is an expression")
	}
}

// The last progress of the fuzzer counts, and none is none.
func TestExecutions(t *testing.T) {
	execs, seconds := executions(`fuzz: elapsed: 0s, gathering baseline coverage: 0/18 completed
fuzz: elapsed: 3s, execs: 1400 (466/sec), new interesting: 3 (total: 21)
fuzz: elapsed: 1m5s, execs: 45014 (700/sec), new interesting: 4 (total: 22)
PASS
`)
	expect.Equal(t, execs, 45014, "executions")
	expect.Equal(t, seconds, 65, "seconds")
	execs, seconds = executions("--- FAIL: FuzzRead (0.02s)\n")
	expect.Equal(t, execs, 0, "executions without progress")
	expect.Equal(t, seconds, 0, "seconds without progress")
}

// Stretches of earlier runs are summed by target; a cut line and a target that is no more are left out.
func TestAdd(t *testing.T) {
	dir := t.TempDir()
	expect.OK(t, os.WriteFile(filepath.Join(dir, "a_test.go"), []byte("package a\n\nfunc FuzzB(f *testing.F) {}\n\nfunc FuzzA(f *testing.F) {}\n"), 0o600))
	targets := expect.Value(find(dir))(t)
	for _, of := range targets {
		of.folder = "a"
	}
	expect.OK(t, add(targets, strings.NewReader(`{"package":"a","target":"FuzzA","execs":1500,"seconds":2}
{"package":"a","target":"FuzzA","execs":500,"seconds":1,"failed":"exit status 1"}
{"package":"gone","target":"FuzzA","execs":500,"seconds":1}
{"package":"a","target":"FuzzB","execs":7,"sec`), false))
	var out bytes.Buffer
	expect.OK(t, write(&out, targets, 2000))
	expect.Equal(t, out.String(), "| target | executions | a second | failed |\n|---|---|---|---|\n"+
		"| `a` FuzzA | 2,000 | 500 | 1 |\n| `a` FuzzB | 0 | 0 | 0 |\n\n1 of 2 targets had 2,000 executions; 1 stretches failed\n", "table")
}

// Without a duration it prints what was done and fuzzes nothing.
func TestPrint(t *testing.T) {
	var out bytes.Buffer
	t.Chdir("../..")
	expect.OK(t, run(context.Background(), &out, []string{"-results", filepath.Join(t.TempDir(), "results")}))
	expect.Equal(t, strings.Count(out.String(), "| `stages/ingest/otf2` FuzzRead | 0 | 0 | 0 |\n"), 1, "rows of a target")
}
