package verdict

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// failingMore is a function that fails in 5 instead of 0.1 % of its calls.
func failingMore(verdict string) schema.ErrorShare {
	run, example := "c1", int64(412)
	return schema.ErrorShare{
		Component: "pay", Function: "charge", Verdict: verdict, CallsBase: 1000, FailedBase: 1, CallsCand: 1000, FailedCand: 50,
		Difference: .049, Lo: .04, Hi: .058, P: 1e-5, Q: 1e-5, Run: &run, Example: &example,
	}
}

// Errors stand in every format, meet their word of the gate and "changed", and no word of times.
func TestErrorsInReports(t *testing.T) {
	for word, fails := range map[string]bool{gateErrors: true, gateChanged: true, gateRegressed: false, gateCandidate: false} {
		c := sides(3, 3)
		c.Errors = []schema.ErrorShare{failingMore(schema.FailsMore)}
		c.Gate = Gate{Words: []string{word}, ExitCode: 3}
		r := New(c, []schema.Change{rootRuns("get", 10, 10, 50e6, 50e6)}, nil)
		expect.Equal(t, r.Failed(), fails, "--fail-on %s", word)
		expect.Equal(t, r.whole, wholeChanged, "verdict")
		for _, format := range []string{Text, Markdown} {
			var out bytes.Buffer
			expect.OK(t, r.Write(&out, format, 10))
			for _, want := range []string{"pay.charge fails in 5 % of 1,000 calls, before in 0.1 % of 1,000", "+4.9", "+4 to +5.8", "execution 412 of c1"} {
				if !strings.Contains(strings.Join(strings.Fields(out.String()), " "), want) {
					t.Errorf("no %q in\n%s", want, &out)
				}
			}
		}
		var out bytes.Buffer
		expect.OK(t, r.Write(&out, JSON, 10))
		var document struct{ Errors []schema.ErrorShare }
		expect.OK(t, json.Unmarshal(out.Bytes(), &document))
		expect.Equal(t, len(document.Errors), 1, "errors in JSON")
	}
}

// What is faster and fails more often is no improvement.
func TestFasterWithErrorsIsMixed(t *testing.T) {
	c := sides(3, 3)
	c.Errors = []schema.ErrorShare{failingMore(schema.FailsMore)}
	r := New(c, nil, []schema.Finding{cause(1, schema.Improved, "f", -1e6)})
	expect.Equal(t, r.whole, wholeMixed, "verdict")
	if !strings.Contains(r.summary, "pay.charge fails in 5 %") {
		t.Error(r.summary)
	}
	c.Errors[0].Verdict = schema.FailsLess
	expect.Equal(t, New(c, nil, []schema.Finding{cause(1, schema.Improved, "f", -1e6)}).whole, wholeImproved, "verdict where it fails less")
}
