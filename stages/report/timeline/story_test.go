package timeline

import (
	"fmt"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestStories draws the windows of testdata. A story gives the events, then the first and the last nanosecond of the
// window, and a file "path" where the window shows the path back from the last event. It wants the picture and the trace.
func TestStories(t *testing.T) {
	storytest.Play(t, -2, func(t *testing.T, files []txtar.File, format string) string {
		b := read(t, string(files[0].Data))
		var from, to int64
		expect.Value(fmt.Sscan(string(files[1].Data), &from, &to))(t)
		w := b.cut(from, to)
		w.Components = 5
		if slices.ContainsFunc(files, func(f txtar.File) bool { return f.Name == "path" }) {
			w.Path = b.walkBack()
		}
		svg, trace := outputs(t, w, Options{Width: 800})
		if format == "svg" {
			return svg
		}
		return trace
	})
}
