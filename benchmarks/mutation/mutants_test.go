package main

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestMutants lists the mutants of a small program by hand.
func TestMutants(t *testing.T) {
	const source = `package p

const most = 7

func f(a, b int, s string) int {
	for i := 0; i < a; i++ {
		b += i
	}
	if s+"x" == "yx" && !g() {
		return a - b
	}
	b = 2
	_ = append(make([]int, 3, 4), len(make(map[int]int, 5)), int(math.Inf(6)))
	return b
}
`
	all := expect.Value(mutantsIn("p.go", []byte(source)))(t)
	var got []string
	for _, m := range all {
		got = append(got, strings.ReplaceAll(m.What, "\n", " "))
		changed := source[:m.From] + m.New + source[m.To:]
		if changed == source {
			t.Errorf("%s changes nothing", m.id())
		}
	}
	expect.Slice(t, got, []string{
		`"0" becomes "1" in "for i := 0; i < a; i++ {"`,
		`"i < a" becomes "false" in "for i := 0; i < a; i++ {"`,
		`"<" becomes "<=" in "for i := 0; i < a; i++ {"`,
		`"b += i" goes`,
		`"s+\"x\" == \"yx\" && !g()" becomes "!(s+\"x\" == \"yx\" && !g())" in "if s+\"x\" == \"yx\" && !g() {"`,
		`"==" becomes "!=" in "if s+\"x\" == \"yx\" && !g() {"`,
		`"&&" becomes "||" in "if s+\"x\" == \"yx\" && !g() {"`,
		`"-" becomes "+" in "return a - b"`,
		`"b = 2" goes`,
		`"2" becomes "3" in "b = 2"`,
		`"_ = append(make([]int, 3, 4), len(make(map[int]int, 5)), int(math.Inf(6)))" goes`,
		`"3" becomes "4" in "_ = append(make([]int, 3, 4), len(make(map[int]int, 5)), int(math.Inf(6)))"`,
	}, "mutants")
}
