package crashtest

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
)

// TestSameBytes checks that the lake depends neither on the number of cores nor on the memory, with a trace
// that is long enough for 16 buckets.
func TestSameBytes(t *testing.T) {
	if testing.Short() {
		t.Skip("a trace of 1.5 million events takes some seconds")
	}
	path := trace(t, "1.5e6")
	var want map[string]string
	for _, c := range [][2]string{{"1", "8GiB"}, {"2", "256MiB"}, {"1", "256MiB"}, {"5", "1GiB"}} {
		lake := filepath.Join(t.TempDir(), "lake")
		must(t, lake, "ingest", "--jobs", c[0], "--memory", c[1], "--run", "a", path)
		must(t, lake, "analyze", "--jobs", c[0], "--memory", c[1], "run")
		got := laketest.Hashes(t, lake)
		if want == nil {
			want = got
			checkBuckets(t, lake)
		}
		laketest.CheckSame(t, fmt.Sprintf("--jobs %s --memory %s", c[0], c[1]), got, want)
	}
}

func checkBuckets(t *testing.T, lake string) {
	t.Helper()
	folders, err := filepath.Glob(filepath.Join(lake, "samples", "run=a", "bucket=*"))
	if err != nil || len(folders) != 16 {
		t.Errorf("%d buckets, want 16: the trace is too short for this test", len(folders))
	}
}

// TestSameBytesOfComparison does the same with the comparison of two runs.
func TestSameBytesOfComparison(t *testing.T) {
	ingested := filepath.Join(t.TempDir(), "lake")
	must(t, ingested, "ingest", "--run", "a", trace(t, "2e5"))
	must(t, ingested, "ingest", "--run", "b", trace(t, "3e5"))
	var want map[string]string
	for _, c := range [][2]string{{"1", "8GiB"}, {"2", "768MiB"}} {
		lake := copyLake(t, ingested)
		must(t, lake, "analyze", "--jobs", c[0], "--memory", c[1], "compare", "--base", "a", "--cand", "b")
		got := laketest.Hashes(t, lake)
		if want == nil {
			want = got
		}
		laketest.CheckSame(t, fmt.Sprintf("--jobs %s --memory %s", c[0], c[1]), got, want)
	}
}
