package spans

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
)

// TestStories reads the stories of testdata: spans, and the events and losses that they must give.
func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, _ string) string {
		return story(t, string(files[0].Data)).String()
	})
}
