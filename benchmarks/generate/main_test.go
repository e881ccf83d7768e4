package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func generate(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	var out, log bytes.Buffer
	expect.OK(t, run(context.Background(), &out, &log, args))
	return out.String(), log.String()
}

func TestFileAndStdoutAgree(t *testing.T) {
	dir := t.TempDir()
	trace, truth := filepath.Join(dir, "trace"), filepath.Join(dir, "truth.csv")
	args := []string{"-components", "40", "-events", "2e4", "-contention", "2", "-ground-truth", truth}
	stdout, log := generate(t, args...)
	if silent, _ := generate(t, append(args, "-o", trace)...); silent != "" {
		t.Error("wrote the trace to standard output as well")
	}
	file, err := os.ReadFile(trace)
	if err != nil || string(file) != stdout {
		t.Errorf("the file holds %d bytes, standard output got %d: %v", len(file), len(stdout), err)
	}
	if !regexp.MustCompile(`^\d+ events, \d+ executions, \d+ messages, 40 components, `).MatchString(log) {
		t.Errorf("said %q", log)
	}
	rows, err := os.ReadFile(truth)
	want := regexp.MustCompile(`^exposure,component,function,start_ns,extra_ns\n(\d+,\w+,\w+_update_model,\d+,\d+\n)+$`)
	if err != nil || !want.Match(rows) {
		t.Errorf("planted %q, %v", rows, err)
	}
}

func TestWrongUsage(t *testing.T) {
	for _, args := range []string{"-dialect morse", "-events none", "-events 0", "-components 3", "-slow f", "-slow nobody=2", "extra", "-o /nowhere/x"} {
		var out, log bytes.Buffer
		if err := run(context.Background(), &out, &log, strings.Fields(args)); err == nil {
			t.Errorf("%s: no error", args)
		}
	}
}
