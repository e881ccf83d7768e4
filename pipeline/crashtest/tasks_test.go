package crashtest

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestComparisonByTasks makes a comparison by processes of which each does one task: with the three commands, and by a program that loses
// every task once. Both leave the bytes of one process.
func TestComparisonByTasks(t *testing.T) {
	analyzed := filepath.Join(t.TempDir(), "lake")
	must(t, analyzed, "ingest", "--run", "a", "--label", "release=1", trace(t, "2e5"))
	must(t, analyzed, "ingest", "--run", "b", "--label", "release=2", trace(t, "3e5"))
	must(t, analyzed, "analyze", "run")
	compare := []string{"analyze", "compare", "--base", "a", "--cand", "b"}
	others := [][]string{{"analyze", "history"}, {"analyze", "levels", "a", "b", "--id", "sets"}}
	alone := copyLake(t, analyzed)
	must(t, alone, compare...)
	want := laketest.Hashes(t, alone)
	for _, c := range others {
		must(t, alone, c...)
	}
	wantAll := laketest.Hashes(t, alone)

	byHand := copyLake(t, analyzed)
	refused := func(says string, args ...string) {
		t.Helper()
		c, stderr := program(byHand, args...)
		if err := c.Run(); err == nil || !strings.Contains(stderr.String(), says) {
			t.Errorf("%v: %v, %s", args, err, stderr)
		}
	}
	refused("is not planned for a-vs-b: plan it first", "analyze", "task", "comparison=a-vs-b", "compare", "0")
	text := expect.Value(exec.Command(filepath.Join(home, "analyze"), append(compare[1:], "--plan", "--format", "json", "--lake", byHand)...).Output())(t)
	var plan struct{ Phases [][]int }
	expect.OK(t, json.Unmarshal(text, &plan))
	if len(plan.Phases) != 2 {
		t.Fatalf("the plan is %s", text)
	}
	refused("task", "analyze", "commit", "comparison=a-vs-b", "compare") // nothing is done
	for range 2 {                                                        // and again, of a comparison that is done
		for _, task := range slices.Concat(plan.Phases...) {
			must(t, byHand, "analyze", "task", "comparison=a-vs-b", "compare", fmt.Sprint(task))
		}
		must(t, byHand, "analyze", "commit", "comparison=a-vs-b", "compare")
	}
	must(t, byHand, append(compare, "--fail-on", "regressed", "--format", "json")...)
	laketest.CheckSame(t, "by hand", laketest.Hashes(t, byHand), want)

	script := filepath.Join(t.TempDir(), "losing.sh")
	expect.OK(t, os.WriteFile(script, []byte(`#!/bin/sh
once="$0-$(echo "$1-$2-$3" | tr '=, ' '---')"
test -e "$once" || { touch "$once"; exit 1; }
exec "`+home+`/analyze" --lake "$TRACELAKE_LAKE" --quiet task "$1" "$2" "$3"
`), 0o777))
	elsewhere := copyLake(t, analyzed)
	for _, c := range append(others, compare) {
		must(t, elsewhere, append(c, "--executor", "exec:"+script)...)
	}
	laketest.CheckSame(t, "by a program", laketest.Hashes(t, elsewhere), wantAll)
	must(t, byHand, "analyze", "history", "--plan")
	must(t, byHand, "analyze", "task", "comparison=history-by-release", "history", "0-1")
}
