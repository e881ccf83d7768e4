package ingest_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/stages/ingest/text"
)

// small is a trace of one call with a message exchange.
const small = "0.001 a > f !m1\n0.002 b > g ?m1\n0.003 b < g !m2\n0.004 a < f ?m2\n"

// long is a trace of so many calls, in several components, with two lines each.
func long(calls int) string {
	var out strings.Builder
	for i := range calls {
		fmt.Fprintf(&out, "%d.%06d c%d > f%d\n%d.%06d c%d < f%d\n", i/1000, i%1000*1000, i%7, i%5, i/1000, i%1000*1000+500, i%7, i%5)
	}
	return out.String()
}

func detect(file string, head []byte) (schema.Format, error) {
	if f, ok := text.Detect(head); ok {
		return f, nil
	}
	f, ok, err := table.Detect(head, table.Options{})
	if err == nil && !ok {
		err = fmt.Errorf("%s: no known format", file)
	}
	return f, err
}

// job is an ingest of the run a into a lake of its own.
func job(t *testing.T, paths ...string) ingest.Job {
	t.Helper()
	l, err := lake.Open(t.TempDir(), true)
	noError(t, err)
	return ingest.Job{
		Lake: l, Run: "a", Paths: paths, Detect: detect, Incomplete: "complete", Untraced: "ignore", Format: "auto", Jobs: 2,
	}
}

