package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestLeakedCalls analyzes a thread that never leaves its calls, more of them than an exit is looked for among, before it leaves
// the outermost one. No call is the root of another then, and no fragment has a path.
func TestLeakedCalls(t *testing.T) {
	t.Chdir(t.TempDir())
	var text strings.Builder
	text.WriteString("0.000000 A > outer\n")
	for i := range 4100 {
		fmt.Fprintf(&text, "0.%06d A > f%d\n", i+1, i%7)
	}
	text.WriteString("0.005000 A < outer\n")
	expect.OK(t, os.WriteFile("a.txt", []byte(text.String()), 0o666))
	expect.OK(t, load(t.Context(), []string{"a.txt"}, nil, nil, nil))
	analyzed(t, "run")
	out := strings.Fields(analyzed(t, "query", "select count(*) as paths from compositions"))
	expect.Equal(t, out[2], "0", "paths in %v", out)
}
