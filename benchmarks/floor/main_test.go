package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/benchmarks/program"
	"github.com/tracelake/tracelake/testdata/expect"
)

func TestRun(t *testing.T) {
	trace := filepath.Join(t.TempDir(), "trace'1.txt")
	lines := strings.Repeat("0.000000000 a > f !m1\n0.000000001 b > f ?m1\n0.000000002 b < f\n", 5000)
	expect.OK(t, os.WriteFile(trace, []byte(lines), 0o600))
	var out, log bytes.Buffer
	expect.OK(t, run(context.Background(), &out, &log, []string{"-dir", t.TempDir(), trace}))
	if !strings.Contains(out.String(), ": 15000 lines, "+strconv.Itoa(len(lines))+" bytes\n") {
		t.Errorf("said %s", out.String())
	}
	for _, name := range program.Names(measurements, nameOf) {
		if !strings.Contains(out.String(), " "+name+" ") {
			t.Errorf("no row %s in %s", name, out.String())
		}
	}
}

func TestWrongUsage(t *testing.T) {
	for _, args := range [][]string{{}, {"/nowhere/x"}, {"-only", "abacus", "main.go"}, {"-only", "duckdb-1", "main.go"}} {
		var out, log bytes.Buffer
		if err := run(context.Background(), &out, &log, args); err == nil {
			t.Errorf("%q: no error", args)
		}
	}
}
