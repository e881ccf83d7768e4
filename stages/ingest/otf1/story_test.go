package otf1

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/testdata/expect"
)

var update = flag.Bool("update", false, "write what the stories are read as")

// TestStories reads every small trace of testdata and compares events and losses with those wanted.
func TestStories(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d stories, %v", len(paths), err)
	}
	for _, path := range paths {
		archive := expect.Value(txtar.ParseFile(path))(t)
		fsys, want := unpack(archive)
		got := read(fsys, "t.otf").String()
		if *update {
			archive.Files = append(archive.Files[:len(fsys)], txtar.File{Name: "want", Data: []byte(got)})
			expect.OK(t, os.WriteFile(path, txtar.Format(archive), 0o666))
		} else if got != want {
			t.Errorf("%s: got\n%swant\n%s", path, got, want)
		}
	}
}

// unpack gives the files of a story, of which a "~" at the end goes with the line end behind it, and what is wanted.
func unpack(archive *txtar.Archive) (fsys fstest.MapFS, want string) {
	fsys = make(fstest.MapFS)
	for _, f := range archive.Files {
		if f.Name == "want" {
			want = string(f.Data)
			continue
		}
		data := f.Data
		if cut, ok := bytes.CutSuffix(data, []byte("~\n")); ok {
			data = cut
		}
		fsys[f.Name] = &fstest.MapFile{Data: data}
	}
	return fsys, want
}