func piped(t *testing.T, in io.Reader) ingest.Job {
	t.Helper()
	j := job(t, "-")
	j.Stdin = in
	return j
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	noError(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

func ingested(t *testing.T, j ingest.Job) (*schema.Run, []schema.Loss) {
	t.Helper()
	run, losses, err := ingest.Run(t.Context(), j)
	noError(t, err)
	return run, losses
}

// refused checks that an ingest fails with words, and that it leaves no table.
func refused(t *testing.T, j ingest.Job, words ...string) {
	t.Helper()
	run, _, err := ingest.Run(t.Context(), j)
	if err == nil {
		t.Fatalf("%q was ingested: %d events", j.Paths, run.Events)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
	if all, err := j.Lake.Inventories(); err != nil || len(all) > 0 {
		t.Errorf("a failed ingest left tables: %+v, %v", all, err)
	}
}

// checkFresh checks whether the lake has the run of a job already; otherwise says what is wrong.
func checkFresh(t *testing.T, j ingest.Job, want bool, otherwise string) {
	t.Helper()
	if s, err := j.Standing(); err != nil || s.Fresh != want {
		t.Errorf("%s: %v", otherwise, err)
	}
}

// bytesOf are the checksums of the files of events and messages.
func bytesOf(t *testing.T, l *lake.Lake) string {
	t.Helper()
	var out strings.Builder
	for _, name := range []string{"events", "messages"} {
		m, err := l.Manifest(name, lake.Run("a"))
		if err != nil || m == nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, f := range m.Files {
			fmt.Fprintln(&out, name, f.Bucket, f.Rows, f.Bytes, f.Crc32c)
		}
	}
	return out.String()
}

// short writes losses as "count reason position", a line each.
func short(losses []schema.Loss) string {
	var out strings.Builder
	for _, l := range losses {
		fmt.Fprintf(&out, "%d %s %s\n", l.Count, l.Reason, l.FirstPosition)
	}
	return out.String()
}

// TestRun checks what is said of a run and that its tables say the same.
func TestRun(t *testing.T) {
	path := write(t, "t.txt", small)
	j := job(t, path)
	j.Labels = map[string]string{"release": "1"}
	run, losses := ingested(t, j)
	if len(losses) > 0 {
		t.Errorf("losses:\n%s", short(losses))
	}
	got := fmt.Sprintf("%s %s %v: %d lines, %d events, %d executions, %d messages, %d components, from %d for %d", run.Source, run.Format, run.Labels,
		run.Lines, run.Events, run.Executions, run.Messages, run.Components, run.StartNs, run.DurationNs)
	if want := "t.txt thesis map[release:1]: 4 lines, 4 events, 2 executions, 2 messages, 2 components, from 1000000 for 3000000"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for name, want := range map[string]int64{"events": run.Events, "messages": run.Messages, "runs": 1} {
		if m, err := j.Lake.Manifest(name, lake.Run("a")); err != nil || m.Rows() != want {
			t.Errorf("%s has %d rows, %v; want %d", name, m.Rows(), err, want)
		}
	}
	if sum, err := ingest.HashFiles(1, []string{path}); err != nil || sum != run.Sha256 {
		t.Errorf("sha256 is %s, want %s", run.Sha256, sum)
	}
}

// TestSeveralFiles checks that several files are one run, that lines are counted in each file, and that the
// last line of a file needs no line end.
func TestSeveralFiles(t *testing.T) {
	first := write(t, "first.txt", "1.0 a > f\nnonsense\n2.0 a < f\n")
	second := write(t, "second.txt", "3.0 a > f\n4.0 a < f\n99999999999999999999.0 a > f")
	run, losses := ingested(t, job(t, first, second))
	if run.Events != 4 || run.Lines != 6 || run.Source != "first.txt second.txt" {
		t.Errorf("%+v", run)
	}
	if want := "1 bad_line " + filepath.Base(first) + ":2:1: "; !strings.HasPrefix(short(losses), want) {
		t.Errorf("losses:\n%swant %s", short(losses), want)
	}
	if want := "1 unsupported_time " + filepath.Base(second) + ":3:1: "; !strings.Contains(short(losses), want) {
		t.Errorf("losses:\n%swant %s", short(losses), want)
	}
}

// TestHeaders checks that every table file of a run has a header of its own, which counts as a line.
func TestHeaders(t *testing.T) {
	first := write(t, "first.csv", "time,component,function,kind\n1.0,a,f,start\n2.0,a,f,finish\n")
	second := write(t, "second.csv", "time,component,function,kind\n3.0,a,f,start\n4.0,a,f,finish\n,,,\n")
	run, losses := ingested(t, job(t, first, second))
	if run.Events != 4 || run.Lines != 7 {
		t.Errorf("%d events in %d lines, want 4 in 7", run.Events, run.Lines)
	}
	if want := "1 bad_line " + filepath.Base(second) + ":4:"; !strings.HasPrefix(short(losses), want) {
		t.Errorf("losses:\n%swant %s", short(losses), want)
	}
}

// TestOtherHeader checks that a second file with its columns in another order is read by its own header, or
// refused; it must not be read by the header of the first.
func TestOtherHeader(t *testing.T) {
	first := write(t, "first.csv", "time,component,function,kind\n1.0,a,f,start\n2.0,a,f,finish\n")
	second := write(t, "second.csv", "time,function,component,kind\n3.0,g,b,start\n4.0,g,b,finish\n")
	run, _, err := ingest.Run(t.Context(), job(t, first, second))
	if err == nil && run.Components != 2 {
		t.Errorf("%d components", run.Components)
	}
	got, _ := os.ReadFile(second)
	alone, _ := ingested(t, piped(t, bytes.NewReader(got)))
	if alone.Components != 1 {
		t.Fatal("the second file is no table by itself")
	}
	if err == nil {
		checkComponents(t, first, second)
	}
}

// checkComponents checks that the two files give the same events as one file with both in one order.
func checkComponents(t *testing.T, paths ...string) {
	t.Helper()
	apart, together := job(t, paths...), piped(t, strings.NewReader(
		"time,component,function,kind\n1.0,a,f,start\n2.0,a,f,finish\n3.0,b,g,start\n4.0,b,g,finish\n"))
	ingested(t, apart)
	ingested(t, together)
	if bytesOf(t, apart.Lake) != bytesOf(t, together.Lake) {
		t.Error("the second file was read by the header of the first")
	}
}

// TestTornLine checks that a last line without its end is told apart from bad lines, unless it is good.
func TestTornLine(t *testing.T) {
	for _, c := range []struct{ tail, want string }{
		{"", ""},
		{"0.005 a > f\n0.006 a < f", ""},
		{"0.005 a", "1 torn_line stdin:5:"},
		{"nonsense\n0.005 a", "1 bad_line stdin:5:"},
	} {
		_, losses := ingested(t, piped(t, strings.NewReader(small+c.tail)))
		if got := short(losses); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%q: losses are %s, want %s", c.tail, got, c.want)
		}
	}
}

// TestStrict checks that a bad line ends a strict ingest, and that the error names its place.
func TestStrict(t *testing.T) {
	path := write(t, "t.txt", small+"0.005 a > f extra word\n")
	j := job(t, path)
	j.Strict = true
	refused(t, j, path+":5:13: ", "--strict")
}

// TestNoTrace checks what is said of files that are none.
func TestNoTrace(t *testing.T) {
	empty, folder := write(t, "empty.txt", ""), t.TempDir()
	refused(t, job(t, "missing.txt"), "missing.txt")
	refused(t, job(t, folder), folder+" is a folder")
	refused(t, job(t, empty), empty)
	garbage := write(t, "garbage", strings.Repeat("\x00\xff\x01garbage\n", 1000))
	refused(t, job(t, garbage), garbage)
	refused(t, job(t, write(t, "good.txt", small), "missing.txt"), "missing.txt")
	refused(t, job(t, write(t, "good.txt", small), garbage), garbage)
}

// TestCancelled checks that a cancelled ingest says so and leaves nothing.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	j := piped(t, io.MultiReader(strings.NewReader(long(300_000)), cancelling{cancel}, strings.NewReader(long(300_000))))
	if _, _, err := ingest.Run(ctx, j); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if all, err := j.Lake.Inventories(); err != nil || len(all) > 0 {
		t.Errorf("a cancelled ingest left tables: %+v, %v", all, err)
	}
}

// TestManyNames checks that an ingest whose names do not fit into the memory says so, and that it goes on where they do.
func TestManyNames(t *testing.T) {
	var text strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&text, "%d.000000001 A > f%d\n%d.000000002 A < f%d\n", i, i, i, i)
	}
	j := job(t, write(t, "trace.txt", text.String()))
	j.Memory = 1 << 20
	refused(t, j, "different enters and exits", "raise it to")
	j.Memory = 4 << 20
	_, _, err := ingest.Run(t.Context(), j)
	noError(t, err)
}

// cancelling is an empty reader that cancels when it is read.
type cancelling struct{ cancel func() }

func (c cancelling) Read([]byte) (int, error) {
	c.cancel()
	return 0, io.EOF
}

// TestBrokenReader checks that an error of the input is passed on with its name, however far it came.
func TestBrokenReader(t *testing.T) {
	for _, before := range []string{"", small, long(200_000)} {
		broken := errors.New("the cable is loose")
		refused(t, piped(t, io.MultiReader(strings.NewReader(before), failing{broken})), "stdin", broken.Error())
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// noError ends a test that cannot go on after an error.
func noError(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
