package etf

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the stories want")

// TestStories reads the traces of testdata: a story, its text, the attribute for components if there is one, and
// the events and losses it must give.
func TestStories(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no stories", err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) { story(t, path) })
	}
}

func story(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]*txtar.File{}
	for i := range archive.Files {
		files[archive.Files[i].Name] = &archive.Files[i]
	}
	var options schema.ReadingOptions
	if f := files["component"]; f != nil {
		options.Component = strings.TrimSpace(string(f.Data))
	}
	got := listen(t, string(files["text"].Data), options, 1<<20, false)
	if got.err != nil {
		t.Fatal(got.err)
	}
	if !Detect(files["text"].Data) {
		t.Error("not detected")
	}
	told := strings.Join(got.lines(), "\n") + "\n"
	if losses := got.losses(); losses != "" {
		told += "--\n" + losses + "\n"
	}
	if *update {
		files["want"].Data = []byte(told)
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(files["want"].Data); told != want {
		t.Errorf("got\n%s\nwant\n%s", told, want)
	}
}
