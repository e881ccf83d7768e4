package levels_test

import (
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/stages/behaviour/levels"
	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
)

// TestStories compares model sets with the completion that the name of the wanted result says.
func TestStories(t *testing.T) {
	completions := map[string]levels.Completion{"none": levels.None, "partial": levels.Partial, "full": levels.Full}
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, want string) string {
		completion, known := completions[want]
		if !known {
			t.Fatalf("no completion %q", want)
		}
		return render(compare(t, parse(t, string(files[0].Data)), completion))
	})
}
