package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestWalkThroughOfMIDS compares the before and after of MIDS's walk-through (docs/example.md of TNO/MIDS at 9ae50b1): of four
// service fragments one changed, one is only in the first trace and one only in the second.
func TestWalkThroughOfMIDS(t *testing.T) {
	want, err := os.ReadFile("testdata/levels_of_mids.txt")
	noError(t, err)
	folder, err := filepath.Abs("../../testdata/traces/mids")
	noError(t, err)
	t.Chdir(t.TempDir())
	for _, name := range []string{"input1", "input2"} {
		noError(t, load(context.Background(), []string{filepath.Join(folder, name+".tmsct")}, nil, nil, nil))
	}
	var out bytes.Buffer
	noError(t, run(context.Background(), []string{"levels", "input1", "input2", "--quiet"}, strings.NewReader(""), &out, &out))
	expect.Equal(t, out.String(), string(want), "levels")
}
