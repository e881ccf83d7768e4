package pipeline_test

import (
	"go/ast"
	"go/token"
	"path"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// What a room may hold before its reader loses the way. A command is flags to a job to a report, so all commands of analyze
// together stay small, and few of their files need each other.
const (
	mostFiles        = 40
	mostWings        = 12
	mostCommandLines = 5000
	largestKnot      = 10
)

// TestRoomsAreSmall sees that no room has more files than a reader overlooks.
func TestRoomsAreSmall(t *testing.T) {
	_, files := sources(t)
	count := make(map[string]int)
	for _, f := range files {
		count[f.room]++
	}
	for room, n := range count {
		if n > mostFiles {
			t.Errorf("%s has %d files, and may have %d", room, n, mostFiles)
		}
	}
}

// TestWingsAreFew sees that the analysis has no more chapters than a reader keeps in mind, and that each says what it is about.
func TestWingsAreFew(t *testing.T) {
	_, files := sources(t)
	wings := make(map[string]bool) // whether it has a doc.go
	for _, f := range files {
		if rest, in := strings.CutPrefix(f.room, "stages/"); in {
			wing, below, _ := strings.Cut(rest, "/")
			wings[wing] = wings[wing] || below == "" && path.Base(f.path) == "doc.go"
		}
	}
	if len(wings) > mostWings {
		t.Errorf("stages has %d folders, and may have %d", len(wings), mostWings)
	}
	for wing, told := range wings {
		if !told {
			t.Errorf("stages/%s has no doc.go", wing)
		}
	}
}

// TestCommandsAreNoKnot sees that the commands of analyze stay thin: analyses belong into the stages and the pipeline, where
// other programs reach them too.
func TestCommandsAreNoKnot(t *testing.T) {
	set, files := sources(t)
	var trees []*ast.File
	lines := 0
	for _, f := range files {
		if f.room == "cmd/analyze" {
			trees = append(trees, f.tree)
			lines += set.File(f.tree.Pos()).LineCount()
		}
	}
	if lines > mostCommandLines {
		t.Errorf("cmd/analyze has %d lines, and may have %d", lines, mostCommandLines)
	}
	if k := largest(references(set, trees)); len(k) > largestKnot {
		t.Errorf("%d files of cmd/analyze need each other, and %d may: %s", len(k), largestKnot, strings.Join(k, " "))
	}
}

// TestKnotsAreSeen plants files that need each other by a function, a method, a field and a constant, and one that is needed
// only. A local name that hides one of the package is no reference to it.
func TestKnotsAreSeen(t *testing.T) {
	set := token.NewFileSet()
	var trees []*ast.File
	for name, text := range map[string]string{
		"a.go": `package main; import "elsewhere"; func a() { b(); elsewhere.Do() }`,
		"b.go": `package main; type box struct { field int }; func b() { var s store; s.keep(limit) }`,
		"c.go": `package main; type store struct{}; func (store) keep(int) { a() }; const limit = 1`,
		"d.go": `package main; func d(x box) int { return x.field }`,
		"e.go": `package main; func e() { a := 1; _ = a; d(box{}) }`,
	} {
		trees = append(trees, expect.Value(parseText(set, name, text))(t))
	}
	expect.Equal(t, strings.Join(largest(references(set, trees)), " "), "a.go b.go c.go", "the knot")
}
