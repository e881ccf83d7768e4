package kieker

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the wanted results of the stories")

// story is a log of an archive: its files, but for those that are not of the log. The last line of a file
// pendingCall a.dat is torn, where the story is of defects.
func story(a *txtar.Archive) (fsys fstest.MapFS, component string, want *txtar.File) {
	fsys = fstest.MapFS{}
	for i, f := range a.Files {
		switch f.Name {
		case "want":
			want = &a.Files[i]
		case "component":
			component = strings.TrimSpace(string(f.Data))
		default:
			data := f.Data
			if strings.Contains(string(a.Comment), "torn") && f.Name == "a.dat" {
				data = data[:len(data)-1]
			}
			fsys["log/"+f.Name] = &fstest.MapFile{Data: data}
		}
	}
	return fsys, component, want
}

func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d stories: %v", len(files), err)
	}
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		check(t, err)
		fsys, component, want := story(a)
		got := read(reading(fsys, "log", component)).String()
		if *update {
			want.Data = []byte(got)
			check(t, os.WriteFile(name, txtar.Format(a), 0o644))
		}
		if string(want.Data) != got {
			t.Errorf("%s: got\n%swant\n%s", name, got, want.Data)
		}
	}
}
