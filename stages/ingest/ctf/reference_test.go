package ctf

import (
	"bufio"
	"bytes"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// babeltrace runs the reference program and returns the lines of its text. It fails where it says so.
func babeltrace(t testing.TB, dirs ...string) (lines []string, fails bool) {
	t.Helper()
	program, err := exec.LookPath("babeltrace2")
	if err != nil {
		t.Skip("babeltrace2 is not installed: nothing to compare with")
	}
	args := append([]string{"--clock-seconds", "--no-delta"}, dirs...)
	out, err := exec.Command(program, args...).Output()
	scanner := bufio.NewScanner(bytes.NewReader(out))
	scanner.Buffer(nil, 1<<24)
	for scanner.Scan() {
		lines = append(lines, scanner.Text())
	}
	return lines, err != nil
}

// A callLine is a line of the reference program about a function.
var callLine = regexp.MustCompile(`^\[(\d+)\.(\d{9})\] .* lttng_ust_cyg_profile(?:_fast)?:func_(entry|exit): .*?vtid = (\d+).*, \{ (?:addr = 0x([0-9A-F]+))?`)

// calls returns time, thread, kind and address of the functions in lines, sorted; threads are numbered as they come
// in the order of time.
func calls(t testing.TB, lines []string) []string {
	t.Helper()
	var out []string
	threads := make(map[string]int)
	for _, line := range lines {
		m := callLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if threads[m[4]] == 0 {
			threads[m[4]] = len(threads) + 1
		}
		kind := map[string]string{"entry": ">", "exit": "<"}[m[3]]
		address := "0x" + strings.ToLower(m[5])
		if m[5] == "" {
			address = "-"
		}
		out = append(out, fmt.Sprintf("%s%s %d %s %s", m[1], m[2], threads[m[4]], kind, address))
	}
	slices.Sort(out)
	return out
}

// rowCalls are the rows in the form of calls. Exits without an address are those of the fast variant.
func rowCalls(rows []row, nameless bool) []string {
	var out []string
	threads := make(map[string]int)
	for _, r := range rows {
		if threads[r.Key.Lifeline] == 0 {
			threads[r.Key.Lifeline] = len(threads) + 1
		}
		function := r.Key.Function
		if nameless && r.Key.Kind == schema.Exit {
			function = "-"
		}
		out = append(out, fmt.Sprintf("%d %d %s %s", r.Ns, threads[r.Key.Lifeline], [...]string{">", "<"}[r.Key.Kind], function))
	}
	slices.Sort(out)
	return out
}

// TestReferenceCalls compares every function event with the reference program's.
func TestReferenceCalls(t *testing.T) {
	for _, archive := range []string{
		"ctf/curl-7.88.1-deb-http-fast-run1.ctf.tar.zst", "ctf/curl-8.14.1-http-fast-run1.ctf.tar.zst",
		"ctf/curl-8.14.1-http-fast-run2.ctf.tar.zst", "ctf/curl-8.14.1-http-slow20ms-run1.ctf.tar.zst",
		"ctf/curl-8.14.1-http-slow20ms-run2.ctf.tar.zst", "../third-party/ctf/tracecompass/cyg-profile.ctf.tar.zst",
	} {
		root := unpacked(t, archive)
		for _, dir := range tracesIn(t, root) {
			lines, fails := babeltrace(t, filepath.Join(root, dir))
			want := calls(t, lines)
			got := rowCalls(readAll(t, root, dir).rows, strings.HasSuffix(dir, "-fast"))
			if fails || len(want) < 4000 || !slices.Equal(got, want) {
				t.Errorf("%s: %d events, the reference has %d (fails: %v); the first that differs: %s", dir, len(got), len(want), fails, firstOther(got, want))
			}
		}
	}
}

func firstOther(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("%q, not %q", got[i], want[i])
		}
	}
	return "none"
}

// eventLine is any line of the reference program: seconds, ns, name of the event.
var eventLine = regexp.MustCompile(`^\[(-?\d+)\.(\d{9})\] (?:[^: ]* )?([^{]*?): ?\{`)

// TestReferenceCounts compares the events of each name, and what was lost, of samples that the reference program
// reads to their end.
func TestReferenceCounts(t *testing.T) {
	for _, archive := range []string{
		"ctf/curl-8.14.1-http-fast-run1.ctf.tar.zst", "ctf/curl-8.14.1-50urls-LOSSY.ctf.tar.zst",
		"../third-party/ctf/tracecompass/many-threads.ctf.tar.zst", "../third-party/ctf/tracecompass/flipping-endianness.ctf.tar.zst",
		"../third-party/ctf/tracecompass/debuginfo-test-app3.ctf.tar.zst", "../third-party/ctf/tracecompass/cyg-profile.ctf.tar.zst",
	} {
		root := unpacked(t, archive)
		for _, dir := range tracesIn(t, root) {
			lines, fails := babeltrace(t, filepath.Join(root, dir))
			want := make(map[string]int64)
			for _, line := range lines {
				m := eventLine.FindStringSubmatch(line)
				if m == nil {
					t.Fatalf("%s: line %q", dir, line)
				}
				want[m[3]]++
			}
			got := readAll(t, root, dir).events
			if fails || fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%s: %v\nthe reference has %v (fails: %v)", dir, got, want, fails)
			}
		}
	}
}

// suite says which of the small traces of the reference program's own tests are read otherwise than by it: how
// many events there are, and why.
var suite = map[string]struct {
	events int64
	why    string
}{
	"fail/invalid-packet-size/trace": {10, "only the padding of the packet is cut off"},
	"succeed/meta-ctx-sequence":      {0, "there are no events; the reference program ends in an assertion"},
}

// TestReferenceSuite reads all small traces of the reference program's own tests.
func TestReferenceSuite(t *testing.T) {
	root := unpacked(t, "../third-party/ctf/babeltrace-testdata/babeltrace2-tests-data-ctf-traces.tar.zst")
	traces := 0
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != metadataFile {
			return err
		}
		dir, err := filepath.Rel(root, filepath.Dir(path))
		if err != nil {
			return err
		}
		traces++
		name := strings.TrimPrefix(filepath.ToSlash(dir), "tests/data/ctf-traces/")
		got := readAll(t, root, filepath.ToSlash(dir))
		lines, fails := babeltrace(t, filepath.Dir(path))
		var events int64
		for _, n := range got.events {
			events += n
		}
		t.Logf("%s: %d events, losses %v, %v; reference %d, fails %v", name, events, got.losses, got.err, len(lines), fails)
		want, why := int64(len(lines)), ""
		if other, ok := suite[name]; ok {
			want, why = other.events, other.why
		}
		expect.Equal(t, events, want, "%s: events; %s", name, why)
		if fails && why == "" && got.err == nil && len(got.losses) == 0 {
			t.Errorf("%s: the reference fails, but nothing is wrong here", name)
		}
		return nil
	})
	if err != nil || traces < 50 {
		t.Errorf("%d traces: %v", traces, err)
	}
}
