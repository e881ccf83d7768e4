package slack_test

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recording is a chart as PPS made it, with the slacks that PPS found, by sequence number.
type recording struct {
	*chart
	slacks []int64
}

// field is the number after a name; null is schema.NoValue.
func field(t *testing.T, line, name string) int64 {
	t.Helper()
	_, rest, found := strings.Cut(line, " "+name+"=")
	word, _, _ := strings.Cut(rest, " ")
	if word == "null" {
		return schema.NoValue
	}
	n, err := strconv.ParseInt(word, 10, 64)
	if err != nil || !found {
		t.Fatalf("%s in %q: %v", name, line, err)
	}
	return n
}

// lines reads testdata/tr1000.out: the fields of the lines of events, by time, and the lines of constraints.
func lines(t *testing.T) (events [][]string, constraints []string) {
	t.Helper()
	text := expect.Value(os.ReadFile("testdata/tr1000.out"))(t)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if word := strings.Fields(line); word[0] == "E" {
			events = append(events, word)
		} else {
			constraints = append(constraints, line)
		}
	}
	ns := func(event []string) int64 { return field(t, " time="+event[2], "time") }
	slices.SortFunc(events, func(a, b []string) int { return cmp.Compare(ns(a), ns(b)) })
	return events, constraints
}

// recorded is the recording with the positions in order of time for sequence numbers.
func recorded(t *testing.T) recording {
	t.Helper()
	events, constraints := lines(t)
	r, seq := recording{chart: newChart()}, map[string]int64{}
	for i, e := range events { // E executor time >|< function traced slack
		r.event(int64(i), field(t, " time="+e[2], "time"))
		r.slacks = append(r.slacks, field(t, " "+e[6], "slack"))
		seq[e[1]+"@"+e[2]+e[3]+e[4]] = int64(i)
	}
	for _, line := range constraints {
		word := strings.Fields(line) // D type source -> target
		source, known := seq[word[2]]
		target, too := seq[word[4]]
		if !known || !too {
			t.Fatalf("an end of %q is no event", line)
		}
		r.edge(source, target, field(t, line, "tb"), 0)
		expect.Equal(expect.Must(t), r.into[target][len(r.into[target])-1].DurationNs, field(t, line, "dur"), "%q: distance of its ends", line)
	}
	return r
}

// Slacks are those of PPS. It has none for the one event that no constraint leaves, and this package 0.
func TestAsPPS(t *testing.T) {
	r := recorded(t)
	expect.Equal(expect.Must(t), len(r.events), 1000, "events")
	out := r.out()
	for i, s := range r.slacks {
		if s == schema.NoValue {
			if len(out[int64(i)]) > 0 {
				t.Fatalf("event %d has constraints and no slack", i)
			}
			r.slacks[i] = 0
		}
	}
	for _, size := range []int64{1, 2, 7, 64, 333, 999, 1000} {
		slacks, urgents, _, _ := walk(t, r.every(size))
		for i := range slacks {
			if slacks[i] != r.slacks[i] {
				t.Errorf("windows of %d: event %d has slack %d, PPS has %d", size, i, slacks[i], r.slacks[i])
			}
			if ns := r.timeNs[int64(i)]; urgents[i] > ns {
				t.Errorf("windows of %d: event %d at %d cannot be before %d", size, i, ns, urgents[i])
			}
		}
	}
}
