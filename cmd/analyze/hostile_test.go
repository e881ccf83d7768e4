package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/testdata/expect"
)

// evil is a name of a trace that was made to deceive: sequences that colour, clear and ring; one of C1; a turn of the direction
// of writing; a line of its own; and what means something to HTML, XML, Markdown, DOT, SQL, shells and format strings.
const evil = "\x1b[31m\x1b[2J\a\u009b2J\u202e<script>alert(1)</script>\"';--|`$(touch pwned)`\\&amp;]]> [x](y) *b* @all %s%n\nFORGED\r\nFORGED: fine\x7f"

// stored is the name that ingest makes of it.
var stored = strings.Map(func(r rune) rune {
	if r < ' ' || r == 0x7f {
		return '\uFFFD'
	}
	return r
}, evil)

// hostileRun writes a Chrome trace whose every name is evil: a client that asks a server four times. A slower server takes more time.
func hostileRun(t *testing.T, file string, noise, slowNs int) {
	t.Helper()
	var events []map[string]any
	for pid, name := range []string{"client", "server"} {
		events = append(events, map[string]any{"ph": "M", "name": "process_name", "pid": pid, "tid": pid, "args": map[string]string{"name": name + evil}})
		events = append(events, map[string]any{"ph": "M", "name": "thread_name", "pid": pid, "tid": pid, "args": map[string]string{"name": name + evil}})
	}
	add := func(ph, name string, pid int, ns int, more ...any) {
		e := map[string]any{"ph": ph, "name": name + evil, "cat": evil, "pid": pid, "tid": pid, "ts": float64(ns) / 1000}
		for i := 0; i < len(more); i += 2 {
			e[more[i].(string)] = more[i+1]
		}
		events = append(events, e)
	}
	for i, at := 0, 0; i < 4; i++ {
		took := 400_000 + 100*(noise+i) + slowNs
		add("B", "fetch", 0, at)
		add("B", "ask", 0, at+1000)
		add("s", "q", 0, at+1000, "id", 2*i)
		add("B", "lookup", 1, at+2000)
		add("f", "q", 1, at+2000, "id", 2*i, "bp", "e")
		add("s", "r", 1, at+took, "id", 2*i+1)
		add("E", "lookup", 1, at+took)
		add("f", "r", 0, at+took+1000, "id", 2*i+1, "bp", "e")
		add("E", "ask", 0, at+took+1000)
		add("E", "fetch", 0, at+took+2000)
		at += took + 10_000
	}
	text := expect.Value(json.Marshal(events))(t)
	expect.OK(t, os.WriteFile(file, text, 0o666))
}

// TestHostileNames ingests hostile traces and plays every command on them.
func TestHostileNames(t *testing.T) {
	if testing.Short() {
		t.Skip("every command is given hostile names in full tests")
	}
	t.Chdir(t.TempDir())
	for i := range 3 {
		for _, side := range []struct {
			name   string
			slowNs int
		}{{"a", 0}, {"b", 3_000_000}} {
			file := fmt.Sprintf("%s%d.json", side.name, i)
			hostileRun(t, file, i*7, side.slowNs)
			expect.OK(t, load(t.Context(), []string{file, "release=" + side.name, "note=" + evil}, nil, io.Discard, io.Discard))
		}
	}
	expect.OK(t, os.WriteFile("s.lc", []byte("assertion { a < b }"), 0o666))
	fragment, function := "client"+stored+".fetch"+stored, "client"+stored+".fetch"+stored
	for _, args := range [][]string{
		{"run"}, {"runs"}, {"runs", "--group-by", "note"}, {"tables"}, {"describe", "events"}, {"stages"}, {"plan", "a0"}, {"plan", "a0", "--measured"}, {"verify"},
		{"compare", "--base", "release=a", "--cand", "release=b", "--details", "--levels", "--id", "x"},
		{"compare", "--base", "release=a", "--cand", "release=b", "--format", "json", "--id", "x"},
		{"compare", "--base", "release=a", "--cand", "release=b", "--format", "markdown", "--id", "x"},
		{"compare", "--base", "release=a", "--cand", "release=b", "--format", "junit", "--id", "x"},
		{"compare", "--base", "a0", "--cand", "b0", "--method", "thesis", "--id", "y"},
		{"levels", "release=a", "release=b"},
		{"history", "--by", "release"}, {"detectable", "release=a"}, {"comparisons"},
		{"baseline", "--help"}, {"evaluate", "--help"},
		{"critical-path", "a0", "--to", function}, {"critical-path", "a0", "--to", function + "#1", "--steps", "--constraints"},
		{"critical-path", "a0", "--to", "nobody"}, {"critical-path", "a0", "--to", function, "--deadline", "1us"},
		{"critical-path", "a0", "--to", function + "#1", "--format", "json"},
		{"what-if", "a0", "--to", function, "--faster", function + "=50%"}, {"what-if", "a0", "--to", function, "--remove", function + "#1", "--format", "json"},
		{"causal", "a0", "--from", function + "#1", "--to", function + "#1"},
		{"validate", "a0"}, {"automaton", "a0", fragment, "-o", "-", "--format", "svg"}, {"automaton", "a0", fragment, "-o", "-", "--format", "dot"},
		{"automaton", "a0", "nothing", "-o", "a.svg"}, {"automaton", "--comparison", "x", fragment, "-o", "-", "--format", "svg"},
		{"models", "a0"}, {"models", "a0", "--replay"}, {"recover", "a0", fragment}, {"recover", "a0", "nothing"},
		{"timeline", "a0", "-o", "-", "--format", "svg"}, {"timeline", "a0", "-o", "-", "--format", "json"},
		{"timeline", "a0", "--around", function, "--critical-path", function + "#1", "-o", "-", "--format", "svg"},
		{"timeline", "a0", "--component", "nobody", "-o", "x.svg"},
		{"assert", "a0", "--spec", "s.lc", "--bind", "a=" + function + ">", "--bind", "b=nobody.f>"},
		{"export", "a0", "-o", "-", "--format", "text"}, {"export", "a0", "-o", "-", "--format", "chrome"}, {"export", "a0", "-o", "-", "--format", "etf"}, {"export", "a0", "-o", "x.otf"},
		{"query", "SELECT * FROM executions"}, {"query", "--format", "json", "SELECT * FROM executions"},
		{"drop", "comparison=y"}, {"tidy"},
	} {
		playHostile(t, args)
	}
	for _, q := range []string{"callers-of"} {
		playHostile(t, []string{"query", q})
	}
	if files, _ := filepath.Glob("pwned*"); len(files) > 0 {
		t.Error("a name was executed")
	}
}

