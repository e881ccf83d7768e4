package ingest_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

const mib = 1 << 20

// TestReadSizes checks that the tables do not depend on how the bytes of the trace come.
func TestReadSizes(t *testing.T) {
	trace := long(250_000) // 9 MiB, three pieces
	if len(trace) < 8*mib {
		t.Fatalf("the trace is too short: %d bytes", len(trace))
	}
	whole := piped(t, strings.NewReader(trace))
	ingested(t, whole)
	for name, reader := range map[string]io.Reader{
		"a few bytes at a time": &trickle{in: strings.NewReader(trace)}, "half": iotest.HalfReader(strings.NewReader(trace)),
		"the end with the last bytes": iotest.DataErrReader(strings.NewReader(trace)),
	} {
		j := piped(t, reader)
		ingested(t, j)
		expect.Equal(t, bytesOf(t, j.Lake), bytesOf(t, whole.Lake), "%s: tables", name)
	}
	alone := piped(t, strings.NewReader(trace))
	alone.Jobs = 1
	ingested(t, alone)
	expect.Equal(t, bytesOf(t, alone.Lake), bytesOf(t, whole.Lake), "tables of one job")
}

// trickle gives 1 to 64 bytes at a time, in turn, so that reads end at every place of some line.
type trickle struct {
	in   io.Reader
	last int
}

func (r *trickle) Read(p []byte) (int, error) {
	r.last = r.last%64 + 1
	return r.in.Read(p[:min(len(p), r.last)])
}

// TestLongLines checks that a line that is longer than a piece is one bad line wherever it stands, and that
// the lines after it have their right numbers.
func TestLongLines(t *testing.T) {
	late := "99999999999999999999.0 a > f\n" // its place is kept apart from that of bad lines
	for _, size := range []int{4*mib - 1, 4 * mib, 8*mib + 1} {
		line := strings.Repeat("x", size)
		for _, c := range []struct{ what, trace, bad, late string }{
			{"in the middle", small + line + "\n" + late + small, "1 bad_line stdin:5:", "stdin:6:1: "},
			{"at the end", small + late + line + "\n", "1 bad_line stdin:6:", "stdin:5:1: "},
			{"twice", small + line + "\n" + line + "\n" + late + small, "2 bad_line stdin:5:", "stdin:7:1: "},
			{"torn", small + late + line, "_line stdin:6:", "stdin:5:1: "},
		} {
			run, losses := ingested(t, piped(t, strings.NewReader(c.trace)))
			if got := short(losses); !strings.Contains(got, c.bad) || !strings.Contains(got, "1 unsupported_time "+c.late) {
				t.Errorf("%d bytes %s: losses are\n%s", size, c.what, got)
			}
			if want := int64(strings.Count(c.trace, "\n")); run.Lines != want && c.what != "torn" {
				t.Errorf("%d bytes %s: %d lines, want %d", size, c.what, run.Lines, want)
			}
		}
	}
}

// compressions pack a trace in every way that is understood.
func compressions(t *testing.T, trace string) map[string][]byte {
	t.Helper()
	packed := make(map[string][]byte)
	for name, open := range map[string]func(io.Writer) (io.WriteCloser, error){
		"t.gz":  func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"t.zst": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
		"t.xz":  func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
	} {
		var out bytes.Buffer
		w := expect.Value(open(&out))(t)
		expect.Value(io.WriteString(w, trace))(t)
		expect.OK(t, w.Close())
		packed[name] = out.Bytes()
	}
	return packed
}

// TestCompression checks that a compressed trace gives the tables of the plain one, whatever its file is
// called, and that it is known again. Several packed parts may follow each other in one file.
func TestCompression(t *testing.T) {
	trace := long(20_000)
	plain := piped(t, strings.NewReader(trace))
	ingested(t, plain)
	twice := piped(t, strings.NewReader(trace+trace))
	ingested(t, twice)
	for name, packed := range compressions(t, trace) {
		path := write(t, name[2:], string(packed)) // its name says nothing
		j := job(t, path)
		ingested(t, j)
		expect.Equal(t, bytesOf(t, j.Lake), bytesOf(t, plain.Lake), "%s: tables", name)
		checkFresh(t, j, true, name+" is not known again")
		double := job(t, write(t, name, string(packed)+string(packed)))
		ingested(t, double)
		expect.Equal(t, bytesOf(t, double.Lake), bytesOf(t, twice.Lake), "%s twice: tables", name)
	}
}

