package ingest_test

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/tmsct"
)

// chart is a text whose last line bears on its first.
const chart = "A > f !m1\nB > g ?m1\nB < g\nA < f\nmessage settings { time-bound: 2 }\n"

func detectChart(_ string, head []byte) (schema.Format, error) { return tmsct.Named(head), nil }

func charts(t *testing.T, in io.Reader) ingest.Job {
	t.Helper()
	j := piped(t, in)
	j.Detect = detectChart
	return j
}

// annotations are those of the run a, a line each.
func annotations(t *testing.T, l *lake.Lake) string {
	t.Helper()
	m, err := l.Manifest("annotations", lake.Run("a"))
	if err != nil || m == nil || len(m.Files) != 1 {
		t.Fatalf("annotations: %+v, %v", m, err)
	}
	rows, err := lake.Read[schema.Annotation](l, "annotations", lake.Run("a"))
	if err != nil || m.Rows() != int64(len(rows)) {
		t.Fatalf("%d rows, %v; want %d", len(rows), err, m.Rows())
	}
	var out strings.Builder
	for _, r := range rows {
		if r.Seq != nil {
			fmt.Fprintf(&out, "%d ", *r.Seq)
		}
		fmt.Fprintf(&out, "%s %s", r.About, r.Series)
		if r.Number != nil {
			fmt.Fprint(&out, *r.Number)
		}
		fmt.Fprintf(&out, " %s %s\n", r.Name, r.Value)
	}
	return out.String()
}

// TestWhole checks that a text longer than several pieces is parsed as one, however its bytes come, with lines
// longer than a piece, and that its lines are counted.
func TestWhole(t *testing.T) {
	padding := strings.Repeat("// nothing to see here\n", 200_000) + "/*" + strings.Repeat(" ", 3*mib) + "*/\n"
	text := strings.Replace(chart, "B < g\n", "B < g\n"+padding+"= nonsense\n", 1)
	for name, in := range map[string]io.Reader{
		"at once": strings.NewReader(text), "half": iotest.HalfReader(strings.NewReader(text)), "with the end": iotest.DataErrReader(strings.NewReader(text)),
	} {
		j := charts(t, in)
		run, losses := ingested(t, j)
		if run.Events != 4 || run.Messages != 1 || run.DurationNs != 2e9 || run.Lines != 200_007 || run.Format != "tmsct" {
			t.Errorf("%s: %+v", name, run)
		}
		if got := short(losses); !strings.HasPrefix(got, "1 bad_line stdin:200005:1: ") {
			t.Errorf("%s: losses are %s", name, got)
		}
	}
}

// TestWholeFiles checks that each file of a run is a text of its own, with a byte order mark or without, and that
// a bad last line without an end is torn.
func TestWholeFiles(t *testing.T) {
	first, second := write(t, "1.tmsct", "\xef\xbb\xbf"+chart), write(t, "2.tmsct", "\xef\xbb\xbf10 A > f\n11 A < f\n12 A >")
	j := job(t, first, second)
	j.Detect = detectChart
	run, losses := ingested(t, j)
	if run.Events != 6 || run.Lines != 8 || run.DurationNs != 11e9 {
		t.Errorf("%+v", run)
	}
	if got := short(losses); !strings.HasPrefix(got, "1 torn_line 2.tmsct:3:") {
		t.Errorf("losses are %s", got)
	}
	if _, losses := ingested(t, charts(t, strings.NewReader(chart+"12 A >\n"))); !strings.HasPrefix(short(losses), "1 bad_line stdin:6:7: ") {
		t.Errorf("with the end of the line, losses are %s", short(losses))
	}
}

// TestWholeTooLong checks that a text of the greatest length is read, and that one byte more is an error.
func TestWholeTooLong(t *testing.T) {
	if testing.Short() {
		t.Skip("64 MiB of blanks are read")
	}
	const limit = 64 * mib
	blanks := strings.Repeat(" ", limit-len(chart))
	if run, _ := ingested(t, charts(t, io.MultiReader(strings.NewReader(chart), strings.NewReader(blanks)))); run.Events != 4 {
		t.Errorf("%d events", run.Events)
	}
	refused(t, charts(t, io.MultiReader(strings.NewReader(chart), strings.NewReader(blanks+" "))), "stdin", "more than 64 MiB", "one piece")
	broken := iotest.ErrReader(fmt.Errorf("the cable is loose"))
	refused(t, charts(t, io.MultiReader(strings.NewReader(chart+blanks[:9*mib]), broken)), "stdin", "the cable is loose")
}

// TestImpossible checks that a chart that cannot be is an error with its place, strict or not.
func TestImpossible(t *testing.T) {
	path := write(t, "t.tmsct", "\n  A > f ?m !m\n")
	j := job(t, path)
	j.Detect = detectChart
	refused(t, j, path+":2:3: the event A > f waits for itself")
}

// TestAnnotations checks that notes are about the right events, further messages included, whatever the distance of their numbers, and that
// those of events that are discarded go.
func TestAnnotations(t *testing.T) {
	const text = "tmsc settings { p: 1 }\nA > f !m1 ?x !n { q: 2 }\n+3 A < f !lost7\n+4 A > g !late { r: 5 }\n+6 A < h { s: 7 }\n+8 A > f\n+9 A < f\n"
	want := "trace  p 1\n0 message m1 type message\n0 message n type message\n0 event  q 2\n%[2]d message lost7 type message\n%[2]d segment  bound_ns 3000000000\n" +
		"%[3]d message late type message\n%[3]d event  r 5\n%[3]d segment  bound_ns 4000000000\n%[4]d event  s 7\n%[4]d segment  bound_ns 6000000000\n" +
		"%[5]d segment  bound_ns 8000000000\n%[6]d segment  bound_ns 9000000000\n"
	for _, c := range []struct {
		untraced, incomplete string
		stride               int
	}{{"ignore", "complete", 1}, {"insert", "complete", 8}, {"ignore", "discard", 1}, {"insert", "discard", 8}} {
		j := charts(t, strings.NewReader(text))
		j.Untraced, j.Incomplete = c.untraced, c.incomplete
		ingested(t, j)
		var expect strings.Builder
		for line := range strings.Lines(fmt.Sprintf(want+"%.0[1]d", 0, 3*c.stride, 4*c.stride, 5*c.stride, 6*c.stride, 7*c.stride)) {
			seq, _, _ := strings.Cut(line, " ")
			gone := seq == fmt.Sprint(4*c.stride) || seq == fmt.Sprint(5*c.stride)
			if c.incomplete == "complete" || !gone {
				expect.WriteString(line)
			}
		}
		if got := annotations(t, j.Lake); got != strings.TrimSuffix(expect.String(), "0") {
			t.Errorf("%+v: annotations are\n%swant\n%s", c, got, expect.String())
		}
	}
	j := piped(t, strings.NewReader(small))
	if ingested(t, j); annotations(t, j.Lake) != "" {
		t.Error("a trace of lines has annotations")
	}
}
