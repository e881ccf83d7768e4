package verdict

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestTextFitsTheTerminal writes a report of long names for terminals of 80 to 160 columns: no line but a command is wider, what was left out is
// said, and a file has whole names.
func TestTextFitsTheTerminal(t *testing.T) {
	of := sides(5, 5)
	for i := range of.Base {
		of.Base[i], of.Cand[i] = fmt.Sprintf("before-a-change-%030d", i), fmt.Sprintf("after-a-change-%030d", i)
	}
	name := "handler_" + strings.Repeat("of_requests_", 9) + "end"
	share, q := .5, .01
	cost := int64(7)
	of.Details, of.By = true, ByFunction
	of.Contributions = []schema.Contribution{{Component: "library_of_requests", Function: name, BaseNs: 33_300_000, CandNs: 33_400_000, DifferenceNs: 100_000}}
	found := []schema.Finding{{Finding: 1, Verdict: schema.Regressed, Level: schema.LevelFunction, Component: "library_of_requests", Function: name, BaseNs: 12_300_000,
		CandNs: 23_400_000, EffectNs: 11_100_000, EffectLoNs: 9_100_000, EffectHiNs: 13_100_000, Share: &share, Q: &q}}
	changes := []schema.Change{rootOf(schema.Undetermined, 22_100_000, 22_200_000, -90_000, 300_000),
		{Level: schema.LevelFunction, Component: "library_of_requests", Function: name, Subject: name, CostBaseNs: &cost, Verdict: schema.Regressed}}
	for columns := texttab.LeastColumns; columns <= 160; columns += 8 {
		of.Columns = columns
		r := New(of, changes, found)
		var out, file bytes.Buffer
		expect.OK(t, r.Write(&out, Text, 10))
		expect.OK(t, r.WriteDocument(&file, Text, 10))
		table, next, _ := strings.Cut(out.String(), "\nNext:\n")
		for line := range strings.Lines(table) {
			tooLong := texttab.Width(strings.TrimSpace(line)) > columns && len(strings.Fields(line)) > 1
			expect.Equal(t, tooLong, false, "%d columns: %s", columns, line)
		}
		expect.Equal(t, strings.Contains(strings.Join(strings.Fields(table), " "), "names are shortened"), true, "%d columns: what was done is said: %s", columns, table)
		expect.Equal(t, strings.Contains(strings.Join(strings.Fields(table), " "), "left out"), columns < 104, "%d columns: %s", columns, table)
		expect.Equal(t, strings.Contains(next, name), true, "commands are whole: %s", next)
		expect.Equal(t, strings.Contains(file.String(), "50 %") && !strings.Contains(file.String(), "shortened"), true, "a file has all: %s", &file)
	}
}
