package nightly

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestErrorsOfTheFile sees that a mistake in the file is told with its line and column. They are those of the mark, which is cut out.
func TestErrorsOfTheFile(t *testing.T) {
	const good = "reports: r\ntraces:\n- {glob: x}\n"
	for _, c := range []struct{ text, want string }{
		{"", "it is empty"},
		{"reports: r\n✗trace: []\n", `no key is called "trace"; did you mean traces?`},
		{"reports: r\ntraces:\n- glob: x\n  ✗labl: y\n", `no key is called "labl"; did you mean label?`},
		{"reports: r\ntraces:\n- glob: x\n  label: ✗'a('\n", "missing closing )"},
		{"reports: r\ntraces:\n- glob: x\n  settle: ✗soon\n", `"soon" is no duration`},
		{"reports: r\ntraces:\n- glob: x\n  label: '(?P<night>.*)'\n  run: ✗'{release}'\n", "{release} is no group of label"},
		{good + "expect: ✗many\n", "a whole number belongs here"},
		{good + "expect: ✗-1\n", "it is not negative"},
		{good + "compare:\n- {name: c, base: 'night={god}', cand: x}\n", "there is {night}, {previous} and {good}"},
		{good + "check:\n- {name: c, spec: s, runs: a, by: ✗q}\n", "a check has no by"},
		{good + "check:\n- {name: c, spec: s, runs: a}\n- {name: ✗c, spec: s, runs: a}\n", "two steps are called c"},
		{good + "nodes: 3\n", "nodes, pod and array need an executor"},
	} {
		path := filepath.Join(t.TempDir(), "n.yaml")
		want := c.want
		if before, after, marked := strings.Cut(c.text, "✗"); marked {
			line := strings.Count(before, "\n") + 1
			column := len(before) - strings.LastIndexByte(before, '\n')
			c.text, want = before+after, "n.yaml:"+strconv.Itoa(line)+":"+strconv.Itoa(column)+": "+want
			if strings.Contains(c.want, "closing") {
				want = "n.yaml:" + strconv.Itoa(line) + ":" + strconv.Itoa(column)
			}
		}
		expect.OK(t, os.WriteFile(path, []byte(c.text), 0o666))
		_, err := readConfig(path)
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s\nsays %v\nwant %s", c.text, err, want)
		}
	}
}

// TestExampleOfTheHelp sees that the file that the help shows can be read.
func TestExampleOfTheHelp(t *testing.T) {
	_, example, _ := strings.Cut(help, "for example:\n\n")
	example, _, _ = strings.Cut(example, "\n\n")
	path := filepath.Join(t.TempDir(), "n.yaml")
	var unindented []string
	for text := range strings.SplitSeq(example, "\n") {
		unindented = append(unindented, strings.TrimPrefix(text, "  "))
	}
	expect.OK(t, os.WriteFile(path, []byte(strings.Join(unindented, "\n")), 0o666))
	c, err := readConfig(path)
	expect.OK(t, err)
	expect.Equal(t, len(c.steps()), 3, "steps of the example")
}

// TestPathsOfFile sees that paths count from the file's folder, and that a lake in an object store has none.
func TestPathsOfFile(t *testing.T) {
	for given, want := range map[string]string{"lake": "nights/lake", "/data/lake": "/data/lake", "s3://bucket/lake": "s3://bucket/lake"} {
		c := config{Lake: given, Reports: "reports"}
		c.resolve("nights")
		expect.Equal(t, c.Lake, want, "the lake %s", given)
		expect.Equal(t, c.Reports, "nights/reports", "reports")
	}
}
