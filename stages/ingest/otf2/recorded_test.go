package otf2

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// archives finds the archives of the recordings, ours and those of others.
func archives(t testing.TB) []string {
	t.Helper()
	root := readertest.Recordings(t)
	var all []string
	for _, pattern := range []string{root + "/otf2/*/*.otf2", root + "/../third-party/otf2/*/*.otf2"} {
		found := expect.Value(filepath.Glob(pattern))(t)
		all = append(all, found...)
	}
	if len(all) == 0 {
		t.Skip("there are no OTF2 archives in TRACELAKE_RECORDINGS: none was read")
	}
	return all
}

func listenTo(path string, options schema.ReadingOptions) *told {
	return listen(os.DirFS(filepath.Dir(path)), filepath.Base(path), options, false)
}

// printed is what otf2-print says of an archive.
func printed(t *testing.T, arguments ...string) []string {
	t.Helper()
	tool, err := exec.LookPath("otf2-print")
	if err != nil {
		t.Skip("otf2-print is not installed: nothing was compared with it")
	}
	out := expect.Value(exec.Command(tool, arguments...).Output())(t)
	return strings.Split(string(out), "\n")
}

var (
	printedEvent    = regexp.MustCompile(`^([A-Z_0-9]+) +(\d+) +(\d+)  (.*)$`)
	printedRegion   = regexp.MustCompile(`^Region: "(.*)" <\d+>$`)
	printedPeer     = regexp.MustCompile(`^(?:Receiver|Sender): \d+ \(".*" <(\d+)>\), Communicator: "(.*)" <\d+>, Tag: (\d+),`)
	printedLocation = regexp.MustCompile(`^LOCATION  +(\d+)  Name: "(.*)" <\d+>, Type: .*, Group: "(.*)" <\d+>$`)
	printedClock    = regexp.MustCompile(`^CLOCK_PROPERTIES +Ticks per Seconds: (\d+), Global Offset: (\d+),`)
)

// TestAsPrinted compares every enter, leave and message of every archive with what the format's own tool prints,
// the times of which it corrects itself. Its order of equal times is not compared: events are compared a location
// at a time.
func TestAsPrinted(t *testing.T) {
	for _, path := range archives(t) {
		t.Run(filepath.Base(filepath.Dir(path)), func(t *testing.T) {
			lifelines, ns := definitionsAsPrinted(t, path)
			want := map[string][]string{}
			others := 0
			for _, line := range printed(t, path) {
				m := printedEvent.FindStringSubmatch(line)
				if m == nil {
					if strings.Contains(line, "ADDITIONAL ATTRIBUTES") {
						others++
					}
					continue
				}
				lifeline := lifelines[m[2]]
				word := eventAsPrinted(m[1], m[4], lifelines)
				if word == elsewhereAsPrinted {
					continue
				}
				if word == "" {
					others++
					continue
				}
				want[lifeline] = append(want[lifeline], ns(m[3])+" "+word)
			}
			compareWithPrinted(t, listenTo(path, schema.ReadingOptions{}), want, int64(others))
		})
	}
}

// elsewhereAsPrinted stands for records that other tests compare: of collective operations and metrics.
const elsewhereAsPrinted = "elsewhere"

func definitionsAsPrinted(t *testing.T, path string) (lifelines map[string]string, ns func(string) string) {
	lifelines = map[string]string{}
	for _, line := range printed(t, "-G", path) {
		if m := printedLocation.FindStringSubmatch(line); m != nil {
			lifelines[m[1]] = m[3] + "/" + m[2]
		} else if m := printedClock.FindStringSubmatch(line); m != nil {
			resolution, _ := new(big.Int).SetString(m[1], 10)
			offset, _ := new(big.Int).SetString(m[2], 10)
			ns = func(ticks string) string {
				n, _ := new(big.Int).SetString(ticks, 10)
				n.Sub(n, offset).Mul(n, big.NewInt(1e9))
				return n.Div(n, resolution).String() // Euclidean: rounded down
			}
		}
	}
	return lifelines, ns
}

// eventAsPrinted is an event as compareWithPrinted shows it, or "" for one that is not passed on.
func eventAsPrinted(name, attributes string, lifelines map[string]string) string {
	switch name {
	case "ENTER", "LEAVE":
		return strings.ToLower(name) + " " + printedRegion.FindStringSubmatch(attributes)[1]
	case "MPI_SEND", "MPI_ISEND", "MPI_RECV", "MPI_IRECV":
		m := printedPeer.FindStringSubmatch(attributes)
		way := map[bool]string{true: "send", false: "receive"}[strings.HasSuffix(name, "SEND")]
		return fmt.Sprintf("%s %s %s/%s", way, lifelines[m[1]], m[2], m[3])
	case "MPI_COLLECTIVE_BEGIN", "MPI_COLLECTIVE_END", "METRIC": // see TestCollectivesAsPrinted and TestMeasures
		return elsewhereAsPrinted
	}
	return ""
}