// TestTruncated checks that a compressed trace that was cut off is not taken for a whole one.
func TestTruncated(t *testing.T) {
	for name, packed := range compressions(t, long(20_000)) {
		for _, size := range []int{len(packed) / 3, len(packed) - 9, len(packed) - 1, 7} {
			path := write(t, name, string(packed[:size]))
			t.Run(name, func(t *testing.T) { refused(t, job(t, path), path) })
		}
	}
}

// TestTruncatedAtOnce checks that a compressed trace of which nothing can be read is not called empty, which is something else.
func TestTruncatedAtOnce(t *testing.T) {
	for name, packed := range compressions(t, long(20_000)) {
		if _, _, err := ingest.Run(t.Context(), job(t, write(t, name, string(packed[:8])))); err == nil || strings.Contains(err.Error(), "is empty") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestDamaged checks that a compressed trace with a wrong byte in the middle is an error.
func TestDamaged(t *testing.T) {
	for name, packed := range compressions(t, long(20_000)) {
		packed[len(packed)/2] ^= 0x55
		path := write(t, name, string(packed))
		t.Run(name, func(t *testing.T) { refused(t, job(t, path), path) })
	}
}

// TestLongTable ingests a table that is long enough for the memory of its first piece, from which the
// header was taken, to be used again.
func TestLongTable(t *testing.T) {
	if testing.Short() {
		t.Skip("a table of 100 MiB takes a second")
	}
	name := strings.Repeat("f", 500)
	const calls = 1000
	rows := strings.Repeat("1.0,a,"+name+",start\n2.0,a,"+name+",finish\n", calls)
	parts := []io.Reader{strings.NewReader("time,component,function,kind\n")}
	for range 104 { // MiB
		parts = append(parts, strings.NewReader(rows))
	}
	run, losses := ingested(t, piped(t, io.MultiReader(parts...)))
	if want := int64(104 * calls * 2); run.Events != want || run.Lines != want+1 {
		t.Errorf("%d events in %d lines, want %d", run.Events, run.Lines, want)
	}
	if len(losses) != 1 || losses[0].Reason != "time_backwards" {
		t.Errorf("losses:\n%s", short(losses))
	}
}

// TestFresh checks when an ingest has nothing to do: only when the bytes and the options are the same.
// Anything else is refused, and the run stays, unless it is to be replaced: then what was derived from it goes too. The same
// bytes in a file of another name replace nothing that anybody would miss.
func TestFresh(t *testing.T) {
	path := write(t, "t.txt", small)
	j := job(t, path)
	checkFresh(t, j, false, "an empty lake has the run")
	ingested(t, j)
	checkFresh(t, j, true, "the run is not known again")
	moved := j
	moved.Paths = []string{write(t, "t.txt", small)}
	checkFresh(t, moved, true, "the run is not known again in another folder")
	derive(t, j.Lake)
	other := j
	other.Labels = map[string]string{"release": "2"}
	checkFresh(t, other, false, "another label makes no difference")
	checkKept(t, other, true)
	other.Replace = true
	ingested(t, other)
	if m, err := j.Lake.Manifest("executions", lake.Run("a")); err != nil || m != nil {
		t.Errorf("what was derived from the run before is still there: %v", err)
	}
	expect.OK(t, os.WriteFile(path, []byte(small+small), 0o666))
	checkFresh(t, other, false, "other bytes make no difference")
	other.Replace = false
	checkKept(t, other, false)
	stdin := other
	stdin.Paths, stdin.Stdin = []string{"-"}, strings.NewReader(small+small)
	checkKept(t, stdin, false)
	renamed := other
	renamed.Paths = []string{write(t, "renamed.txt", small)}
	ingested(t, renamed)
	if left, _ := filepath.Glob(filepath.Join(j.Lake.Dir, "events", "*", "*", "*.parquet")); len(left) != 1 {
		t.Errorf("files are %q, want one", left)
	}
}

// checkKept checks that a job does not take the place of the run that the lake has, and says whether the trace is the same.
func checkKept(t *testing.T, j ingest.Job, sameTrace bool) {
	t.Helper()
	before := bytesOf(t, j.Lake)
	_, _, err := ingest.Run(t.Context(), j)
	if refused := new(ingest.ReplaceError); !errors.As(err, &refused) || refused.SameTrace != sameTrace || refused.Run != "a" {
		t.Errorf("another trace or other options in the place of a run: %v", err)
	}
	if bytesOf(t, j.Lake) != before {
		t.Error("a refused ingest changed the run")
	}
}

// derive puts a table into the lake as if a stage had made it of the run.
func derive(t *testing.T, l *lake.Lake) {
	t.Helper()
	s := expect.Value(l.Stage("executions", lake.Run("a"), strings.Repeat("0", 64)))(t)
	expect.OK(t, s.Commit(&lake.Manifest{Table: "executions"}))
}
