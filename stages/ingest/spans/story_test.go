package spans

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what comes out into the stories")

// TestStories reads the stories of testdata: spans, and the events and losses that they must give.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d stories: %v", len(files), err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil || len(a.Files) != 2 {
			t.Fatalf("%s: %d parts: %v", file, len(a.Files), err)
		}
		got := story(t, string(a.Files[0].Data)).String()
		if *update {
			a.Files[1].Data = []byte(got)
			if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want := string(a.Files[1].Data); got != want {
			t.Errorf("%s:\n%s\ngot:\n%s\nwant:\n%s", file, strings.TrimSpace(string(a.Comment)), got, want)
		}
	}
}