// compareWithPrinted compares lifeline by lifeline. The peer of a message is where its other end turned up.
func compareWithPrinted(t *testing.T, got *told, want map[string][]string, others int64) {
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	peers := map[string]string{}
	for _, e := range got.Events {
		peers[fmt.Sprint(e.Mark.Direction, e.ID)] = e.Key.Lifeline
	}
	lines, last, couplings := map[string][]string{}, int64(-1<<63), 0
	for i, e := range got.Events {
		if e.Ns < last {
			t.Fatalf("event %d is at %d, after one at %d", i, e.Ns, last)
		}
		last = e.Ns
		k, m := e.Key, e.Mark
		if schema.Couples(m.Direction) {
			couplings++
			continue
		}
		word := map[schema.Kind]string{schema.Enter: "enter ", schema.Exit: "leave "}[k.Kind] + k.Function
		if k.Kind == schema.Message {
			word = fmt.Sprintf("%s %s %s", schema.DirectionWords[m.Direction], peers[fmt.Sprint(3-m.Direction, e.ID)], m.Label)
		}
		lines[k.Lifeline] = append(lines[k.Lifeline], fmt.Sprint(e.Ns, " ", word))
	}
	total := 0
	for lifeline := range want {
		same(t, lifeline, lines[lifeline], want[lifeline])
		total += len(want[lifeline])
	}
	if total != len(got.Events)-couplings {
		t.Errorf("%d events, want %d", len(got.Events)-couplings, total)
	}
	expect.Equal(t, got.Ledger.Count(schema.SkippedRecord), others, "records skipped")
	t.Log(total, "events, ", others, "others", got.losses())
}

// TestAsRawLog compares an archive with the log that it was made from: every time, thread and function.
func TestAsRawLog(t *testing.T) {
	for _, path := range archives(t) {
		version, scenario, ok := strings.Cut(strings.TrimPrefix(filepath.Base(filepath.Dir(path)), "curl-"), "-http-")
		if !ok {
			continue
		}
		t.Run(scenario, func(t *testing.T) {
			scenario, run, _ := strings.Cut(scenario, "-run-")
			folder := filepath.Join(readertest.Recordings(t), "curl-quiet", version)
			want := rawLog(t, filepath.Join(folder, "symbols.tsv"), filepath.Join(folder, "http-"+scenario, "run-"+run+".raw.log.zst"))
			got := listenTo(path, schema.ReadingOptions{})
			var lines []string
			for _, e := range got.Events {
				k := e.Key
				_, thread, _ := strings.Cut(k.Lifeline, "/thread ")
				lines = append(lines, fmt.Sprintf("%d %s %s %s %s", e.Ns, thread, schema.KindWords[k.Kind], k.Component, k.Function))
			}
			same(t, "event", lines, want)
			t.Log(len(lines), "events")
		})
	}
}

// rawLog reads a raw log: time, thread, E or X, address, call site.
func rawLog(t *testing.T, symbols, log string) []string {
	table, err := os.ReadFile(symbols)
	if err != nil {
		t.Skip("no raw log beside the archive, nothing was compared with one: ", err)
	}
	known := map[string]string{}
	for _, line := range strings.Split(string(table), "\n")[1:] {
		if f := strings.Split(line, "\t"); len(f) > 2 {
			address, _ := strconv.ParseUint(strings.TrimPrefix(f[0], "0x"), 16, 64)
			known[fmt.Sprintf("%#x", address)] = f[2] + " " + f[1]
		}
	}
	// Slots of the log that two threads took at the same time need not be in the order of time.
	type call struct {
		ns   int64
		text string
	}
	var calls []call
	for lines := bufio.NewScanner(bytes.NewReader(readertest.Load(t, log))); lines.Scan(); {
		f := strings.Fields(lines.Text())
		ns := expect.Value(strconv.ParseInt(f[0], 10, 64))(t)
		calls = append(calls, call{ns, fmt.Sprintf("%s %s %s", f[1], map[string]string{"E": "enter", "X": "exit"}[f[2]], known[f[3]])})
	}
	slices.SortStableFunc(calls, func(a, b call) int { return cmp.Compare(a.ns, b.ns) })
	out := make([]string, len(calls))
	for i, c := range calls {
		out[i] = fmt.Sprintf("%d %s", c.ns-calls[0].ns, c.text)
	}
	return out
}
