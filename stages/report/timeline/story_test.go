package timeline

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the pictures into the stories")

// TestStories draws the windows of testdata: events, the window, maybe its path, and the picture and the trace of it.
func TestStories(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no stories", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { story(t, path) })
	}
}

func story(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string]*txtar.File)
	for i := range archive.Files {
		files[archive.Files[i].Name] = &archive.Files[i]
	}
	b := read(t, string(files["events"].Data))
	var from, to int64
	if _, err := fmt.Sscan(string(files["window"].Data), &from, &to); err != nil {
		t.Fatal(err)
	}
	w := b.cut(from, to)
	w.Components = 5
	if files["path"] != nil {
		w.Path = b.walkBack()
	}
	var svg, trace bytes.Buffer
	if err := Layout(w, Options{Width: 800}).WriteSVG(&svg); err != nil {
		t.Fatal(err)
	}
	if err := WriteChrome(&trace, w); err != nil {
		t.Fatal(err)
	}
	if *update {
		files["svg"].Data, files["json"].Data = svg.Bytes(), trace.Bytes()
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	same(t, "svg", svg.String(), string(files["svg"].Data))
	same(t, "json", trace.String(), string(files["json"].Data))
}

// same tells the first line that differs.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s, line %d: got %q, want %q", what, i+1, strings.Join(g[min(i, len(g)):min(i+1, len(g))], ""),
				strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
}
