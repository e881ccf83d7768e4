package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
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

// A comma between labels is AND, as wherever runs are selected; between names it makes a set of these.
func TestModelSetsOfSeveralLabels(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, labels := range map[string][]string{"a": {"release=1", "load=low"}, "b": {"release=1", "load=high"}, "c": {"release=2", "load=low"}} {
		expect.OK(t, os.WriteFile(name+".txt", []byte(twoFetches), 0o666))
		expect.OK(t, load(t.Context(), append([]string{name + ".txt"}, labels...), nil, nil, nil))
	}
	l := expect.Value(lake.Open("lake", false))(t)
	sets := expect.Value(modelSets(l, []string{"release=1,load=low", "b,c", "release=1"}))(t)
	expect.Equal(t, fmt.Sprint(sets), "[{1+low [a]} {b+c [b c]} {1 [a b]}]", "sets")
	if _, err := modelSets(l, []string{"a,release=2"}); err == nil {
		t.Error("a run that is not of release 2 is a set")
	}
}
