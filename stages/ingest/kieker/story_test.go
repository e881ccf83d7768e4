package kieker

import (
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
)

// TestStories reads the logs of testdata. All files of a story but the last are those of its log; a file component
// gives the option, and a file whose name ends in "torn" loses its last line end.
func TestStories(t *testing.T) {
	storytest.Play(t, -1, func(t *testing.T, files []txtar.File, _ string) string {
		fsys, component := fstest.MapFS{}, ""
		for _, f := range files {
			if f.Name == "component" {
				component = strings.TrimSpace(string(f.Data))
				continue
			}
			name, torn := strings.CutSuffix(f.Name, " torn")
			if torn {
				f.Data = f.Data[:len(f.Data)-1]
			}
			fsys["log/"+name] = &fstest.MapFile{Data: f.Data}
		}
		return read(reading(fsys, "log", component)).String()
	})
}
