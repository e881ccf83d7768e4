package verdict

import (
	"bytes"
	"encoding/json"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
	"github.com/tracelake/tracelake/testdata/strictxml"
)

// hostile is a report in which a name is everywhere.
func hostile(name string) *Report {
	f := cause(1, schema.Regressed, name, 400)
	f.Component, f.Fragment, f.Subject, f.InheritedAt, f.Inherited = name, name+" from "+name, name, name+" < "+name, 2
	r, s, loose := root(schema.Regressed, 500), step(schema.Appeared, 0), step(schema.Undetermined, 0)
	r.Component, r.Fragment, r.Subject, r.Function = name, name, name, name
	s.Component, s.Fragment, s.Subject, s.Function = name, name, name, name
	part := schema.Change{Level: schema.LevelCriticalPath, Component: name, Function: name, Fragment: name, Subject: name, Verdict: schema.Regressed, TotalCandNs: 5}
	c := gated(sides(3, 3), gateRegressed)
	c.Lake = name
	c.Examples = map[int64]Example{1: {Finding: 1, Run: "c0", Root: name + "." + name + "#1", Trace: name, Ns: 400, TotalNs: 900}}
	return New(c, []schema.Change{r, s, loose, part, r}, []schema.Finding{f})
}

// Whatever names there are, XML and JSON stay valid, cases are counted, and a table in Markdown keeps its columns and
// has no markup of its own.
func FuzzNames(f *testing.F) {
	for _, name := range []string{
		"lib_a", "", "a|b", `a\|b`, "`", "<script>", "]]>", "&amp;", "\"'", "a\nb", "\x00\x01\x1b[31m", "\xff\xfe", "|", "*x*", "_y_", "@all", "\u2028", "\ufffe", "-->", "a < b", "$(x)", "a\u202eb", "\u2066", "\u009b31m",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		o := hostile(name)
		for format, check := range map[string]func(*testing.T, string){JUnit: checkJUnit, JSON: checkJSON, Markdown: checkMarkdown, Text: func(*testing.T, string) {}} {
			var out bytes.Buffer
			if err := o.Write(&out, format, 10); err != nil {
				t.Fatalf("%s: %v", format, err)
			}
			check(t, out.String())
			if format == JUnit || format == Markdown {
				checkVisible(t, out.String())
			}
		}
	})
}

// checkVisible looks for characters that nobody sees: those that control a terminal, and those that turn the direction of writing.
func checkVisible(t *testing.T, text string) {
	for _, r := range text {
		if r != '\n' && r != '\t' && (r < ' ' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069) {
			t.Fatalf("%q is written as it is:\n%s", r, text)
		}
	}
}

// checkJSON looks for what no name can write: quotes of names are escaped.
func checkJSON(t *testing.T, text string) {
	if !json.Valid([]byte(text)) || strings.Count(text, `"verdict":"regressed","summary":`) != 1 || strings.Count(text, `"exit":{"code":3,`) != 1 || strings.Count(text, `"findings":[{`) != 1 {
		t.Errorf("JSON: %s", text)
	}
}

// counts are numbers of cases.
type counts struct{ tests, failures, skipped int }

// checkJUnit reads all of the XML, and compares what the suites count with what they have.
func checkJUnit(t *testing.T, text string) {
	var said, there counts
	var names []string // of the cases of the suite in hand
	for r := strictxml.New(text); ; {
		err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("XML: %v\n%s", err, text)
		}
		if r.Kind != strictxml.Start {
			continue
		}
		switch r.Name {
		case "testsuites":
			said = countsOf(t, r.Attributes)
		case "testsuite":
			names = names[:0]
		case "testcase":
			there.tests++
			name := attribute(r.Attributes, "name")
			if slices.Contains(names, name) {
				t.Errorf("two cases are called %q", name)
			}
			names = append(names, name)
		case "failure":
			there.failures++
		case "skipped":
			there.skipped++
		}
	}
	if said != there || there.failures != 4 {
		t.Errorf("%+v are counted, and %+v are there", said, there)
	}
}

func attribute(all []strictxml.Attribute, name string) string {
	return all[slices.IndexFunc(all, func(a strictxml.Attribute) bool { return a.Name == name })].Value
}

func countsOf(t *testing.T, all []strictxml.Attribute) counts {
	number := func(name string) int { return expect.Value(strconv.Atoi(attribute(all, name)))(t) }
	return counts{number("tests"), number("failures"), number("skipped")}
}

// tags are the elements that a comment has of its own; cellText is what stands between the bars of a table.
var (
	tags     = regexp.MustCompile(`</?(?:code|details|summary)>`)
	cellText = regexp.MustCompile(`(?:\\.|[^\\|])+`)
)

func checkMarkdown(t *testing.T, text string) {
	columns := 0
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "    ") {
			continue // commands are shown as they are
		}
		if rest := tags.ReplaceAllString(line, ""); strings.Contains(rest, "<") || strings.Contains(strings.ReplaceAll(rest, "\\`", ""), "`") {
			t.Errorf("markup in %q", line)
		}
		if !strings.HasPrefix(line, "|") {
			columns = 0
			continue
		}
		n := strings.Count(cellText.ReplaceAllString(line, ""), "|")
		if columns != 0 && n != columns {
			t.Errorf("%d cellText in a table with %d: %q", n, columns, line)
		}
		columns = n
	}
}
