package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// loaded makes the lake of a test with the run a.
func loaded(t *testing.T) *lake.Lake {
	t.Helper()
	t.Chdir(t.TempDir())
	reload(t, "1")
	l, err := lake.Open("lake", false)
	noError(t, err)
	return l
}

func reload(t *testing.T, release string) {
	t.Helper()
	noError(t, os.WriteFile("a.txt", []byte("0.1 c > f\n0.2 c < f\n"), 0o666))
	noError(t, load(t.Context(), []string{"a.txt", "release=" + release}, nil, nil, nil))
}

func analyze(ctx context.Context, args ...string) (string, error) {
	var stderr bytes.Buffer
	err := run(ctx, args, strings.NewReader(""), &bytes.Buffer{}, &stderr)
	return stderr.String(), err
}

// TestHalfReplaced checks that a run is not analyzed whose ingest was killed between the manifests of its
// tables, and that another ingest mends it.
func TestHalfReplaced(t *testing.T) {
	l := loaded(t)
	manifest := filepath.Join(l.Dir, "_manifests", "messages", "run=a.json")
	old, err := os.ReadFile(manifest)
	noError(t, err)
	reload(t, "2")
	noError(t, os.WriteFile(manifest, old, 0o666))
	if _, err := analyze(t.Context(), "run"); err == nil || !strings.Contains(err.Error(), "half of one ingest and half of another") {
		t.Errorf("got %v", err)
	}
	reload(t, "2")
	if _, err := analyze(t.Context(), "run"); err != nil {
		t.Error(err)
	}
}

// TestHalfDropped checks that a drop that was cut short can be finished by the same command.
func TestHalfDropped(t *testing.T) {
	l := loaded(t)
	if _, err := analyze(t.Context(), "run"); err != nil {
		t.Fatal(err)
	}
	obstacle := filepath.Join(l.Dir, "_manifests", "metrics", "run=a.json")
	noError(t, os.Rename(obstacle, obstacle+".aside"))
	noError(t, os.MkdirAll(filepath.Join(obstacle, "in the way"), 0o777))
	if _, err := analyze(t.Context(), "drop", "a"); err == nil {
		t.Fatal("the drop was not cut short")
	}
	noError(t, os.RemoveAll(filepath.Join(l.Dir, "_manifests", "metrics")))
	if _, err := analyze(t.Context(), "drop", "a"); err != nil {
		t.Error(err)
	}
	if tables, err := l.Tables(); err != nil || len(tables) > 0 {
		t.Errorf("tables are left: %q, %v", tables, err)
	}
}
