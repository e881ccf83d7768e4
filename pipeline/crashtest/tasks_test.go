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

	"github.com/tracelake/tracelake/pipeline/executors"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/objecttest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestComparisonByTasks makes a comparison by processes of which each does one task: with the three commands, and by a program that loses
// every task once. Both leave the bytes of one process.
func TestComparisonByTasks(t *testing.T) {
	analyzed := filepath.Join(t.TempDir(), "lake")
	must(t, analyzed, "ingest", "--run", "a", "--label", "release=1", trace(t, "2e4"))
	must(t, analyzed, "ingest", "--run", "b", "--label", "release=2", trace(t, "3e4"))
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

	script := losingProgram(t)
	elsewhere := copyLake(t, analyzed)
	for _, c := range append(others, compare) {
		must(t, elsewhere, append(c, "--executor", "exec:"+script)...)
	}
	laketest.CheckSame(t, "by a program", laketest.Hashes(t, elsewhere), wantAll)
	must(t, byHand, "analyze", "history", "--plan")
	must(t, byHand, "analyze", "task", "comparison=history-by-release", "history", "0-1")
}

// losingProgram is a program for --executor exec that loses the tasks of every call once.
func losingProgram(t *testing.T) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "losing.sh")
	expect.OK(t, os.WriteFile(script, []byte(`#!/bin/sh
once="$0-$(echo "$1-$2-$3" | tr '=, ' '---')"
test -e "$once" || { touch "$once"; exit 1; }
exec "`+home+`/analyze" --lake "$TRACELAKE_LAKE" --quiet task "$1" "$2" "$3"
`), 0o777))
	return script
}

// TestIngestByTasks ingests a trace in slices and one that is one task by processes of their own: with the three commands, by a program that loses
// every task once, and in an object store. All leave the bytes of one process. A trace that changed after it was planned is refused, and
// what a task says is what the ingest says.
func TestIngestByTasks(t *testing.T) {
	alone, _ := lakesOfEngines(t)
	want := laketest.Hashes(t, alone)

	lost := filepath.Join(t.TempDir(), "lake")
	ingestBoth(t, lost, elsewhereFlags("exec:"+losingProgram(t))...)
	laketest.CheckSame(t, "by a program", laketest.Hashes(t, lost), want)
	store := objecttest.Start(t)
	ingestBoth(t, objects("ingested"), elsewhereFlags("exec:"+taskProgram(t))...)
	laketest.CheckSame(t, "in an object store", downloaded(t, store, "ingested"), want)

	byHand := filepath.Join(t.TempDir(), "lake")
	says := func(exit int, what string, args ...string) {
		t.Helper()
		c, stderr := program(byHand, args...)
		if err := c.Run(); exitCode(t, err) != exit || !strings.Contains(stderr.String(), what) {
			t.Errorf("%v: exit code %d, %s", args, exitCode(t, err), stderr)
		}
	}
	for run, path := range map[string]string{"a": trace(t, engineEvents), "b": curlTrace} {
		c, _ := program(byHand, "ingest", "--run", run, "--plan=json", "--task-bytes", "1MiB", path)
		var plan struct{ Phases [][]int }
		expect.OK(t, json.Unmarshal(expect.Value(c.Output())(t), &plan))
		says(1, "is not done", "analyze", "commit", run, "ingest")
		for range 2 { // and again, of a run that is there
			for _, phase := range plan.Phases {
				must(t, byHand, "analyze", "task", run, "ingest", executors.FormatTasks(phase), "--share", "0/2")
				must(t, byHand, "analyze", "task", run, "ingest", executors.FormatTasks(phase), "--share", "1/2")
			}
			must(t, byHand, "analyze", "commit", run, "ingest")
		}
	}
	laketest.CheckSame(t, "by hand", laketest.Hashes(t, byHand), want)
	says(1, "ingest is not planned for c: plan it first, by ingest --plan", "analyze", "task", "c", "ingest", "0")
	text := expect.Value(os.ReadFile(trace(t, engineEvents)))(t)
	changing := filepath.Join(t.TempDir(), "c.txt")
	expect.OK(t, os.WriteFile(changing, text, 0o666))
	must(t, byHand, "ingest", "--plan", changing)
	says(1, "ingest of c has no task 1: it has 1", "analyze", "task", "c", "ingest", "1")
	expect.OK(t, os.WriteFile(changing, text[:len(text)/2], 0o666))
	says(1, "changed after it was planned: plan it again", "analyze", "task", "c", "ingest", "0")
	expect.OK(t, os.WriteFile(changing, []byte("no trace\n"), 0o666))
	says(1, "task 0 failed 2 times, at last on", "ingest", "--executor", "exec:"+taskProgram(t), "--attempts", "2", changing)
}