// playHostile plays a command and checks what it says on both streams. Whether it succeeds is not asked.
func playHostile(t *testing.T, args []string) {
	t.Helper()
	var out, said bytes.Buffer
	err := run(t.Context(), args, strings.NewReader(""), &out, &said)
	console.Report("analyze", err, &said)
	command := strings.ReplaceAll(strings.Join(args, " "), stored, "EVIL")
	if strings.Contains(said.String(), "see analyze") || strings.Contains(said.String(), "unknown") {
		t.Errorf("%s: %s", command, said.String())
	}
	text := out.String()
	if isData(args) { // it goes to a file or a program, and to no terminal
		text = ""
	}
	for _, text := range []string{text, said.String()} {
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			if strings.HasPrefix(strings.TrimSpace(line), "FORGED") {
				t.Errorf("%s: a name made a line: %q", command, line)
			}
			if i := strings.IndexFunc(line, func(r rune) bool { return unicode.IsControl(r) && r != '\t' || r == '\u202e' }); i >= 0 {
				t.Errorf("%s: a control character in %q", command, line)
				break
			}
		}
	}
	checkMarkup(t, command, args, out.Bytes())
}

// isData reports whether a command writes data and no text.
func isData(args []string) bool {
	for i := range args[:len(args)-1] {
		if args[i] == "-o" && args[i+1] == "-" || args[0] == "query" && args[i] == "--format" {
			return true
		}
	}
	return false
}

// checkMarkup checks what is written in a format: that it can be read, and that no name has become markup.
func checkMarkup(t *testing.T, command string, args []string, out []byte) {
	t.Helper()
	format := args[len(args)-1]
	for i, arg := range args[:len(args)-1] {
		if arg == "--format" {
			format = args[i+1]
		}
	}
	switch format {
	case "json", "chrome":
		if args[0] != "query" && !json.Valid(out) || len(out) == 0 {
			t.Errorf("%s: no JSON: %s", command, out)
		}
	case "svg", "junit":
		d := xml.NewDecoder(bytes.NewReader(out))
		n := 0
		for ; ; n++ {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Errorf("%s: %v in %s", command, err, out)
				break
			}
			if start, is := token.(xml.StartElement); is && start.Name.Local == "script" {
				t.Errorf("%s: a name is a script", command)
			}
		}
		expect.Equal(t, n > 10, true, "%s: elements", command)
	case "markdown":
		for line := range strings.Lines(string(out)) {
			code := strings.HasPrefix(line, "    ") // a block of code, in which nothing is markup
			if !code && (strings.Contains(line, "<script") || strings.Contains(line, "[x](y)") || strings.Contains(line, " @all")) {
				t.Errorf("%s: a name is markup: %s", command, line)
			}
		}
	case "dot":
		checkDOT(t, string(out))
	}
}

// checkDOT checks that every quoted string ends on its line, so that no name adds statements to the graph.
func checkDOT(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		open := false
		for i := 0; i < len(line); i++ {
			switch {
			case open && line[i] == '\\':
				i++
			case line[i] == '"':
				open = !open
			case !open && strings.ContainsRune("<|`@$", rune(line[i])):
				t.Errorf("a name outside of quotes: %s", line)
			}
		}
		if open {
			t.Errorf("a quotation does not end: %s", line)
		}
	}
}
