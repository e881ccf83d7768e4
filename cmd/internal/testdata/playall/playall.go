// Package playall plays all stories of a program in a test.
package playall

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/testdata/storytest"
)

// Stories plays the stories whose files match a pattern, each as a subtest of its name in a fresh folder.
// A pattern without files is an error, so that a moved folder does not pass unnoticed.
func Stories(t *testing.T, pattern string, programs map[string]storytest.Program, update bool) {
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			path, err := filepath.Abs(path) // the test leaves its folder
			t.Chdir(t.TempDir())
			if err := errors.Join(err, storytest.Play(t.Context(), path, programs, update)); err != nil {
				t.Error(err)
			}
		})
	}
}
