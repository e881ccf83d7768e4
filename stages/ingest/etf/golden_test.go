package etf

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
)

// TestStories reads the traces of testdata: the attribute for components if there is one, the text, and the events and
// losses it must give.
func TestStories(t *testing.T) {
	storytest.Play(t, -1, func(t *testing.T, files []txtar.File, _ string) string {
		var options schema.ReadingOptions
		if files[0].Name == "component" {
			options.Component = strings.TrimSpace(string(files[0].Data))
		}
		text := files[len(files)-1].Data
		got := listen(t, string(text), options, 1<<20, false)
		if got.err != nil {
			t.Fatal(got.err)
		}
		if !Detect(text) {
			t.Error("not detected")
		}
		told := strings.Join(got.lines(), "\n") + "\n"
		if losses := got.losses(); losses != "" {
			told += "--\n" + losses + "\n"
		}
		return told
	})
}
