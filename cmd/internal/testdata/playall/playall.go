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
// A pattern without files is an error, so that a moved folder does not pass unnoticed. Under -short, a command's first story is played,
// as compare.txtar, but not what tells more of it, as compare-few.txtar; nor are stories that begin with one of the long programs.
func Stories(t *testing.T, pattern string, programs map[string]storytest.Program, update bool, long ...string) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			if first := firstOfCommand(path, paths); testing.Short() && first != path {
				t.Skipf("%s is played of this command: without -short, all its stories are", filepath.Base(first))
			}
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

// firstOfCommand returns the story of which another one has the name, a hyphen and more: the story itself where there is none.
func firstOfCommand(path string, paths []string) string {
	name := strings.TrimSuffix(path, ".txtar")
	for _, other := range paths {
		if strings.HasPrefix(name, strings.TrimSuffix(other, ".txtar")+"-") {
			return other
		}
	}
	return path
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
