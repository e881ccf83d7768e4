package plan

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/compare"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/matching"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// runsOfASide are the recordings of the demo that TestSymmetriesOfRecordings takes of each server.
const runsOfASide = 4

// curlRun returns a recording of curl against a server, with its clock times a factor, and with so many functions more: they are called one
// after the other before main ends, each takes the same time on both sides but for 2 % from run to run, and all that follows is later by that.
func curlRun(t *testing.T, server string, run, tick, more int) string {
	t.Helper()
	packed := expect.Value(os.ReadFile(fmt.Sprintf("../../testdata/demo/%s/%s-%d.txt.zst", server, server, run)))(t)
	reader := expect.Value(zstd.NewReader(bytes.NewReader(packed)))(t)
	defer reader.Close()
	var trace, out bytes.Buffer
	expect.Value(trace.ReadFrom(reader))(t)
	lines := strings.Split(strings.TrimSpace(trace.String()), "\n")
	later := int64(0)
	write := func(ns int64, rest string) {
		ns *= int64(tick)
		fmt.Fprintf(&out, "%d.%09d %s\n", ns/1e9, ns%1e9, rest)
	}
	for i, line := range lines {
		time, rest, _ := strings.Cut(line, " ")
		ns := expect.Value(strconv.ParseInt(strings.Replace(time, ".", "", 1), 10, 64))(t)
		if i == len(lines)-2 { // main returns
			for k := range more {
				call := "src_tool_main_c > more" + strconv.Itoa(k)
				write(ns+later, call+" !x"+strconv.Itoa(k))
				write(ns+later+1, fmt.Sprintf("more%d_c > more%d ?x%d", k, k, k))
				later += 20_000 + 5_000*int64(k) + 100*int64((7*k+3*run)%5)
				write(ns+later, fmt.Sprintf("more%d_c < more%d !y%d", k, k, k))
				write(ns+later+1, fmt.Sprintf("src_tool_main_c < more%d ?y%d", k, k))
				later += 2
			}
		}
		write(ns+later, rest)
	}
	return out.String()
}

// ingestCurl ingests and analyses the recordings of both servers in one way, under a prefix, and returns the names of the runs.
func ingestCurl(t *testing.T, e *pipeline.Engine, prefix string, tick, more int) (fast, slow []string) {
	t.Helper()
	var partitions []lake.Partition
	for _, server := range []string{"fast", "slow"} {
		for run := 1; run <= runsOfASide; run++ {
			name := fmt.Sprintf("%s-%s-%d", prefix, server, run)
			ingestText(t, e.Lake, name, curlRun(t, server, run, tick, more))
			partitions = append(partitions, lake.Run(name))
			if server == "fast" {
				fast = append(fast, name)
			} else {
				slow = append(slow, name)
			}
		}
	}
	expect.Value(e.Run(t.Context(), partitions))(t)
	return fast, slow
}

// compareCurl compares two sides by the rules of the command, with the floor in ticks of a clock, and returns the changes by their subjects.
func compareCurl(t *testing.T, e *pipeline.Engine, id string, base, cand []string, tick int) map[string]schema.Change {
	t.Helper()
	rules := verdicts.Defaults()
	rules.FloorNs *= float64(tick)
	found, _, err := compare.Run(t.Context(), compare.Job{Engine: e, ID: id, Spec: compare.Spec{
		Base: base, Cand: cand, Matching: matching.ByDifference, Verdicts: rules, ByRuns: true,
		Options: samplechanges.Options{Method: sampletests.DYN, Normalisation: schema.NormFragmentAbsolute, Thresholds: sampletests.Defaults()},
	}})
	expect.OK(t, err)
	changes := make(map[string]schema.Change)
	for _, c := range found.Changes {
		if c.Level == schema.LevelFunction || c.Level == schema.LevelFragment {
			changes[c.Level+" "+c.Component+" "+cmp.Or(c.Fragment, c.Function)] = c
		}
	}
	return changes
}

// turnedRound are the verdicts of the other direction.
var turnedRound = map[string]string{
	schema.Regressed: schema.Improved, schema.Improved: schema.Regressed, schema.Later: schema.Sooner, schema.Sooner: schema.Later,
	schema.Appeared: schema.Vanished, schema.Vanished: schema.Appeared,
}

