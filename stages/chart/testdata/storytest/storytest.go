// Package storytest plays the stories of a package: txtar archives in its folder testdata, whose comment says what the
// story shows. The first files of an archive are given, such as a trace; each of the others holds the result that the
// package must derive from them, and its name may say how. Only tests import this package.
package storytest

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted results of the stories")

// Play plays every story as a subtest with the name of its file. Its first files, as many as given says, are given; a
// negative number counts the wanted files at the end instead. Derive returns the result for a wanted file by its name.
// A result that differs fails the test, or with -update replaces the wanted one. A folder without stories is an error,
// so that a wrong path does not pass as a test.
func Play(t *testing.T, given int, derive func(t *testing.T, files []txtar.File, want string) string) {
	t.Helper()
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { playFile(t, path, given, derive) })
	}
}

// playFile plays one story and writes it anew if any result was replaced.
func playFile(t *testing.T, path string, given int, derive func(t *testing.T, files []txtar.File, want string) string) {
	t.Helper()
	a, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if given < 0 {
		given += len(a.Files)
	}
	files, replaced := slices.Clip(a.Files[:given]), false
	for i := given; i < len(a.Files); i++ {
		f := &a.Files[i]
		got := derive(t, files, f.Name)
		switch want := string(f.Data); {
		case got == want:
		case *update:
			f.Data, replaced = []byte(got), true
		default:
			t.Errorf("%s: got\n%swant\n%s", f.Name, got, want)
		}
	}
	if replaced {
		if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
