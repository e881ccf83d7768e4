package crashtest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// weekConfig is the file of the week. A night has three traces.
const weekConfig = `lake: lake
reports: reports
traces:
- glob: traces/*/*/*.txt.gz
  label: '(?P<night>[0-9-]{10})/(?P<release>[^/]+)/'
expect: 3
compare:
- {name: previous, base: 'night={good}', cand: 'night={night}', fail-on: regressed}
check:
- {name: answers, spec: spec.etl, runs: 'night={night}', fail-on: bad}
history:
- {name: nights}
keep: {nights: 4, comparisons: 5, reports: 6}
`

// weekSpec is met by fast traces only.
const weekSpec = "check answers : globally if start {'function'='search'} then within 2 ms end {'function'='search'}\n"

// aTrace is a trace that appears in the morning: its path, and how long a search takes. The file of a torn one ends in the middle.
type aTrace struct {
	path     string
	searchUs int
	torn     bool
}

// morning is what appears before a call, and what its summary says.
type morning struct {
	traces []aTrace
	gone   string // a trace that is taken away before
	exit   int
	says   []string // in this order
	others map[string]string
}

// week is a week of nights: one trace is torn, one is late, one release regresses, and one trace comes too late.
var week = []morning{
	{
		traces: []aTrace{{path: "2026-11-02/1.0/a"}, {path: "2026-11-02/1.0/b"}, {path: "2026-11-02/1.0/c"}},
		says:   []string{"# Night 2026-11-02: PASSED", "3 traces ingested; passed: answers; waits: previous, nights.", "There is no earlier night to compare with."},
	}, {
		traces: []aTrace{{path: "2026-11-03/1.0/a"}, {path: "2026-11-03/1.0/b"}, {path: "2026-11-03/1.0/c"}},
		says:   []string{"# Night 2026-11-03: PASSED", "3 traces ingested; passed: answers, previous, nights.", "since night 2026-11-02"},
	}, {
		traces: []aTrace{{path: "2026-11-04/1.0/a"}, {path: "2026-11-04/1.0/b"}, {path: "2026-11-04/1.0/c", torn: true}, {path: "2026-11-04/1.0/x", torn: true}},
		exit:   1,
		says:   []string{"# Night 2026-11-04: FAILED", "2 traces ingested; 2 torn;", "since night 2026-11-03", "traces/2026-11-04/1.0/c.txt.gz: torn:"},
	}, { // one of the torn ones is whole, the other one gone, and one of this night is missing
		traces: []aTrace{{path: "2026-11-04/1.0/c"}, {path: "2026-11-05/1.0/a"}, {path: "2026-11-05/1.0/b"}},
		gone:   "2026-11-04/1.0/x",
		exit:   1,
		says:   []string{"# Night 2026-11-05: FAILED", "2 traces ingested; 1 of 3 expected missing;", "since night 2026-11-04", "traces/2026-11-04/1.0/c.txt.gz joined night 2026-11-04 late as run 2026-11-04-1.0-c; the night is passed now"},
		others: map[string]string{"2026-11-04": "# Night 2026-11-04: PASSED\n\n3 traces ingested; 1 of them late; passed"},
	}, { // the late one comes, and a release regresses
		traces: []aTrace{{path: "2026-11-05/1.0/c"}, {path: "2026-11-06/1.1/a", searchUs: 4000}, {path: "2026-11-06/1.1/b", searchUs: 4000}, {path: "2026-11-06/1.1/c", searchUs: 4000}},
		exit:   3,
		says:   []string{"# Night 2026-11-06: STOPPED", "3 traces ingested; stopped: answers, previous; passed: nights.", "REGRESSED since night 2026-11-05", "server.search", "traces/2026-11-05/1.0/c.txt.gz joined night 2026-11-05 late"},
		others: map[string]string{"2026-11-05": "# Night 2026-11-05: PASSED\n\n3 traces ingested; 1 of them late; passed"},
	}, { // the baseline is the last good night, not the one before
		traces: []aTrace{{path: "2026-11-07/1.1/a", searchUs: 4000}, {path: "2026-11-07/1.1/b", searchUs: 4000}, {path: "2026-11-07/1.1/c", searchUs: 4000}},
		exit:   3,
		says:   []string{"# Night 2026-11-07: STOPPED", "REGRESSED since night 2026-11-05"},
	}, { // it is mended; of old nights only summaries are left, which histories read; a trace of such a night comes too late
		traces: []aTrace{{path: "2026-11-08/1.2/a"}, {path: "2026-11-08/1.2/b"}, {path: "2026-11-08/1.2/c"}, {path: "2026-11-02/1.0/d"}},
		says:   []string{"# Night 2026-11-08: PASSED", "since night 2026-11-05", "nights: 7 releases by night, from 2026-11-02 to 2026-11-08, 21 runs", "traces/2026-11-02/1.0/d.txt.gz came too late for night 2026-11-02"},
		others: map[string]string{"2026-11-02": "# Night 2026-11-02: PASSED\n\n3 traces ingested; 1 too late;"},
	},
}

