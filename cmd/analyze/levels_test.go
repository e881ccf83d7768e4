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
	want := expect.Value(os.ReadFile("testdata/levels_of_mids.txt"))(t)
	folder := expect.Value(filepath.Abs("../../testdata/traces/mids"))(t)
	t.Chdir(t.TempDir())
	for _, name := range []string{"input1", "input2"} {
		expect.OK(t, load(context.Background(), []string{filepath.Join(folder, name+".tmsct")}, nil, nil, nil))
	}
	var out bytes.Buffer
	expect.OK(t, run(context.Background(), []string{"levels", "input1", "input2", "--quiet"}, strings.NewReader(""), &out, &out))
	expect.Equal(t, out.String(), string(want), "levels")
}
