package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// loaded makes the lake of a test with the run a.
func loaded(t *testing.T) *lake.Lake {
	t.Helper()
	t.Chdir(t.TempDir())
	reload(t, "1")
	l := expect.Value(lake.Open("lake", false))(t)
	return l
}

func reload(t *testing.T, release string) {
	t.Helper()
	expect.OK(t, os.WriteFile("a.txt", []byte("0.1 c > f\n0.2 c < f\n"), 0o666))
	expect.OK(t, load(t.Context(), []string{"a.txt", "release=" + release}, nil, nil, nil))
}

func analyze(ctx context.Context, args ...string) (string, error) {
	var stderr bytes.Buffer
	err := run(ctx, args, strings.NewReader(""), &bytes.Buffer{}, &stderr)
	return stderr.String(), err
}

// TestHalfDropped checks that a drop that was cut short, when the run was gone but its files were not, can be finished by the
// same command.
func TestHalfDropped(t *testing.T) {
	l := loaded(t)
	expect.Value(analyze(t.Context(), "run"))(t)
	obstacle := filepath.Join(l.Dir, "_work", "run=a")
	expect.OK(t, os.RemoveAll(obstacle))
	files := expect.Value(l.Files())(t)
	expect.OK(t, os.Remove(filepath.Join(l.Dir, "_manifests", "run=a.json")))
	reload(t, "2")
	if _, err := analyze(t.Context(), "drop", "a"); err != nil {
		t.Error(err)
	}
	for table, names := range files {
		for _, name := range names {
			if _, err := os.Stat(name); err == nil {
				t.Errorf("a file of %s is left: %s", table, name)
			}
		}
	}
}

// TestHalfDroppedBaseline checks the same of a baseline, by both commands that drop one.
func TestHalfDroppedBaseline(t *testing.T) {
	l := loaded(t)
	for _, drop := range [][]string{{"baseline", "drop", "day"}, {"drop", "--baseline", "day"}} {
		expect.Value(analyze(t.Context(), "baseline", "set", "day", "a"))(t)
		expect.OK(t, os.Remove(filepath.Join(l.Dir, "_manifests", "baseline=day.json")))
		if _, err := analyze(t.Context(), drop...); err != nil {
			t.Error(err)
		}
		if left := expect.Value(filepath.Glob(filepath.Join(l.Dir, "baselines", "baseline=day*", "*")))(t); left != nil {
			t.Errorf("%v: left are %v", drop, left)
		}
		if _, err := analyze(t.Context(), drop...); err == nil {
			t.Errorf("%v of what never was is no error", drop)
		}
	}
}

// TestRecordingsAreDoubted checks that a comparison with a trace that ends in the middle of a record, whose times go backwards, or that ends in the middle
// of a call says so by name above its findings, in every format and of a ranking, too, and that one with a whole trace does not.
func TestRecordingsAreDoubted(t *testing.T) {
	loaded(t)
	for _, test := range []struct{ end, doubt string }{
		{"", ""},
		{"0.3 c", "recordings were cut short"},
		{"0.2 c > g\n0.25 c < g\n", "times of recordings go backwards"},
		{"0.4 c > g\n", "some recordings end in the middle of calls"},
	} {
		expect.OK(t, os.WriteFile("b.txt", []byte("0.1 c > f\n0.3 c < f\n"+test.end), 0o666))
		expect.OK(t, load(t.Context(), []string{"b.txt"}, nil, nil, nil))
		for _, of := range [][]string{{"--format", "text"}, {"--format", "json"}, {"--format", "markdown"}, {"--format", "junit"}, {"--rank", "services"}, {"--rank", "services", "--format", "json"}} {
			var said bytes.Buffer
			expect.OK(t, run(t.Context(), append([]string{"compare", "--quiet", "--base", "a", "--cand", "b"}, of...), strings.NewReader(""), &said, &said))
			text := strings.Join(strings.Fields(said.String()), " ")
			doubted := test.doubt != "" && strings.Contains(text, test.doubt) && strings.Contains(text, "in the table losses): b")
			expect.Equal(t, doubted, test.doubt != "", "with the end %q, %q: %s", test.end, of, &said)
			expect.Equal(t, test.doubt == "" && strings.Contains(text, "Take care"), false, "with the end %q, %q: %s", test.end, of, &said)
		}
	}
}
