package criticalpaths_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/testdata/expect"
)

// prepared ingests a trace as the run "r" of a new lake and finds its executions and constraints.
func prepared(t *testing.T, path, component string) *criticalpaths.Job {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	options := schema.ReadingOptions{Component: component, Clocks: schema.Clocks{Mode: schema.ClocksAuto}}
	_, _, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: "r", Paths: []string{path}, Options: options, Jobs: 1, Memory: 1 << 26,
		Detect: ingest.DetectAmong(readers.Formats(), ingest.AnyFormat, options), Find: ingest.FindAmong(readers.Formats(), ingest.AnyFormat),
		Incomplete: "complete", Untraced: "ignore", Format: ingest.AnyFormat,
	})
	expect.OK(t, err)
	var stages []pipeline.Stage
	for _, s := range plan.Stages(plan.Options{Constraints: constraints.Defaults()}) {
		if s.Name == "executions" || s.Name == "constraints" {
			stages = append(stages, s)
		}
	}
	_, err = (&pipeline.Engine{Lake: l, Stages: expect.Value(pipeline.Order(stages, plan.Given...))(t), Jobs: 1}).Run(t.Context(), []lake.Partition{lake.Run("r")})
	expect.OK(t, err)
	return job(l, 0, 1)
}

// lastStep follows the critical path to the end of an operation, as far back as it leads, and returns its last step in words: the kind of the
// constraint, the component that was waited for, and the event.
func lastStep(t *testing.T, j *criticalpaths.Job, o findings.Occurrence) (kind, sender string, source int64) {
	t.Helper()
	p := expect.Value(j.Trace(t.Context(), o, criticalpaths.Ask{}))(t)
	if len(p.Steps) == 0 {
		t.Fatalf("%+v has no path", o)
	}
	s := p.Steps[len(p.Steps)-1]
	part := p.Parts[s.Part]
	return schema.ConstraintKindWords[part.Kind], p.Names.Components.Name(part.Sender), s.Source
}

// barriers are, by process, the places of its barriers among its enters and leaves, from 0, as another reading of the trace finds
// them.
type barriers map[string][][2]int

// readOTF1 reads the barriers of a trace of one stream a process: lines of one character and a number.
func readOTF1(t *testing.T, dir string) barriers {
	found := barriers{}
	for process, file := range []string{"netpipe.1.events", "netpipe.2.events"} {
		in, err := os.Open(filepath.Join(dir, file))
		if err != nil {
			t.Skip("no recording of MPI: ", err)
		}
		defer in.Close()
		name, calls, open, of := fmt.Sprint("Process ", process), 0, []int{}, map[string]int{}
		for lines := bufio.NewScanner(in); lines.Scan(); {
			switch line := lines.Text(); {
			case strings.HasPrefix(line, "E"):
				open, calls = append(open, calls), calls+1
			case strings.HasPrefix(line, "COPB6"): // operation 6 is MPI_Barrier
				id, _, _ := strings.Cut(line[len("COPB6H"):], "C")
				of[id] = open[len(open)-1]
			case strings.HasPrefix(line, "COPE"):
				found[name] = append(found[name], [2]int{of[line[len("COPE"):]], calls}) // a leave comes next
			case line == "L":
				open, calls = open[:len(open)-1], calls+1
			}
		}
	}
	return found
}

var printedCall = regexp.MustCompile(`^(ENTER|LEAVE|MPI_COLLECTIVE_END) +(\d+) +\d+ +(.*)`)

// readOTF2 reads the barriers of a trace as the format's own tool prints them.
func readOTF2(t *testing.T, anchor string) barriers {
	text, err := exec.Command("otf2-print", anchor).Output()
	if err != nil {
		t.Skip("otf2-print (Debian: otf2-tools) does not print the recording; its barriers were not compared: ", err)
	}
	found, calls, open := barriers{}, map[string]int{}, map[string][]int{}
	for line := range strings.Lines(string(text)) {
		m := printedCall.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil {
			continue
		}
		name := map[string]string{"0": "P#0", "1073741823": "P#1"}[m[2]]
		switch m[1] {
		case "ENTER":
			open[m[2]] = append(open[m[2]], calls[m[2]])
			calls[m[2]]++
		case "LEAVE":
			open[m[2]] = open[m[2]][:max(len(open[m[2]])-1, 0)]
			calls[m[2]]++
		default:
			if strings.Contains(m[3], "BARRIER") {
				found[name] = append(found[name], [2]int{open[m[2]][len(open[m[2]])-1], calls[m[2]]})
			}
		}
	}
	return found
}

