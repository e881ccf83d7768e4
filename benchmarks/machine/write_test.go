package machine

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func TestAppendTime(t *testing.T) {
	for ns, want := range map[int64]string{0: "0.000000000", 1: "0.000000001", 999_999_999: "0.999999999",
		1_000_000_000: "1.000000000", 12_000_340_056: "12.000340056", math.MaxInt64: "9223372036.854775807"} {
		expect.Equal(t, string(appendTime(nil, ns)), want, "time %d", ns)
	}
}

var grammars = map[string]*regexp.Regexp{
	"thesis":    regexp.MustCompile(`^(\d+\.\d{9}) (\S+) ([<>]) (\S+)(?: ([!?])[mr](\d+))?$`),
	"tmsctrace": regexp.MustCompile(`^(\d+\.\d{9}) E\d+ (\S+) ([<>]) (\S+)(?: ([!?])[mr](\d+))?$`),
	"table":     regexp.MustCompile(`^(\d+\.\d{9}),([^,]+),([^,]+),(start|finish),(?:[^,]+_(?:call|trig|reply))?,(?:id(\d+))?,(send|receive|)$`),
}

// records reads a trace back into one spelling, in the order time, component, side, function, type, id.
func records(t *testing.T, dialect string, data []byte) []string {
	var all []string
	lines := strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	if dialect == "table" {
		lines = lines[1:]
	}
	spell := strings.NewReplacer("start", ">", "finish", "<", "send", "!", "receive", "?")
	for i, line := range lines {
		f := grammars[dialect].FindStringSubmatch(line)
		if f == nil {
			t.Fatalf("%s line %d: %s", dialect, i+1, line)
		}
		if dialect == "table" {
			f = []string{f[0], f[1], f[2], spell.Replace(f[4]), f[3], spell.Replace(f[6]), f[5]}
		}
		all = append(all, strings.Join(f[1:], " "))
	}
	return all
}

func TestDialectsAgree(t *testing.T) {
	m := build(t, 60, 1)
	r := Run{Events: 30_000}
	want := records(t, "thesis", write(t, "thesis", m, r))
	events, _, _ := simulate(t, m, r)
	expect.Equal(expect.Must(t), len(want), len(events), "lines")
	for i, e := range events {
		id := ""
		if e.Mark != NoMessage {
			id = strconv.FormatInt(e.ID, 10)
		}
		if head := fmt.Sprintf("%s %s ", appendTime(nil, e.TimeNs), m.Components[m.Keys[e.Key].Component]); !strings.HasPrefix(want[i], head) || !strings.HasSuffix(want[i], " "+id) {
			t.Fatalf("line %d is %q, want %q ... %q", i+1, want[i], head, id)
		}
	}
	for _, dialect := range []string{"table", "tmsctrace"} {
		got := records(t, dialect, write(t, dialect, m, r))
		expect.Equal(expect.Must(t), len(got), len(want), "events of %s", dialect)
		for i := range got {
			expect.Equal(expect.Must(t), got[i], want[i], "%s event %d", dialect, i)
		}
	}
}

func TestUnknownDialect(t *testing.T) {
	if _, err := NewWriter(new(bytes.Buffer), build(t, 24, 1), "morse"); err == nil {
		t.Error("no error")
	}
}

func BenchmarkThesis(b *testing.B) {
	m := expect.Value(Build(396, 1))(b)
	var events int64
	for b.Loop() {
		w := expect.Value(NewWriter(discard{}, m, "thesis"))(b)
		stats, _, err := m.Run(Run{Events: 1_000_000}, w.Write)
		expect.OK(b, err)
		events += stats.Events
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
