package automaton

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/stages/chart/testdata/storytest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestStories draws the automata of testdata as SVG and as DOT.
func TestStories(t *testing.T) {
	storytest.Play(t, 1, func(t *testing.T, files []txtar.File, format string) string {
		a := read(t, string(files[0].Data))
		if format == "svg" {
			return draw(t, a, 900*px)
		}
		var dot bytes.Buffer
		expect.OK(t, WriteDOT(&dot, a))
		return dot.String()
	})
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
		a = expect.Value(Fold(a))(t)
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
