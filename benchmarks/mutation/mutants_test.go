package main

import (
	"fmt"
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

// TestSamples sees that a sample has its share of the mutants, and that the samples of two seeds share no more than chance says.
func TestSamples(t *testing.T) {
	const mutants, share = 10_000, 4
	var sizes [2]int
	both := 0
	for i := range mutants {
		id := fmt.Sprintf("stages/p.go:%d-%d:<=", i, i+1)
		first, second := chosen(id, share, 1), chosen(id, share, 2)
		if first {
			sizes[0]++
		}
		if second {
			sizes[1]++
		}
		if first && second {
			both++
		}
	}
	// Six standard deviations of a binomial share are 260 of 2500 and 145 of 625.
	for _, size := range sizes {
		if size < 2500-260 || size > 2500+260 {
			t.Errorf("a sample of one of %d has %d of %d mutants", share, size, mutants)
		}
	}
	if both < 625-145 || both > 625+145 {
		t.Errorf("two samples have %d mutants in common, where chance gives 625", both)
	}
}
