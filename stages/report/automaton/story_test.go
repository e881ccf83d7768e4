package automaton

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "write the pictures into the stories")

// TestStories draws the automata of testdata as SVG and as DOT.
func TestStories(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no stories", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { story(t, path) })
	}
}

func story(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := read(t, string(archive.Files[0].Data))
	var svg, dot bytes.Buffer
	p, err := Layout(a, 900*px)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.WriteSVG(&svg); err != nil {
		t.Fatal(err)
	}
	if err := WriteDOT(&dot, a); err != nil {
		t.Fatal(err)
	}
	if *update {
		archive.Files = append(archive.Files[:1], txtar.File{Name: "svg", Data: svg.Bytes()}, txtar.File{Name: "dot", Data: dot.Bytes()})
		if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	same(t, "svg", svg.String(), string(archive.Files[1].Data))
	same(t, "dot", dot.String(), string(archive.Files[2].Data))
}

// read reads an automaton: a line "state NUMBER [initial] [accepting] [base|cand]" for each state, and for each transition
// "SOURCE TARGET both|base|cand BASE-SAMPLES CAND-SAMPLES VERDICT|- LABEL [/ NOTE]", samples in microseconds with commas
// or "-". A line "fold" folds it, "compared" says that there are two sides.
func read(t *testing.T, text string) *Automaton {
	t.Helper()
	a := &Automaton{Title: "worker.run from client", Subtitle: "run a against run b"}
	fold := false
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch words[0] {
		case "compared":
			a.Compared = true
		case "fold":
			fold = true
		case "state":
			s := State{Number: integer(t, words[1]), Initial: slices.Contains(words, "initial"), Accepting: slices.Contains(words, "accepting")}
			s.Side = Side(max(slices.Index(sides, words[len(words)-1]), 0))
			a.States = append(a.States, s)
		default:
			label, note, _ := strings.Cut(strings.Join(words[6:], " "), " / ")
			tr := Transition{Source: integer(t, words[0]), Target: integer(t, words[1]), Label: label, Note: note}
			tr.Side = Side(slices.Index(sides, words[2]))
			tr.Base, tr.Cand = times(t, words[3]), times(t, words[4])
			if words[5] != "-" {
				tr.Changed, tr.Verdict = true, words[5]
			}
			a.Transitions = append(a.Transitions, tr)
		}
	}
	if fold {
		var err error
		if a, err = Fold(a); err != nil {
			t.Fatal(err)
		}
	}
	return a
}

var sides = []string{"both", "base", "cand"}

func times(t *testing.T, text string) (s Times) {
	t.Helper()
	if text == "-" {
		return s
	}
	for word := range strings.SplitSeq(text, ",") {
		s.SamplesNs = append(s.SamplesNs, integer(t, word)*1000)
	}
	s.Count = int64(len(s.SamplesNs))
	s.MedianNs = s.SamplesNs[len(s.SamplesNs)/2]
	return s
}

func integer(t *testing.T, word string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil {
		t.Fatal(fmt.Errorf("%q: %w", word, err))
	}
	return n
}

// same tells the first line that differs.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("%s, line %d: got %q, want %q", what, i+1, strings.Join(g[min(i, len(g)):min(i+1, len(g))], ""),
				strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""))
		}
	}
}
