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

// TestHalfDropped checks that a drop that was cut short, when the run was gone but its files were not, can be finished by the
// same command.
func TestHalfDropped(t *testing.T) {
	l := loaded(t)
	if _, err := analyze(t.Context(), "run"); err != nil {
		t.Fatal(err)
	}
	obstacle := filepath.Join(l.Dir, "_work", "run=a")
	noError(t, os.RemoveAll(obstacle))
	files, err := l.Files()
	noError(t, err)
	noError(t, os.Remove(filepath.Join(l.Dir, "_manifests", "run=a.json")))
	reload(t, "2")
	if _, err := analyze(t.Context(), "drop", "a"); err != nil {
		t.Error(err)
	}
	for table, names := range files {
		for _, name := range names {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("a file of %s is left: %s", table, name)
			}
		}
	}
}
