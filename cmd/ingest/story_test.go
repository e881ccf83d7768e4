package main

import (
	"flag"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/storytest"
)

var update = flag.Bool("update", false, "write the programs' answers into the stories")

func TestStories(t *testing.T) {
	programs := map[string]storytest.Program{"ingest": run}
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			path, err := filepath.Abs(path)
			if err != nil {
				t.Fatal(err)
			}
			t.Chdir(t.TempDir())
			if err := storytest.Play(t.Context(), path, programs, *update); err != nil {
				t.Error(err)
			}
		})
	}
}
