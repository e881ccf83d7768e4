package levels_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/stages/behaviour/levels"
)

var update = flag.Bool("update", false, "rewrite the wanted results of the stories")

// TestStories plays model sets with the completion that the name of the wanted result says.
func TestStories(t *testing.T) {
	completions := map[string]levels.Completion{"none": levels.None, "partial": levels.Partial, "full": levels.Full}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories: %v", err)
	}
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(a.Files); i++ {
			want := &a.Files[i]
			completion, known := completions[want.Name]
			if !known {
				t.Fatalf("%s: no completion %q", name, want.Name)
			}
			got := render(compare(t, parse(t, string(a.Files[0].Data)), completion))
			if *update {
				want.Data = []byte(got)
			}
			if got != string(want.Data) {
				t.Errorf("%s, %s: got\n%swant\n%s", name, want.Name, got, want.Data)
			}
		}
		if *update {
			if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
