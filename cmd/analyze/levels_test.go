package main

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
)

// TestWalkThroughOfMIDS compares the before and after of MIDS's walk-through (docs/example.md of TNO/MIDS at 9ae50b1): of four
// service fragments one changed, one is only in the first trace and one only in the second.
func TestWalkThroughOfMIDS(t *testing.T) {
	const want = `comparison input1-vs-input2: the behaviour of 2 model sets

1  Which behave alike: those with one letter
  A  input1  3 fragments  1 run
  B  input2  3 fragments  1 run

2  Which extend which: in A -> B, B can do all that A can; +fragments that A lacks, ~fragments that can do more
  none

3  How many fragments differ
          input1  input2
  input1       0       3
  input2       3       0

4  Which variant of a fragment they have: 3 not the same everywhere, 1 the same
  input1  input2  component  fragment
  A       B       CompB      some_operation (sync handler) from CompA
  A       -       CompC      some_new_operation (sync handler) from CompB
  -       A       CompC      some_other_operation (sync handler) from CompB

5  Which variants of a fragment extend which: in A -> B, B can do all that A can; in A | B, neither
  CompB  some_operation (sync handler) from CompA  A | B

6  What differs in structure: +transitions that only the second variant has, -only the first
  A | B  +2  -2  CompB  some_operation (sync handler) from CompA

From input1 to input2: 1 appeared, 1 vanished, 1 changed (0 extended, 0 reduced, 1 replaced), 0 moved
  appeared  CompC  some_other_operation (sync handler) from CompB
  vanished  CompC  some_new_operation (sync handler) from CompB
  changed   CompB  some_operation (sync handler) from CompA        replaced, A -> B
`
	folder, err := filepath.Abs("../../testdata/traces/mids")
	noError(t, err)
	t.Chdir(t.TempDir())
	for _, name := range []string{"input1", "input2"} {
		noError(t, load(context.Background(), []string{filepath.Join(folder, name+".tmsct")}, nil, nil, nil))
	}
	var out bytes.Buffer
	noError(t, run(context.Background(), []string{"levels", "input1", "input2", "--quiet"}, strings.NewReader(""), &out, &out))
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
