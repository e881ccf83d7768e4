package runs_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/strata"
	"github.com/tracelake/tracelake/testdata/expect"
)

// put commits a run of 10,000 events that lost some records for a reason.
func put(t *testing.T, l *lake.Lake, name string, reason schema.Reason, count int64) {
	t.Helper()
	fingerprint := lake.Fingerprint("hand", 1, name, nil)
	s := expect.Value(l.Stage("hand", lake.Run(name), fingerprint))(t)
	m := &lake.Manifest{Table: "runs", Fingerprint: fingerprint}
	m.Files = []lake.File{expect.Value(lake.Write(s, "runs", lake.NoBucket, []schema.Run{{Events: 10_000}}))(t)}
	if count > 0 {
		m.Losses = []schema.Loss{{Reason: reason.Name, Count: count}}
	}
	expect.OK(t, s.Commit(m))
}

// named is what a warning says of the one run that it is about.
var named = regexp.MustCompile(`in the table losses\): c( \(\d+( events| messages)?\))?\.`)

// TestDoubt puts each loss that makes findings doubtful into one run of four: it is named. Single events out of order and single messages that arrive early are no
// doubt, up to one of a thousand events, and neither is any other loss.
func TestDoubt(t *testing.T) {
	const cut, back, apart, open = "recordings were cut short", "times of recordings go backwards", "clocks within recordings are apart", "some recordings end in the middle of calls"
	for i, c := range []struct {
		reason schema.Reason
		count  int64
		doubt  string
	}{
		{schema.TornLine, 1, cut}, {schema.TornRecord, 1, cut}, {schema.MissingRecord, 1, cut},
		{schema.TimeBackwards, 10, ""}, {schema.TimeBackwards, 11, back}, {schema.NegativeDuration, 11, back},
		{schema.NegativeLatency, 10, ""}, {schema.NegativeLatency, 11, apart}, {schema.ReceivedBeforeSent, 11, apart},
		{schema.OpenAtEnd, 1, open}, {schema.BadLine, 5000, ""}, {schema.TornLine, 0, ""},
	} {
		t.Run(fmt.Sprint(i, c.reason.Name), func(t *testing.T) {
			l := expect.Value(lake.Open(t.TempDir(), true))(t)
			names := []string{"a", "b", "c", "d"}
			for _, name := range names {
				count := int64(0)
				if name == "c" {
					count = c.count
				}
				put(t, l, name, c.reason, count)
			}
			var s strata.Strata
			expect.OK(t, runs.Doubt(l, append(names, "unknown"), &s))
			var want []string
			if c.doubt != "" {
				want = []string{c.doubt}
			}
			expect.Slice(t, s.Doubts, want, "doubts")
			for _, text := range s.Warnings {
				if !named.MatchString(text) {
					t.Error(text)
				}
			}
			expect.Equal(t, len(s.Warnings), len(want), "warnings")
		})
	}
}