// TestSymmetriesOfRecordings compares recordings of curl against a server that answers at once and one that waits 20 ms, and the same
// recordings in other ways. With the sides swapped verdicts turn round, effects change their sign and q stays; another order of the runs
// changes nothing at all; clocks that are three times as fast change no verdict, and effects by that factor; and functions that are
// called in addition and did not change leave verdicts as they are, but for a few that were close: variances, levels and the share of the
// time are those of all functions together. None that was decided may be another decision.
func TestSymmetriesOfRecordings(t *testing.T) {
	if testing.Short() {
		t.Skip("recordings are compared in full tests")
	}
	stages := slices.DeleteFunc(Stages(Options{Constraints: constraints.Defaults()}), func(s pipeline.Stage) bool {
		return s.Name == "validate" || s.Name == "slack" || s.Name == "components" || s.Name == "compositions"
	})
	e := &pipeline.Engine{Lake: expect.Value(lake.Open(t.TempDir(), true))(t), Jobs: 2, Stages: expect.Value(pipeline.Order(stages, Given...))(t)}
	fast, slow := ingestCurl(t, e, "plain", 1, 0)
	want := compareCurl(t, e, "plain", fast, slow, 1)
	poll := want["function lib_select_c Curl_poll"]
	expect.Equal(t, poll.Verdict, schema.Regressed, "Curl_poll, which waits for the server")

	swapped := compareCurl(t, e, "swapped", slow, fast, 1)
	leaning := 0 // verdicts that lean on the side from which the interval of a plain total is seen: its upper bound has the baseline at its estimate
	for _, subject := range slices.Sorted(maps.Keys(want)) {
		a, b := want[subject], swapped[subject]
		if turned := cmp.Or(turnedRound[a.Verdict], a.Verdict); turned != b.Verdict && isOpen(turned) && isOpen(b.Verdict) {
			leaning++
		} else {
			expect.Equal(t, b.Verdict, turned, "swapped: %s", subject)
		}
		if q := value(a.Q) - value(b.Q); a.Level == schema.LevelFunction && math.Abs(q) > 1e-9 {
			t.Errorf("swapped: %s: q %g, and before %g", subject, value(b.Q), value(a.Q))
		}
		if a.Detected && a.EffectNs != nil && *a.EffectNs**b.EffectNs > 0 {
			t.Errorf("swapped: %s: %d ns, and before %d ns", subject, *b.EffectNs, *a.EffectNs)
		}
	}
	if 200*leaning > len(want) {
		t.Errorf("swapped: %d of %d verdicts are unchanged on one side and undetermined on the other", leaning, len(want))
	}
	turned := compareCurl(t, e, "order", []string{fast[2], fast[0], fast[3], fast[1]}, []string{slow[3], slow[1], slow[0], slow[2]}, 1)
	for _, subject := range slices.Sorted(maps.Keys(want)) {
		a, b := want[subject], turned[subject]
		if a.Verdict != b.Verdict || math.Abs(value(a.Q)-value(b.Q)) > 1e-9 {
			t.Errorf("another order of the runs: %s: %s with q %g, and before %s with q %g", subject, b.Verdict, value(b.Q), a.Verdict, value(a.Q))
		}
	}
	if testing.Short() {
		return // the others need sixteen runs more
	}
	for _, way := range []struct {
		name       string
		tick, more int
	}{{"clocks", 3, 0}, {"functions", 1, 12}} {
		fast, slow := ingestCurl(t, e, way.name, way.tick, way.more)
		got := compareCurl(t, e, way.name, fast, slow, way.tick)
		close := 0
		for _, subject := range slices.Sorted(maps.Keys(want)) {
			a, b := want[subject].Verdict, got[subject].Verdict
			if way.more > 0 && a != b && (a == schema.Undetermined || b == schema.Undetermined) {
				close++
				continue
			}
			expect.Equal(t, b, a, "%s: %s", way.name, subject)
		}
		if 100*close > len(want) {
			t.Errorf("%s: %d of %d verdicts are others", way.name, close, len(want))
		}
		for subject, c := range got {
			if _, known := want[subject]; !known && c.Detected {
				t.Errorf("%s: %s is %s", way.name, subject, c.Verdict)
			}
		}
		effect, before := *got["function lib_select_c Curl_poll"].EffectNs, *poll.EffectNs*int64(way.tick)
		if d := math.Abs(float64(effect-before)) / float64(before); d > .005 {
			t.Errorf("%s: Curl_poll by %d ns, which was %d", way.name, effect, before)
		}
	}
}

// isOpen reports whether a verdict finds nothing.
func isOpen(verdict string) bool {
	return verdict == schema.Unchanged || verdict == schema.Undetermined
}

// value is a number, or -1 where there is none.
func value(x *float64) float64 {
	if x == nil {
		return -1
	}
	return *x
}
