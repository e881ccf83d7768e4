package uftrace

import (
	"archive/tar"
	"bufio"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/klauspost/compress/zstd"
	"github.com/tracelake/tracelake/schema"
)

// event is an event as tests see it.
type event struct {
	ns  int64
	key schema.EventKey
}

// collect reads a trace whole.
func collect(reading *schema.Reading, format schema.Format) ([]event, error) {
	var events []event
	reader := format.NewReader(reading)
	err := reader.Read(func(full *schema.Block) (*schema.Block, error) {
		if full != nil {
			n := len(full.TimeNs)
			if n == 0 || n > schema.BlockEvents || len(full.Key) != n || len(full.Mark) != n || len(full.MessageID) != n {
				return nil, fmt.Errorf("a block of %d times, %d keys", n, len(full.Key))
			}
			for i, ns := range full.TimeNs {
				if full.Mark[i] != schema.NoMark || full.MessageID[i] != schema.NoValue {
					return nil, fmt.Errorf("a message")
				}
				events = append(events, event{ns, reader.Keys()[full.Key[i]]})
			}
		}
		return new(schema.Block), nil
	})
	for _, k := range reader.Keys() {
		if k.Component == "" || k.Lifeline == "" || k.Function == "" {
			return nil, fmt.Errorf("an empty name in %+v", k)
		}
	}
	if marks := reader.Marks(); len(marks) != 1 || marks[0] != (schema.MessageMark{}) {
		return nil, fmt.Errorf("marks %v", marks)
	}
	return events, err
}

func readingOf(fsys fs.FS, path string) *schema.Reading {
	return &schema.Reading{Traces: []schema.Trace{{FS: fsys, Path: path}}, Memory: 1 << 20, Ledger: new(schema.Ledger),
		Scratch: func() (schema.Scratch, error) { return os.CreateTemp("", "scratch") }}
}

// recordings returns the folder of recordings.
func recordings(t testing.TB) string {
	root := os.Getenv("TRACELAKE_RECORDINGS")
	if root == "" {
		t.Skip("TRACELAKE_RECORDINGS names no folder of recordings: no recorded data of uftrace were read")
	}
	return root
}

