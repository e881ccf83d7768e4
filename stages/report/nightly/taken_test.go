package nightly

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// A trace whose run has the name of another one is not damaged, and the night says what it is.
func TestNameThatIsTaken(t *testing.T) {
	n := &Night{Name: "2026-01-02", Traces: []Trace{
		{Path: "a/curl-8.14.1.txt", Run: "curl-8.14.1", State: Ingested},
		{Path: "b/curl-8.14.1.txt", Run: "curl-8.14.1", State: Taken, Says: "it would be run curl-8.14.1, as a/curl-8.14.1.txt is: give run, a name that differs"},
	}}
	expect.Equal(t, n.Headline(), "1 trace ingested; 1 named as another trace", "the headline")
	expect.Equal(t, n.Verdict(), Failed, "the verdict")
	said := strings.Join(Earlier([]*Night{n}, "2026-01-03"), "\n")
	if !strings.Contains(said, "still named as another trace: it would be run curl-8.14.1") {
		t.Errorf("it says %q", said)
	}
}
