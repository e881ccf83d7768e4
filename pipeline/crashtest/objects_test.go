package crashtest

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/objecttest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// objects is the name of a lake in the object store of a test.
func objects(name string) string { return "s3://" + objecttest.Bucket + "/" + name }

// downloaded returns the hashes of a lake in an object store.
func downloaded(t *testing.T, store *objecttest.Store, name string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	store.Download(t, name, dir)
	return laketest.Hashes(t, dir)
}

// taskProgram is a program for --executor exec, which does each task in a process of its own, two at a time.
func taskProgram(t *testing.T) string {
	t.Helper()
	script := filepath.Join(t.TempDir(), "each.sh")
	text := "#!/bin/sh\nseq 0 1 | xargs -P 2 -I{} " + home + `/analyze --lake "$TRACELAKE_LAKE" --quiet task "$1" "$2" "$3" --share {}/2` + "\n"
	expect.OK(t, os.WriteFile(script, []byte(text), 0o777))
	return script
}

// TestObjectStore makes the lake of a folder in an object store: undisturbed, and while requests fail in all ways and the programs are killed
// and started again. The objects are the files, byte for byte, and none is left beside them.
func TestObjectStore(t *testing.T) {
	commands := [][]string{
		{"ingest", "--run", "a", trace(t, "2e4")},
		{"ingest", "--run", "b", trace(t, "3e4")},
		{"analyze", "run"},
		{"analyze", "compare", "--base", "a", "--cand", "b"},
		{"analyze", "drop", "b"},
	}
	folder := filepath.Join(t.TempDir(), "lake")
	for _, c := range commands {
		must(t, folder, c...)
	}
	want := laketest.Hashes(t, folder)
	store := objecttest.Start(t)
	for _, c := range commands {
		must(t, objects("quiet"), c...)
	}
	laketest.CheckSame(t, "an object store", downloaded(t, store, "quiet"), want)
	for _, c := range commands {
		if c[1] == "run" || c[1] == "compare" { // each task in a process of its own
			c = append(slices.Clone(c), "--executor", "exec:"+taskProgram(t))
		}
		must(t, objects("processes"), c...)
	}
	laketest.CheckSame(t, "an object store, and processes for tasks", downloaded(t, store, "processes"), want)
	if testing.Short() {
		t.Skip("the storm takes some seconds")
	}

	store.Fail(storm())
	random := rand.New(rand.NewPCG(1, 2))
	for i, c := range commands {
		lake := objects("storm")
		for kills := range 2 {
			p, _ := program(lake, c...)
			killAfter(p, time.Duration(random.IntN(600))*time.Millisecond)
			if kills == 0 && i == 2 { // the bytes of before are there all the time
				must(t, lake, "analyze", "runs")
			}
		}
		p, stderr := program(lake, c...)
		if err := p.Run(); err != nil && !strings.Contains(stderr.String(), "is in the lake already") && !strings.Contains(stderr.String(), "no run b") {
			t.Fatalf("%s: %v\n%s", strings.Join(c, " "), err, stderr)
		}
	}
	store.Fail(nil)
	must(t, objects("storm"), "analyze", "verify")
	checkStored(t, fmt.Sprintf("a storm of %d failed requests", store.Faults()), downloaded(t, store, "storm"), want)
}

// storm fails requests: of each kind of fault one in thirty.
func storm() func(*http.Request) objecttest.Fault {
	var n atomic.Int64
	return func(*http.Request) objecttest.Fault {
		return map[int64]objecttest.Fault{7: objecttest.Busy, 17: objecttest.Cut, 27: objecttest.Lost}[n.Add(1)%30]
	}
}

// checkStored compares what a store has, but for files that no manifest names: what a killed process has written stays for an hour, unless its
// table is committed after it.
func checkStored(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range got {
		if want[name] == "" && strings.HasSuffix(name, ".parquet") {
			delete(got, name)
		}
	}
	laketest.CheckSame(t, what, got, want)
}