// unpack puts the files of a .tar.zst into a folder and returns that of its "info".
func unpack(t testing.TB, name string) string {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := zstd.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	dir, found := t.TempDir(), ""
	for in := tar.NewReader(z); ; {
		h, err := in.Next()
		if err == io.EOF {
			return found
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(in)
		path := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err == nil {
			err = os.MkdirAll(filepath.Dir(path), 0o777)
		}
		if err == nil {
			err = os.WriteFile(path, data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		if filepath.Base(path) == "info" {
			found = filepath.Dir(path)
		}
	}
}

// zst returns what a file holds.
func zst(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	z, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if data, err = z.DecodeAll(data, nil); err != nil {
		t.Fatal(err)
	}
	return data
}

// plain is a second reader of dump's lines: for each thread what it says, in a word each.
var plain = regexp.MustCompile(`^(\d+)\.(\d{9})\s+(\d+): \[(entry|exit )\] (.*)\([0-9a-f]+\) depth: \d+$`)

func plainDump(text []byte) map[string][]string {
	threads := make(map[string][]string)
	lines := bufio.NewScanner(bytes.NewReader(text))
	for lines.Scan() {
		if m := plain.FindStringSubmatch(lines.Text()); m != nil {
			threads[m[3]] = append(threads[m[3]], fmt.Sprintf("%s%s %s %s", strings.TrimLeft(m[1], "0"), m[2], m[4][:2], m[5]))
		}
	}
	return threads
}

// withoutStray leaves out the exits of a forked child from calls of its parent, and counts them. (In the
// recordings nothing else leaves without having entered.)
func withoutStray(threads map[string][]string) (map[string][]string, int64) {
	stray := int64(0)
	for tid, lines := range threads {
		open := 0
		threads[tid] = slices.DeleteFunc(lines, func(line string) bool {
			if strings.Contains(line, " en ") {
				open++
			} else if open--; open < 0 {
				open, stray = 0, stray+1
				return true
			}
			return false
		})
	}
	return threads, stray
}

// compareWithDump compares the events of data, thread by thread, with what dump printed of them.
func compareWithDump(t *testing.T, data fs.FS, dump []byte) (total int) {
	t.Helper()
	reading := readingOf(data, ".")
	events, err := collect(reading, Format())
	if err != nil {
		t.Fatal(err)
	}
	of := make(map[string]string) // the thread of a lifeline
	r := &reader{reading: readingOf(data, "."), fsys: data, dir: "."}
	threads, err := r.readTasks(&info{})
	if err != nil {
		t.Fatal(err)
	}
	for line, name := range threads.lines {
		of[name] = fmt.Sprint(line.tid)
	}
	got := make(map[string][]string)
	for i, e := range events {
		if i > 0 && e.ns < events[i-1].ns {
			t.Fatalf("event %d: time goes back", i)
		}
		tid := of[e.key.Lifeline]
		got[tid] = append(got[tid], fmt.Sprintf("%d %s %s", e.ns, []string{"en", "ex"}[e.key.Kind], e.key.Function))
	}
	want, stray := withoutStray(plainDump(dump))
	for tid := range want {
		if len(got[tid]) != len(want[tid]) {
			t.Errorf("thread %s: %d events, dump has %d", tid, len(got[tid]), len(want[tid]))
		}
		for i := range min(len(got[tid]), len(want[tid])) {
			if got[tid][i] != want[tid][i] {
				t.Errorf("thread %s: event %d is %q, dump has %q", tid, i, got[tid][i], want[tid][i])
				break
			}
		}
		total += len(want[tid])
	}
	if len(got) != len(want) {
		t.Errorf("%d threads, dump has %d", len(got), len(want))
	}
	if n := reading.Ledger.Count(schema.UnmatchedExit); n != stray {
		t.Errorf("%d exits were left out, dump has %d", n, stray)
	}
	for _, reason := range []schema.Reason{schema.BadRecord, schema.TornRecord, schema.UndefinedToken} {
		if n := reading.Ledger.Count(reason); n != 0 {
			t.Errorf("%d of %s", n, reason.Name)
		}
	}
	return total
}

func TestCurl(t *testing.T) {
	root := recordings(t)
	for _, name := range []string{"curl-8.14.1-http-fast-run1", "curl-8.14.1-http-slow20ms-run1"} {
		dir := unpack(t, filepath.Join(root, "uftrace/curl", name+".data.tar.zst"))
		dump := zst(t, filepath.Join(root, "uftrace/curl", name+".dump.txt.zst"))
		if n := compareWithDump(t, os.DirFS(dir), dump); n < 12000 {
			t.Errorf("%s: only %d events were compared", name, n)
		}
		compareDumped(t, dump)
	}
}

// compareDumped compares the reader of dump's text with the plain one.
func compareDumped(t *testing.T, text []byte) {
	t.Helper()
	reading := readingOf(fstest.MapFS{"dump.txt": {Data: text}}, "dump.txt")
	events, err := collect(reading, DumpFormat())
	if err != nil {
		t.Fatal(err)
	}
	got, total := make(map[string][]string), 0
	for i, e := range events {
		if i > 0 && e.ns < events[i-1].ns {
			t.Fatalf("event %d: time goes back", i)
		}
		got[e.key.Lifeline] = append(got[e.key.Lifeline], fmt.Sprintf("%d %s %s", e.ns, []string{"en", "ex"}[e.key.Kind], e.key.Function))
	}
	want, stray := withoutStray(plainDump(text))
	for tid := range want {
		total += len(want[tid])
		for name := range got {
			if slices.Equal(got[name], want[tid]) {
				delete(got, name)
				break
			}
		}
	}
	if len(got) != 0 || total != len(events) || total == 0 {
		t.Errorf("%d events, want %d; %d lifelines are not as the plain reader has them", len(events), total, len(got))
	}
	if n := reading.Ledger.Count(schema.UnmatchedExit); n != stray || reading.Ledger.Count(schema.BadLine) != 0 {
		t.Errorf("%d exits were left out, not %d; %d bad lines", n, stray, reading.Ledger.Count(schema.BadLine))
	}
}

func TestKilled(t *testing.T) {
	dir := unpack(t, filepath.Join(recordings(t), "defects/uftrace-curl-killed9.data.tar.zst"))
	events, err := collect(readingOf(os.DirFS(dir), "."), Format())
	if err != nil {
		t.Fatal(err)
	}
	var count [2]int
	for _, e := range events {
		if e.key.Lifeline == "curl/1" {
			count[e.key.Kind]++
		}
	}
	if count != [2]int{24813, 24804} {
		t.Errorf("%d entries and exits in the main thread", count)
	}
}

// TestAgainstDump runs dump on every folder of data that there is.
func TestAgainstDump(t *testing.T) {
	tool, err := exec.LookPath("uftrace")
	if err != nil {
		t.Skip("uftrace is not installed: its command dump was not compared")
	}
	dirs := folders(t)
	if root := os.Getenv("TRACELAKE_RECORDINGS"); root != "" {
		dirs = append(dirs, unpack(t, filepath.Join(root, "defects/uftrace-curl-killed9.data.tar.zst")))
	}
	for _, dir := range dirs {
		dump, err := exec.Command(tool, "dump", "-d", dir).Output()
		if err != nil {
			t.Fatal(err)
		}
		n := compareWithDump(t, os.DirFS(dir), dump)
		if !strings.Contains(dir, "args") { // where the child executes another program and leaves calls open
			compareDumped(t, dump)
		}
		t.Logf("%s: %d events", filepath.Base(dir), n)
	}
}

// folders are the recordings of this package, unpacked.
func folders(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.tar.zst")
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(files)
	var dirs []string
	for _, file := range files {
		dirs = append(dirs, unpack(t, file))
	}
	return dirs
}