// TestWeekOfNights plays a week: every morning's summary is right, a second call changes nothing, and a week in which every night is
// killed leaves the same lake and the same summaries.
func TestWeekOfNights(t *testing.T) {
	if testing.Short() {
		t.Skip("the week is played in full tests")
	}
	t.Parallel()
	undisturbed, took := newWeek(t), make([]time.Duration, len(week))
	for i := range week {
		undisturbed.appear(&week[i])
		started := time.Now()
		undisturbed.call(&week[i])
		took[i] = time.Since(started)
		if i != 4 && i != 6 { // a late trace and a regression, and the end: the others have nothing that these have not
			continue
		}
		before := undisturbed.left()
		undisturbed.call(&week[i])
		if after := undisturbed.left(); !maps.Equal(before, after) {
			t.Fatalf("morning %d: a second call changes %s", i+1, different(before, after))
		}
	}
	undisturbed.keeps()
	disturbed := newWeek(t)
	for i := range week {
		disturbed.appear(&week[i])
		c, _ := disturbed.command()
		expect.OK(t, c.Start())
		time.Sleep(rand.N(took[i]))
		c.Process.Kill()
		c.Wait()
		disturbed.call(&week[i])
	}
	if a, b := undisturbed.left(), disturbed.left(); !maps.Equal(a, b) {
		t.Errorf("a killed week differs in %s", different(a, b))
	}
}

// aWeek is a folder in which a week is played.
type aWeek struct {
	t   *testing.T
	dir string
}

func newWeek(t *testing.T) *aWeek {
	w := &aWeek{t, t.TempDir()}
	expect.OK(t, os.WriteFile(filepath.Join(w.dir, "nightly.yaml"), []byte(weekConfig), 0o666))
	expect.OK(t, os.WriteFile(filepath.Join(w.dir, "spec.etl"), []byte(weekSpec), 0o666))
	return w
}

// appear writes the traces of a morning. Both plays of the week see the same times of modification.
func (w *aWeek) appear(m *morning) {
	w.t.Helper()
	if m.gone != "" {
		expect.OK(w.t, os.Remove(filepath.Join(w.dir, "traces", m.gone+".txt.gz")))
	}
	for _, a := range m.traces {
		path := filepath.Join(w.dir, "traces", a.path+".txt.gz")
		expect.OK(w.t, os.MkdirAll(filepath.Dir(path), 0o777))
		var packed bytes.Buffer
		z := gzip.NewWriter(&packed)
		expect.OK(w.t, errors.Join(a.write(z), z.Close()))
		if a.torn {
			packed.Truncate(packed.Len() / 2)
		}
		expect.OK(w.t, os.WriteFile(path, packed.Bytes(), 0o666))
		modified := time.Date(2026, 11, 8, 0, 0, packed.Len()%60, 0, time.UTC)
		expect.OK(w.t, os.Chtimes(path, modified, modified))
	}
}

