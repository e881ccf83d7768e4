package ltsdiff

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func sortStrings(s []string) { slices.Sort(s) }

// recorded are the algorithms whose scores, matching and difference gLTSdiff 1.1.0 was recorded with.
var recorded = []struct {
	name   string
	scores func(l, r *Automaton) *Scores
	match  Matcher
}{
	{"dynamic", Global, Dynamic},
	{"local1", func(l, r *Automaton) *Scores { return Local(l, r, 1) }, LocalLandmarks(1)},
	{"local5", func(l, r *Automaton) *Scores { return Local(l, r, 5) }, LocalLandmarks(5)},
	{"global", Global, GlobalLandmarks},
	{"local1-km", func(l, r *Automaton) *Scores { return Local(l, r, 1) }, LocalAssignment(1)},
}

var recordedPairs = []string{"cmi40", "rnd40"}

func readPair(t *testing.T, pair string) (left, right *Automaton, l labels) {
	l = labels{}
	return readAut(t, "recorded/"+pair+"_l.aut", l), readAut(t, "recorded/"+pair+"_r.aut", l), l
}

func TestRecordedScores(t *testing.T) {
	for _, pair := range recordedPairs {
		left, right, _ := readPair(t, pair)
		for _, c := range recorded {
			s := c.scores(left, right)
			for x, line := range readLines(t, fmt.Sprintf("recorded/%s_%s.scores", pair, c.name)) {
				for y, word := range strings.Split(line, "\t") {
					want := expect.Value(strconv.ParseFloat(word, 64))(t)
					if got := s.At(int32(x), int32(y)); got != want && !(math.Abs(got-want) < 1e-9) {
						t.Fatalf("%s %s: score of %d, %d is %v, want %v", pair, c.name, x, y, got, want)
					}
				}
			}
		}
	}
}

func readMatch(t *testing.T, pair, name string) (pairs []Pair) {
	for _, line := range readLines(t, fmt.Sprintf("recorded/%s_%s.match", pair, name)) {
		f := strings.Fields(line)
		pairs = append(pairs, Pair{parse(f[0]), parse(f[1])})
	}
	return pairs
}

func TestRecordedMatchings(t *testing.T) {
	for _, pair := range recordedPairs {
		left, right, _ := readPair(t, pair)
		for _, c := range recorded {
			got, want := c.match(left, right), readMatch(t, pair, c.name)
			if c.name == "local1-km" && pair == "cmi40" {
				continue // there are several assignments of the same sum
			}
			expect.Slice(t, got, want, "%s %s", pair, c.name)
		}
	}
}

// lineDifference lists the lines that only one of two texts has.
func lineDifference(got, want string) string {
	var b strings.Builder
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for _, line := range g {
		if !slices.Contains(w, line) {
			b.WriteString("\n got  " + line)
		}
	}
	for _, line := range w {
		if !slices.Contains(g, line) {
			b.WriteString("\n want " + line)
		}
	}
	return b.String()
}

// TestRecordedDifferences merges and rewrites with the recorded matchings.
func TestRecordedDifferences(t *testing.T) {
	for _, pair := range recordedPairs {
		left, right, l := readPair(t, pair)
		for _, c := range recorded {
			d := expect.Value(Merge(Only(left), right, readMatch(t, pair, c.name)))(t)
			d.Rewrite()
			want := readDot(t, fmt.Sprintf("recorded/%s_%s.dot", pair, c.name), l)
			if g, w := write(d, l), write(want, l); g != w {
				t.Errorf("%s %s:%s", pair, c.name, lineDifference(g, w))
			}
		}
	}
}

// TestNeverWorse counts unchanged transitions beside gLTSdiff's.
func TestNeverWorse(t *testing.T) {
	for _, pair := range recordedPairs {
		left, right, l := readPair(t, pair)
		best := 0
		for _, c := range recorded {
			d := expect.Value(Compare(c.match, left, right))(t)
			theirs := readDot(t, fmt.Sprintf("recorded/%s_%s.dot", pair, c.name), l).Count(Unchanged)
			best = max(best, theirs)
			t.Logf("%s %s: %d unchanged transitions, gLTSdiff %d", pair, c.name, d.Count(Unchanged), theirs)
			if d.Count(Unchanged) < theirs {
				t.Errorf("%s %s: %d unchanged transitions, gLTSdiff has %d", pair, c.name, d.Count(Unchanged), theirs)
			}
		}
		d := expect.Value(Compare(Fast, left, right))(t)
		t.Logf("%s fast: %d unchanged transitions, gLTSdiff at best %d", pair, d.Count(Unchanged), best)
		if d.Count(Unchanged) < best {
			t.Errorf("%s fast: %d unchanged transitions, gLTSdiff has %d", pair, d.Count(Unchanged), best)
		}
	}
}
