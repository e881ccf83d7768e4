package otf1

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// onDisk writes a trace into a folder and returns its master file.
func onDisk(t *testing.T, events []event) string {
	t.Helper()
	files, _ := written(t, events, 1000)
	dir := t.TempDir()
	for name, b := range files {
		expect.OK(t, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666))
	}
	return filepath.Join(dir, "t.otf")
}

// tool runs a program of the OTF library, which must have nothing to complain of.
func tool(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed; it was not tried on what the writer writes", name)
	}
	cmd := exec.Command(program, args...)
	var out, complaints bytes.Buffer
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &out, &complaints
	err = cmd.Run()
	text := strings.ToLower(complaints.String())
	for _, word := range []string{"error", "warning", "damaged", "unsorted", "abort", "invalid", "unknown"} {
		if strings.Contains(text, word) {
			t.Errorf("%s says %q: %s", name, word, complaints.String())
		}
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, complaints.String())
	}
	return out.String()
}

var printedRow = regexp.MustCompile(`\t(\d+) (Enter|Leave|SendMessage|ReceiveMessage): (.*)`)

// printed counts the lines of otfprint by kind, and lists them without their numbers.
func printed(out string) (kinds map[string]int, lines []string) {
	kinds = make(map[string]int)
	for _, m := range printedRow.FindAllStringSubmatch(out, -1) {
		kinds[m[2]]++
		lines = append(lines, m[1]+" "+m[2]+": "+m[3])
	}
	return kinds, lines
}

// expectedLines are the lines that otfprint should print for events.
func expectedLines(events []event) (lines []string) {
	processes, functions, labels := make(map[string]int), make(map[string]int), make(map[string]int)
	token := func(of map[string]int, name string) int {
		if of[name] == 0 {
			of[name] = len(of) + 1
		}
		return of[name]
	}
	receivers := make(map[int64]string)
	senders := make(map[int64]string)
	for _, e := range events {
		if e.direction == 1 {
			senders[e.id] = e.lifeline
		} else if e.direction == 2 {
			receivers[e.id] = e.lifeline
		}
		token(processes, e.lifeline)
	}
	for _, e := range events {
		p, f := processes[e.lifeline], token(functions, e.component+"\x00"+e.function)
		call := fmt.Sprintf("%d Enter: function %d, process %d, source 0", e.ns, f, p)
		if e.kind == 1 {
			call = fmt.Sprintf("%d Leave: function %d, process %d, source 0", e.ns, f, p)
		}
		message := ""
		switch e.direction {
		case 1:
			message = fmt.Sprintf("%d SendMessage: sender %d, receiver %d, group %d, type 0, length 0, source 0", e.ns, p, processes[receivers[e.id]], token(labels, e.label))
		case 2:
			message = fmt.Sprintf("%d ReceiveMessage: receiver %d, sender %d, group %d, type 0, length 0, source 0", e.ns, p, processes[senders[e.id]], token(labels, e.label))
		}
		both := []string{call, message}
		if e.kind == 1 {
			both = []string{message, call}
		}
		for _, line := range both {
			if line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

// recorded is a recording as its events.
func recorded(t *testing.T, parts ...string) []event {
	t.Helper()
	dir := filepath.Join(append([]string{readertest.Recordings(t), "otf1"}, parts...)...)
	masters, _ := filepath.Glob(filepath.Join(dir, "*.otf"))
	expect.Equal(expect.Must(t), len(masters), 1, "master files in %s", dir)
	events, _ := readAll(t, os.DirFS(dir), filepath.Base(masters[0]))
	return events
}

// TestRecordings writes recordings again: they are read as before, and the library prints them as they are.
func TestRecordings(t *testing.T) {
	for _, parts := range [][]string{{"netpipe-2ranks"}, {"curl-8.14.1", "http-fast", "run-01"}} {
		events := recorded(t, parts...)
		master := onDisk(t, events)
		dir := filepath.Dir(master)
		if got := readBack(t, os.DirFS(dir), "t.otf"); !slices.Equal(renumbered(got), renumbered(events)) {
			t.Errorf("%v: %s", parts, firstOther(renumbered(got), renumbered(events)))
		}
		_, lines := printed(tool(t, dir, "otfprint", "t.otf"))
		if want := expectedLines(events); !slices.Equal(lines, want) {
			i := 0
			for i < len(lines) && i < len(want) && lines[i] == want[i] {
				i++
			}
			t.Errorf("%v: otfprint prints %d lines, want %d; they differ at %d: %v %v", parts, len(lines), len(want), i, lines[i:min(i+1, len(lines))], want[i:min(i+1, len(want))])
		}
		t.Logf("%v: %d lines of otfprint compared", parts, len(lines))
	}
}

// TestTools tries the library's programs on random traces: they print every event, and what otfmerge makes of a trace
// is read as before.
func TestTools(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 3))
	for range 15 {
		events := random(rng)
		for len(events) < 40 {
			events = random(rng)
		}
		master := onDisk(t, events)
		dir := filepath.Dir(master)
		kinds, _ := printed(tool(t, dir, "otfprint", "t.otf"))
		want := make(map[string]int)
		for _, e := range events {
			if e.kind < 2 {
				want[[]string{"Enter", "Leave"}[e.kind]]++
			}
			if e.direction > 0 {
				want[[]string{"", "SendMessage", "ReceiveMessage"}[e.direction]]++
			}
		}
		expect.Equal(t, fmt.Sprint(kinds), fmt.Sprint(want), "kinds that otfprint prints")
		tool(t, dir, "otfmerge", "-n", "2", "-o", "merged", "t.otf")
		files, _ := written(t, events, 1000)
		got, want2 := readBack(t, os.DirFS(dir), "merged.otf"), readBack(t, files.fs(), "t.otf")
		if a, b := calls(got), calls(want2); !slices.Equal(a, b) {
			i := 0
			for i < len(a) && i < len(b) && a[i] == b[i] {
				i++
			}
			t.Errorf("otfmerge makes another trace of it: %d and %d calls, %v, want %v", len(a), len(b), a[i:min(i+1, len(a))], b[i:min(i+1, len(b))])
		}
		if _, err := exec.LookPath("otfprofile"); err == nil {
			tool(t, dir, "otfprofile", "-i", "t.otf")
		}
	}
}

// calls are the enters and exits of each lifeline in their order, and how many messages were tied, in whichever order
// the trace has their two ends: those of one time change places when streams are made anew.
func calls(events []event) (out []string) {
	tied, ends := 0, make(map[int64]bool)
	for _, e := range events {
		if e.kind < 2 {
			out = append(out, fmt.Sprintf("%s %d %s %s %d", e.lifeline, e.ns, e.component, e.function, e.kind))
		}
		if e.direction > 0 {
			if ends[e.id] {
				tied++
			}
			ends[e.id] = true
		}
	}
	slices.SortStableFunc(out, func(a, b string) int { return strings.Compare(a[:1], b[:1]) })
	return append(out, fmt.Sprint(tied, " tied"))
}