// write writes a trace of requests. Runs differ a little in the time that a search takes.
func (a *aTrace) write(out io.Writer) error {
	search := max(a.searchUs, 400)
	b := bufio.NewWriter(out)
	for i := range 20 {
		at := 5000 + 20000*i
		jitter := (int(a.path[len(a.path)-1]) + 7*i) % 11
		for _, e := range []struct {
			after int
			says  string
		}{
			{0, "client > fetch"}, {100, "client > lookup !q%d"}, {50, "server > lookup ?q%d"}, {20, "server > search"}, {search + jitter, "server < search"},
			{20, "server < lookup !r%d"}, {50, "client < lookup ?r%d"}, {100, "client < fetch"},
		} {
			at += e.after
			says := e.says
			if strings.Contains(says, "%d") {
				says = fmt.Sprintf(says, i)
			}
			fmt.Fprintf(b, "%d.%06d %s\n", at/1e6, at%1e6, says)
		}
	}
	return b.Flush()
}

// command is a call of the command in the folder of the week.
func (w *aWeek) command() (*exec.Cmd, *bytes.Buffer) {
	c := exec.Command(filepath.Join(home, "analyze"), "nightly", "--quiet", "nightly.yaml")
	c.Dir = w.dir
	var stdout bytes.Buffer
	c.Stdout, c.Stderr = &stdout, os.Stderr
	return c, &stdout
}

// call goes through the nights, and sees that the summary of the morning is right, and those of earlier nights that traces joined.
func (w *aWeek) call(m *morning) {
	w.t.Helper()
	c, stdout := w.command()
	exit := exitCode(w.t, c.Run())
	if exit != m.exit {
		w.t.Errorf("exit code %d, want %d:\n%s", exit, m.exit, stdout)
	}
	w.says(stdout.String(), m.says)
	for night, says := range m.others {
		w.says(string(expect.Value(os.ReadFile(filepath.Join(w.dir, "reports", night, "summary.md")))(w.t)), []string{says})
	}
}

// says sees that a summary has some texts in their order.
func (w *aWeek) says(summary string, texts []string) {
	w.t.Helper()
	rest := summary
	for _, text := range texts {
		_, after, found := strings.Cut(rest, text)
		if !found {
			w.t.Errorf("the summary lacks %q:\n%s", text, summary)
		}
		rest = after
	}
}

// left is what the week left: the lake and the reports.
func (w *aWeek) left() map[string]string {
	w.t.Helper()
	left := make(map[string]string)
	for path, hash := range laketest.Hashes(w.t, filepath.Join(w.dir, "lake")) {
		left[path] = fmt.Sprint(hash)
	}
	reports := filepath.Join(w.dir, "reports")
	expect.OK(w.t, filepath.WalkDir(reports, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		left["reports "+strings.TrimPrefix(path, reports)] = string(text)
		return err
	}))
	return left
}

// keeps sees that what the rules do not keep is gone at the end of the week, and that the rest is there.
func (w *aWeek) keeps() {
	w.t.Helper()
	for path, want := range map[string]bool{
		"lake/events/run=2026-11-04-1.0-a": false, "lake/summaries/run=2026-11-02-1.0-a": true, "lake/events/run=2026-11-05-1.0-a": true,
		"lake/changes/comparison=previous-2026-11-03": false, "lake/changes/comparison=previous-2026-11-04": true,
		"reports/2026-11-02/answers.md": false, "reports/2026-11-02/summary.md": true, "reports/2026-11-03/previous.html": true,
	} {
		if _, err := os.Stat(filepath.Join(w.dir, path)); (err == nil) != want {
			w.t.Errorf("%s: there %v, want %v", path, err == nil, want)
		}
	}
}

// different names what differs.
func different(a, b map[string]string) (names []string) {
	for name := range a {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, has := a[name]; !has {
			names = append(names, name)
		}
	}
	return names
}
