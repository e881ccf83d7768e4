package chrome

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write what is read into the stories")

// Every story is a trace and what is read from it. The component option stands in its first line, where it is not the default.
func TestStories(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no stories", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			o := options{}
			if _, rest, found := strings.Cut(string(a.Comment), "component="); found {
				o.component = strings.Fields(rest)[0]
			}
			text := string(a.Files[0].Data)
			if strings.Contains(string(a.Comment), "without its line end") {
				text = strings.TrimSuffix(text, "\n")
			}
			if !Detect([]byte(text)) && !strings.Contains(string(a.Comment), "not detected") {
				t.Error("not detected")
			}
			got := read(text, o).String()
			if err := Format().CheckComponent(o.component); err != nil {
				got = "error: " + err.Error() + "\n"
			}
			if *update {
				a.Files = append(a.Files[:1], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(path, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want := string(a.Files[1].Data); got != want {
				t.Errorf("read\n%s\nwant\n%s", got, want)
			}
		})
	}
}
