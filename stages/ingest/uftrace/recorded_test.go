package uftrace

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

type event = readertest.Event

// collect reads a trace whole.
func collect(reading *schema.Reading, format schema.Format) ([]event, error) {
	r := readertest.Read(format, reading)
	return r.Events, r.Err
}

func readingOf(fsys fs.FS, path string) *schema.Reading { return readertest.Reading(fsys, path) }

// unpack returns the folder of data in an archive.
func unpack(t testing.TB, archive string) string {
	t.Helper()
	return readertest.FolderOf(t, readertest.Unpack(t, archive), "info")
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
	events := expect.Value(collect(reading, Format()))(t)
	of := make(map[string]string) // the thread of a lifeline
	r := &reader{reading: readingOf(data, "."), fsys: data, dir: "."}
	threads := expect.Value(r.readTasks(&info{}))(t)
	for line, name := range threads.lines {
		of[name] = fmt.Sprint(line.tid)
	}
	got := make(map[string][]string)
	for i, e := range events {
		if i > 0 && e.Ns < events[i-1].Ns {
			t.Fatalf("event %d: time goes back", i)
		}
		tid := of[e.Key.Lifeline]
		got[tid] = append(got[tid], fmt.Sprintf("%d %s %s", e.Ns, []string{"en", "ex"}[e.Key.Kind], e.Key.Function))
	}
	want, stray := withoutStray(plainDump(dump))
	for tid := range want {
		expect.Equal(t, len(got[tid]), len(want[tid]), "events of thread %s", tid)
		for i := range min(len(got[tid]), len(want[tid])) {
			if got[tid][i] != want[tid][i] {
				t.Errorf("thread %s: event %d is %q, dump has %q", tid, i, got[tid][i], want[tid][i])
				break
			}
		}
		total += len(want[tid])
	}
	expect.Equal(t, len(got), len(want), "threads")
	expect.Equal(t, reading.Ledger.Count(schema.UnmatchedExit), stray, "exits left out")
	for _, reason := range []schema.Reason{schema.BadRecord, schema.TornRecord, schema.UndefinedToken} {
		expect.Equal(t, reading.Ledger.Count(reason), 0, "%s", reason.Name)
	}
	return total
}

func TestCurl(t *testing.T) {
	root := readertest.Recordings(t)
	for _, name := range []string{"curl-8.14.1-http-fast-run1", "curl-8.14.1-http-slow20ms-run1"} {
		dir := unpack(t, filepath.Join(root, "uftrace/curl", name+".data.tar.zst"))
		dump := readertest.Load(t, filepath.Join(root, "uftrace/curl", name+".dump.txt.zst"))
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
	events := expect.Value(collect(reading, DumpFormat()))(t)
	got, total := make(map[string][]string), 0
	for i, e := range events {
		if i > 0 && e.Ns < events[i-1].Ns {
			t.Fatalf("event %d: time goes back", i)
		}
		got[e.Key.Lifeline] = append(got[e.Key.Lifeline], fmt.Sprintf("%d %s %s", e.Ns, []string{"en", "ex"}[e.Key.Kind], e.Key.Function))
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
	dir := unpack(t, filepath.Join(readertest.Recordings(t), "defects/uftrace-curl-killed9.data.tar.zst"))
	events := expect.Value(collect(readingOf(os.DirFS(dir), "."), Format()))(t)
	var count [2]int
	for _, e := range events {
		if e.Key.Lifeline == "curl/1" {
			count[e.Key.Kind]++
		}
	}
	expect.Equal(t, count, [2]int{24813, 24804}, "entries and exits of the main thread")
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
		dump := expect.Value(exec.Command(tool, "dump", "-d", dir).Output())(t)
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
	files := expect.Value(filepath.Glob("testdata/*.tar.zst"))(t)
	slices.Sort(files)
	var dirs []string
	for _, file := range files {
		dirs = append(dirs, unpack(t, file))
	}
	return dirs
}
