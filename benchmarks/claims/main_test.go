package main

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestTrace counts the lines of each kind, and sees that a seed gives the same trace and another one does not.
func TestTrace(t *testing.T) {
	of := func(seed uint64) string {
		var b strings.Builder
		trace(&b, 700, seed)
		return b.String()
	}
	first, again := of(1), of(1)
	kinds := make(map[string]int)
	for _, line := range strings.Split(strings.TrimSpace(first), "\n") {
		kinds[line[:2]]++
	}
	expect.Deep(t, kinds, map[string]int{"TU": 1, "R ": 28, "C ": 700, "D ": 600}, "lines")
	expect.Equal(t, first == again, true, "whether a seed gives the same trace")
	expect.Equal(t, first == of(2), false, "whether two seeds give the same trace")
}
