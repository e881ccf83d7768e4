// Package playall plays all stories of a program in a test.
package playall

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/testdata/storytest"
)

// Stories plays the stories whose files match a pattern, each as a subtest of its name in a fresh folder.
// A pattern without files is an error, so that a moved folder does not pass unnoticed. Under -short, stories that begin with one of the
// long programs are skipped.
func Stories(t *testing.T, pattern string, programs map[string]storytest.Program, update bool, long ...string) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			if program := startedFirst(t, path); testing.Short() && slices.Contains(long, program) {
				t.Skipf("%s takes long: without -short it is played", program)
			}
			path, err := filepath.Abs(path) // the test leaves its folder
			t.Chdir(t.TempDir())
			if err := errors.Join(err, storytest.Play(t.Context(), path, programs, update)); err != nil {
				t.Error(err)
			}
		})
	}
}

// startedFirst returns the name of the program that a story starts first.
func startedFirst(t *testing.T, path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, commands, _ := strings.Cut(string(text), "\n$ ")
	command, _, _ := strings.Cut(commands, "\n")
	program, _, _ := strings.Cut(command, " ")
	return program
}
