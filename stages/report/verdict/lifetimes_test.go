package verdict

import (
	"bytes"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// lifetime is one of asynchronous work, by which a load takes longer or less long; of one side alone the times were not tested.
func lifetime(verdict string, effect int64) schema.Change {
	base, cand, q := int64(5e6), 5e6+effect, .001
	c := schema.Change{
		Level: schema.LevelLifetime, Component: "app", Subject: "load", Function: "load", Verdict: verdict, Detected: true,
		CostBaseNs: &base, CostCandNs: &cand, EffectNs: &effect, Q: &q,
	}
	if verdict == schema.Vanished {
		q, cand = 1, 0
	}
	return c
}

// TestLifetimesInSummary sees that the summary, and the gate with it, names lifetimes that are shown to have changed: with too few runs for verdicts none is, and where a
// recording was cut short none that only one side has. All of them are in the table, where q stands beside what was tested.
func TestLifetimesInSummary(t *testing.T) {
	for name, test := range map[string]struct {
		runs   int
		doubt  string
		change schema.Change
		want   string // in the summary
	}{
		"longer":                      {3, "", lifetime(schema.Longer, 2e6), "beside the time of functions, the lifetime app.load is longer (+2.00 ms)"},
		"gone":                        {3, "", lifetime(schema.Vanished, -5e6), "beside the time of functions, the lifetime app.load has vanished (-5.00 ms)"},
		"longer beside a doubt":       {3, "recordings were cut short", lifetime(schema.Longer, 2e6), "the lifetime app.load is longer"},
		"gone beside a doubt":         {3, "recordings were cut short", lifetime(schema.Vanished, -5e6), ""},
		"gone with too few runs":      {1, "", lifetime(schema.Vanished, -5e6), ""},
		"a candidate of too few runs": {1, "", lifetime(schema.Candidate, 2e6), ""},
	} {
		c := gated(sides(test.runs, test.runs), "changed")
		if test.doubt != "" {
			c.Strata.Doubts = []string{test.doubt}
		}
		r := New(c, []schema.Change{root(schema.Unchanged, 0), test.change}, nil)
		if told := strings.Contains(r.summary, "the lifetime"); told != (test.want != "") || !strings.Contains(r.summary, test.want) {
			t.Errorf("%s: %s", name, r.summary)
		}
		expect.Equal(t, r.Failed(), test.want != "", "%s: the gate", name)
		var out bytes.Buffer
		expect.OK(t, r.writeBesides(&out, 10))
		if !strings.Contains(out.String(), "app.load") || strings.Contains(out.String(), "1.000") || strings.Contains(out.String(), "0.001") == (test.change.Verdict == schema.Vanished) {
			t.Errorf("%s: %s", name, &out)
		}
	}
}
