package chrome

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
)

// TestStories reads the stories of testdata: a trace and what is read from it. The name of the result gives the
// component option where it is not the default, that of the trace says where it has no line end or is not detected.
func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, want string) string {
		text, name := string(files[0].Data), files[0].Name
		if strings.HasSuffix(name, "without line end") {
			text = strings.TrimSuffix(text, "\n")
		}
		if Detect([]byte(text)) == strings.HasSuffix(name, "not detected") {
			t.Error("not detected, or what is no trace is")
		}
		_, component, _ := strings.Cut(want, "component=")
		if err := Format().CheckComponent(component); err != nil {
			return "error: " + err.Error() + "\n"
		}
		return read(text, options{component: component}).String()
	})
}