// TestBarriersEndAtTheLastRank follows the path to the end of every barrier of the recorded MPI programs: its last step is from the start
// of that barrier in the rank that came last, which another reading of the trace says.
func TestBarriersEndAtTheLastRank(t *testing.T) {
	if testing.Short() {
		t.Skip("a path to each barrier of a recording is found in full tests")
	}
	dir := os.Getenv("TRACELAKE_RECORDINGS")
	if dir == "" {
		t.Skip("TRACELAKE_RECORDINGS does not name the recordings: paths through barriers were not compared")
	}
	otf2 := filepath.Join(dir, "otf2", "eztrace-netpipe-2ranks", "eztrace_log.otf2")
	for name, c := range map[string]struct {
		path string
		read func() barriers
	}{
		"otf1": {filepath.Join(dir, "otf1", "netpipe-2ranks", "netpipe.otf"), func() barriers { return readOTF1(t, filepath.Join(dir, "otf1", "netpipe-2ranks")) }},
		"otf2": {otf2, func() barriers { return readOTF2(t, otf2) }},
	} {
		t.Run(name, func(t *testing.T) {
			found := c.read()
			j := prepared(t, c.path, "process")
			calls := callsByComponent(t, j)
			var ranks []string
			for rank := range found {
				ranks = append(ranks, rank)
			}
			expect.Equal(t, len(ranks), 2, "ranks")
			for n := range found[ranks[0]] {
				starts, ends := make([]atEvent, 2), make([]atEvent, 2)
				last := 0
				for i, rank := range ranks {
					at := found[rank][n]
					starts[i], ends[i] = calls[rank][at[0]], calls[rank][at[1]]
					if starts[i].ns > starts[last].ns {
						last = i
					}
				}
				waits := 1 - last
				kind, sender, source := lastStep(t, j, findings.Occurrence{From: starts[waits].seq, To: ends[waits].seq, FromNs: starts[waits].ns, ToNs: ends[waits].ns})
				if kind != "collective" || sender != ranks[last] || source != starts[last].seq {
					t.Errorf("barrier %d of %s ends with a %s from %s, event %d; %s came last, with event %d", n, ranks[waits], kind, sender, source, ranks[last], starts[last].seq)
				}
				if kind, _, source = lastStep(t, j, findings.Occurrence{From: starts[last].seq, To: ends[last].seq, FromNs: starts[last].ns, ToNs: ends[last].ns}); kind != "component" || source != starts[last].seq {
					t.Errorf("barrier %d of %s, which came last, ends with a %s from event %d", n, ranks[last], kind, source)
				}
			}
			expect.Equal(t, len(found[ranks[0]]), 98, "barriers")
		})
	}
}

// atEvent is an enter or a leave in the lake.
type atEvent struct{ seq, ns int64 }

// callsByComponent are the enters and leaves of every component that the trace has, in its order.
func callsByComponent(t *testing.T, j *criticalpaths.Job) map[string][]atEvent {
	calls := map[string][]atEvent{}
	ev := schema.NewEvents()
	expect.OK(t, j.Lake.ScanEvents(t.Context(), j.Run, ev, lake.ScanOptions{}, func() error {
		for i := range ev.Seq {
			function := ev.Names.Functions.Name(ev.Function[i])
			if ev.Kind[i] == schema.Message || ev.Synthetic[i] || function == "send" || function == "receive" {
				continue
			}
			name := ev.Names.Components.Name(ev.Component[i])
			calls[name] = append(calls[name], atEvent{ev.Seq[i], ev.TimeNs[i]})
		}
		return nil
	}))
	for _, list := range calls {
		slices.SortFunc(list, func(a, b atEvent) int { return int(a.seq - b.seq) })
	}
	return calls
}

// rooted is a trace of three ranks in one stream: a broadcast from rank 1, which came last; a reduction to rank 2, to which rank 0
// came last; and one more to rank 0 which needs nobody to wait but rank 0.
const rooted = `1
*1
E1
COPB2H1C1RT2S0R0
2
*3
E1
COPB2H1C1RT2S0R0
5
*2
E1
COPB2H1C1RT2S0R0
6
*1
COPE1
L
7
*3
COPE1
L
8
*2
COPE1
L
9
*2
E1
COPB3H2C1RT3S0R0
a
*2
COPE2
L
b
*3
E1
COPB3H2C1RT3S0R0
c
*1
E1
COPB3H2C1RT3S0R0
d
*1
COPE2
L
e
*3
COPE2
L
`

// TestRootsAreWaitedFor looks at where the paths to the ends of operations with a root end.
func TestRootsAreWaitedFor(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"t.otf": "1:1,2,3\n", "t.1.events": rooted,
		"t.0.def": "DTR3b9aca00\nDFG1NM\"g\"\nDF1G1NM\"f\"\nDP1NM\"p0\"\nDP2NM\"p1\"\nDP3NM\"p2\"\nDPG1M1,2,3,NM\"world\"\n" +
			"DCO2NM\"MPI_Bcast\"Y2\nDCO3NM\"MPI_Reduce\"Y3\n",
	} {
		expect.OK(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666))
	}
	j := prepared(t, filepath.Join(dir, "t.otf"), "process")
	var got []string
	for _, name := range []string{"p0.f", "p1.f", "p2.f"} {
		for i, o := range expect.Value(j.Occurrences(t.Context(), name))(t) {
			kind, sender, source := lastStep(t, j, o)
			got = append(got, fmt.Sprintf("%s#%d: %s %s @%d", name, i+1, kind, sender, source))
		}
	}
	expect.Slice(t, got, []string{
		"p0.f#1: collective p1 @2", // the broadcast: all wait for its root
		"p0.f#2: component  @9",    // the reduction: only its root waits
		"p1.f#1: component  @2",
		"p1.f#2: component  @6",
		"p2.f#1: collective p1 @2",
		"p2.f#2: collective p0 @9",
	}, "last steps")
}
