package rawlog

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// curl reads a log of curl with its symbols.
func curl(t *testing.T, path string) ([]event, *schema.Ledger) {
	t.Helper()
	root := readertest.Recordings(t)
	text := readertest.Load(t, filepath.Join(root, path))
	if !Detect(text[:1<<16]) {
		t.Error("not detected")
	}
	reading := readingOf(text)
	var err error
	table := readertest.Load(t, filepath.Join(root, "curl-quiet/8.14.1/symbols.tsv"))
	reading.Options.Symbols = expect.Value(symbols.FromTable(bytes.NewReader(table), "symbols.tsv"))(t)
	events := expect.Value(collect(reading))(t)
	for i := 1; i < len(events); i++ {
		if events[i].Ns < events[i-1].Ns {
			t.Errorf("event %d: time goes back", i)
		}
	}
	binary := readingOf(toBinary(string(text)))
	binary.Options = reading.Options
	same, err := collect(binary)
	if err != nil || tell(same) != tell(events) || readertest.Losses(binary.Ledger) != readertest.Losses(reading.Ledger) {
		t.Errorf("%s: the binary form of it differs: %v", path, err)
	}
	return events, reading.Ledger
}

// runs are those of which there is text too, and how many events they have.
var runs = map[string]int{"http-fast/run-01": 12144, "http-fast/run-02": 12104, "http-slow20ms/run-01": 12324, "http-slow20ms/run-02": 12326}

// TestText finds every call between units that the text of the same run has: the callee's lines, of which that of
// an enter is 1 ns late.
func TestText(t *testing.T) {
	for run, want := range runs {
		events, ledger := curl(t, "curl-quiet/8.14.1/"+run+".raw.log.zst")
		if len(events) != want || readertest.Losses(ledger) != "" {
			t.Errorf("%s: %d events, %s", run, len(events), readertest.Losses(ledger))
		}
		left := make(map[string]int)
		for _, e := range events {
			ns := e.Ns - events[0].Ns
			left[fmt.Sprintf("%d.%09d %s %c %s", ns/1e9, ns%1e9, e.Key.Component, "><"[e.Key.Kind], e.Key.Function)]++
		}
		lines := 0
		for line := range strings.Lines(string(readertest.Load(t, filepath.Join(readertest.Recordings(t), "curl-quiet/8.14.1", run+".txt.zst")))) {
			f := strings.Fields(line)
			switch {
			case f[2] == ">" && f[4][0] == '?':
				var s, ns int64
				fmt.Sscanf(f[0], "%d.%d", &s, &ns)
				ns += s*1e9 - 1
				f[0] = fmt.Sprintf("%d.%09d", ns/1e9, ns%1e9)
			case f[2] == "<" && f[4][0] == '!':
			default:
				continue // the caller's line
			}
			lines++
			key := strings.Join(f[:4], " ")
			if left[key]--; left[key] < 0 {
				t.Fatalf("%s: no event %s", run, key)
			}
		}
		if lines < 7000 {
			t.Errorf("%s: only %d lines were compared", run, lines)
		}
	}
}

var printed = regexp.MustCompile(`(?m)^(ENTER|LEAVE) +(\d+) +(\d+) +Region: "([^"]*)"`)

// TestOTF2 compares with the archive that was made of the same log, as otf2-print has it.
func TestOTF2(t *testing.T) {
	root := readertest.Recordings(t)
	tool, err := exec.LookPath("otf2-print")
	if err != nil {
		t.Skip("otf2-print is not installed: raw logs were not compared with OTF2")
	}
	for _, run := range []string{"http-fast", "http-slow20ms"} {
		events, _ := curl(t, "curl-quiet/8.14.1/"+run+"/run-01.raw.log.zst")
		out := expect.Value(exec.Command(tool, filepath.Join(root, "otf2", "curl-8.14.1-"+run+"-run-01", "traces.otf2")).Output())(t)
		want := make(map[string][]string) // by location
		for _, m := range printed.FindAllStringSubmatch(string(out), -1) {
			want[m[2]] = append(want[m[2]], m[3]+" "+m[1][:1]+" "+m[4])
		}
		got := make(map[string][]string)
		for _, e := range events {
			got[e.Key.Lifeline] = append(got[e.Key.Lifeline], fmt.Sprintf("%d %c %s", e.Ns, "EL"[e.Key.Kind], e.Key.Function))
		}
		expect.Equal(t, len(got), len(want), "lifelines")
		for location, list := range want {
			found := false
			for _, mine := range got {
				found = found || strings.Join(mine, "\n") == strings.Join(list, "\n")
			}
			if !found {
				t.Errorf("%s: no lifeline has the %d events of location %s", run, len(list), location)
			}
		}
	}
}

func TestKilled(t *testing.T) {
	events, ledger := curl(t, "defects/curl-8.14.1-killed9-zero-filled-tail.raw.log.zst")
	if len(events) != 26850 || readertest.Losses(ledger) != "torn_record 13150" {
		t.Errorf("%d events, %s", len(events), readertest.Losses(ledger))
	}
}
