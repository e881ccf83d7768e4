package ingest_test

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// callsApart is a text of calls from a to b and from b to c, of which the clocks show times that are ahead by so much.
func callsApart(ahead map[string]int64) string {
	type line struct {
		ns   int64
		text string
	}
	rng, now, id := rand.New(rand.NewSource(3)), int64(1_000_000_000), 0
	var lines []line
	add := func(component, text string, least int64) {
		now += least + rng.Int63n(least/10)
		lines = append(lines, line{now + ahead[component], component + " " + text})
	}
	for range 100 {
		add("a", fmt.Sprintf("> call !%d", id), 5_000_000)
		add("b", fmt.Sprintf("> handle ?%d", id), 200_000)
		add("b", fmt.Sprintf("> query !%d", id+1), 1_000_000)
		add("c", fmt.Sprintf("> select ?%d", id+1), 150_000)
		add("c", fmt.Sprintf("< select !%d", id+2), 3_000_000)
		add("b", fmt.Sprintf("< query ?%d", id+2), 150_000)
		add("b", fmt.Sprintf("< handle !%d", id+3), 1_000_000)
		add("a", fmt.Sprintf("< call ?%d", id+3), 200_000)
		id += 4
	}
	slices.SortStableFunc(lines, func(a, b line) int { return cmp.Compare(a.ns, b.ns) })
	var text strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&text, "%d %s\n", l.ns, l.text)
	}
	return text.String()
}

// TestClocksOfComponents sets the clocks of components apart, so far that messages are received before they are sent. By themselves
// or by what is known of them they are brought together again, and nothing is lost; where nobody asks they stay as they are.
func TestClocksOfComponents(t *testing.T) {
	path := write(t, "trace", callsApart(map[string]int64{"b": 7_000_000, "c": -4_000_000}))
	for _, c := range []struct {
		what   string
		clocks schema.Clocks
		said   string
		early  bool
	}{
		{"nobody asks", schema.Clocks{Mode: schema.ClocksAuto}, "[]", true},
		{"they find each other", schema.Clocks{Mode: schema.ClocksAuto, Of: "component"}, "[the clock of b is 7.00 ms ahead (± 2", false},
		{"they are kept", schema.Clocks{Mode: schema.ClocksKeep, Of: "component"}, "[]", true},
		{"they are known", schema.Clocks{Mode: schema.ClocksKeep, AheadNs: map[string]int64{"b": 7_000_000, "c": -4_000_000}}, "[]", false},
		{"one is known", schema.Clocks{Mode: schema.ClocksAuto, AheadNs: map[string]int64{"b": 7_000_000}}, "[the clock of ", false},
		{"a name is wrong", schema.Clocks{Mode: schema.ClocksKeep, AheadNs: map[string]int64{"d": 1}}, "[no clock is called d", true},
	} {
		j, said := job(t, path), []string{}
		j.Options.Clocks = c.clocks
		j.Say = func(sentence string) { said = append(said, sentence) }
		run, losses, err := ingest.Run(t.Context(), j)
		noError(t, err)
		if !strings.HasPrefix(fmt.Sprint(said), c.said) || run.Messages != 400 || run.Events != 800 || len(losses) > 0 != c.early {
			t.Errorf("%s: said %q, %d messages, %d events, losses %v", c.what, said, run.Messages, run.Events, losses)
		}
		noError(t, err)
		if bounds := expect.Value(j.Lake.Manifest("clock_bounds", lake.Run(j.Run)))(t); (bounds != nil) != strings.HasPrefix(c.said, "[the clock") {
			t.Errorf("%s: the table clock_bounds is %v", c.what, bounds)
		}
	}
}

// TestClocksThatAgree asks for clocks of components that agree: the files are those of a trace where nobody asks.
func TestClocksThatAgree(t *testing.T) {
	path := write(t, "trace", callsApart(nil))
	rows := make(map[string]string)
	for _, mode := range []string{schema.ClocksAuto, schema.ClocksKeep} {
		j := job(t, path)
		j.Options.Clocks = schema.Clocks{Mode: mode, Of: "component"}
		_, losses, err := ingest.Run(t.Context(), j)
		noError(t, err)
		for _, table := range ingest.RunTables() {
			for _, f := range expect.Value(j.Lake.Manifest(table, lake.Run(j.Run)))(t).Files {
				rows[mode] += fmt.Sprintln(table, f.Rows, f.Crc32c, losses)
			}
		}
	}
	if rows[schema.ClocksAuto] != rows[schema.ClocksKeep] {
		t.Errorf("%v", rows)
	}
}
