package chrome

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// caseLine says what was read of a trace: calls and those that are invented, messages as from FUNCTION to FUNCTION, lifelines, components.
func caseLine(r result) string {
	calls, invented := 0, 0
	sent := map[int64]event1{}
	var messages, components, lifelines []string
	for _, e := range r.events {
		if e.Kind == schema.Enter {
			if calls++; e.Synthetic {
				invented++
			}
		}
		components, lifelines = append(components, e.Component), append(lifelines, e.Lifeline)
		switch e.Direction {
		case schema.Send:
			sent[e.ID] = e
		case schema.Receive:
			messages = append(messages, sent[e.ID].Function+">"+e.Function)
		}
	}
	once := func(list []string) string {
		slices.Sort(list)
		return strings.Join(slices.Compact(list), ",")
	}
	line := fmt.Sprintf("%d calls, %d invented; %s; %s; %s", calls, invented, strings.Join(messages, " "), once(lifelines), once(components))
	for _, l := range r.faults() {
		line += fmt.Sprintf("; %s %d", l.Reason, l.Count)
	}
	return line
}

// TestCases reads traces of a few events that were once misread: flows of calls that end, that have no length, that stand elsewhere at the
// same time, or that have several ends; components beside another process; ends without begins; texts without brackets.
func TestCases(t *testing.T) {
	want := map[string]string{
		"a":          "9 calls, 4 invented; B>C A>C; process 1/1,process 1/2,process 1/3; process 1; message_inside_call 4",
		"asynccross": "2 calls, 0 invented; ; process 1/async c,process 1/async c#2; process 1",
		"asyncnest":  "2 calls, 0 invented; ; process 1/async c; process 1",
		"b":          "5 calls, 2 invented; A>C; process 1/1,process 1/2; process 1; message_inside_call 2",
		"bindid":     "2 calls, 0 invented; a>b; process 1/1,process 1/2; process 1",
		"c":          "2 calls, 0 invented; launch>sync; process 1/1,process 2/1; process 1,process 2",
		"d":          "4 calls, 0 invented; A>P P>Q; process 1/1,process 1/2,process 1/3; process 1",
		"e":          "3 calls, 0 invented; cudaGraphLaunch>k1 cudaGraphLaunch>k2; process 1/1,process 2/1; process 1,process 2",
		"ee":         "1 calls, 0 invented; ; process 1/async c,process 1/async c#2,process 1/async c#3; process 1",
		"emptyname":  "1 calls, 0 invented; ; process 1/1; process 1",
		"ends":       "3 calls, 0 invented; ; process 1/1; process 1",
		"flip_b0":    "50 calls, 0 invented; ; app/main; app",
		"flip_b1":    "50 calls, 0 invented; ; app/main; app",
		"flip_c0":    "51 calls, 0 invented; ; app/main,helper/1; app,helper",
		"flip_c1":    "51 calls, 0 invented; ; app/main,helper/1; app,helper",
		"flow_end":   "2 calls, 0 invented; a>b; process 1/1,process 1/2; process 1",
		"flow_endx":  "2 calls, 0 invented; a>b; process 1/1,process 1/2; process 1",
		"g":          "2 calls, 0 invented; cudaStreamSynchronize>sync; process 1/1,process 2/1; process 1,process 2",
		"h":          "4 calls, 0 invented; cudaLaunchKernel>gemm gemm>cudaDeviceSynchronize; GPU 0/1,python/1; GPU 0,python",
		"lines":      "2 calls, 0 invented; ; process 1/1; process 1",
		"longname":   "2 calls, 0 invented; ; process 1/1; process 1; cut_name 2",
		"meta60":     "1 calls, 0 invented; ; process 1/1; process 1",
		"mid":        "4 calls, 2 invented; A>B; process 1/1,process 1/2; process 1; message_inside_call 2",
		"mid2":       "5 calls, 2 invented; A>B; process 1/1,process 1/2; process 1; message_inside_call 2",
		"neg":        "2 calls, 0 invented; ; process 1/1; process 1",
		"nobr":       "2 calls, 0 invented; ; process 1/1; process 1",
		"overlap":    "2 calls, 0 invented; ; process 1/1,process 1/1#2; process 1; crossing_call 1",
		"sf":         "1 calls, 0 invented; ; process 1/1; process 1; skipped_record 1",
		"touch":      "4 calls, 0 invented; ; process 1/1; process 1",
	}
	paths := expect.Value(filepath.Glob("testdata/cases/*.json"))(t)
	for _, path := range paths {
		r := read(string(expect.Value(os.ReadFile(path))(t)), options{})
		expect.OK(t, r.err)
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		expect.Equal(t, caseLine(r), want[name], "%s", name)
	}
	expect.Equal(t, len(paths), len(want), "cases")
}
