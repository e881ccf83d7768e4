package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestReportNamesTraces sees that the page of a comparison names the trace that shows a finding, also of runs that were split.
func TestReportNamesTraces(t *testing.T) {
	if testing.Short() {
		t.Skip("the page of a comparison is looked at in full tests")
	}
	t.Chdir(t.TempDir())
	for side, workUs := range []int64{10_000, 30_000} {
		var text strings.Builder
		text.WriteString("trace,span,parent,service,name,kind,start_us,end_us\n")
		for k := range int64(12) {
			start := 1661259600000000 + k*100_000
			end := start + workUs + k*10 // the last request takes longest
			fmt.Fprintf(&text, "%032x,%x,,web,get,server,%d,%d\n", int64(side)<<8|k+1, k+1, start, end)
		}
		name := []string{"before", "after"}[side] + ".spans"
		expect.OK(t, os.WriteFile(name, []byte(text.String()), 0o666))
		expect.OK(t, load(t.Context(), []string{name, "attributes=trace_id", "split=300ms"}, nil, nil, nil))
	}
	answer(t, "compare", "--base", "split=before", "--cand", "split=after", "--id", "split", "--quiet")
	page := into[map[string]any](t, resources(t, []byte(answer(t, "report", "split", "-o", "-", "--quiet")))["report"])
	findings := page["sentences"].(map[string]any)["findings"].([]any)
	if len(findings) != 1 {
		t.Fatalf("%d findings", len(findings))
	}
	want := fmt.Sprintf("trace %016x of run after-4: 30.1 ms here of 30.1 ms; see web.get#3", 1<<8|12)
	expect.Equal(t, findings[0].(map[string]any)["example"].(string), want, "the example of the finding")
}
