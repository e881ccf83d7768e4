package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/testdata/expect"
)

const twoFetches = `0.000000 client > fetch
0.000100 client > lookup !q1
0.000150 server > lookup ?q1
0.000600 server < lookup !r1
0.000650 client < lookup ?r1
0.000700 client < fetch
0.005000 client > fetch
0.005100 client > lookup !q2
0.005150 server > lookup ?q2
0.005600 server < lookup !r2
0.005650 client < lookup ?r2
0.005700 client < fetch
`

// Files of --report have what --format prints, and nothing else is left in their folder.
func TestReportFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a", "b"} {
		expect.OK(t, os.WriteFile(name+".txt", []byte(twoFetches), 0o666))
		expect.OK(t, load(t.Context(), []string{name + ".txt"}, nil, io.Discard, io.Discard))
	}
	expect.OK(t, os.Mkdir("out", 0o777))
	compare := func(args ...string) string {
		var out, said bytes.Buffer
		if err := run(t.Context(), append([]string{"compare", "--base", "a", "--cand", "b", "--quiet", "--fail-on", "regressed"}, args...), nil, &out, &said); err != nil {
			t.Fatal(err, said.String())
		}
		return out.String()
	}
	for range 2 { // files that are there are replaced
		text := compare("--report", "junit=out/x.xml", "--report", "markdown=out/x.md", "--report", "json=out/x.json", "--report", "text=out/x.txt")
		expect.Equal(t, text, compare(), "standard output with --report")
	}
	var names []string
	for format, ext := range map[string]string{"text": "txt", "junit": "xml", "markdown": "md", "json": "json"} {
		got, err := os.ReadFile("out/x." + ext)
		if want := compare("--format", format); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s\nwanted\n%s", format, err, got, want)
		}
		names = append(names, "out/x."+ext)
	}
	slices.Sort(names)
	if there, _ := filepath.Glob("out/*"); !slices.Equal(there, names) {
		t.Errorf("the folder has %v", there)
	}
}

// TestHelpFitsTwoScreens sees that the help of each command has at most two screens of 40 lines: what is looked up stands in pages of its own. No flag is
// lost by that: each is named in the help of its command, and those that a page explains are explained there.
func TestHelpFitsTwoScreens(t *testing.T) {
	root := (&app{stdout: console.NewPlain(io.Discard), stderr: io.Discard}).command()
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		var out bytes.Buffer
		c.SetOut(&out)
		expect.OK(t, c.Help())
		if lines := strings.Count(out.String(), "\n"); lines > 80 && c != root {
			t.Errorf("%s --help has %d lines", c.CommandPath(), lines)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && !strings.Contains(out.String(), "--"+f.Name) {
				t.Errorf("%s --help does not name --%s", c.CommandPath(), f.Name)
			}
		})
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(root)
	for _, g := range compareFlagGroups {
		if g.Topic == "" {
			continue
		}
		page, _, err := root.Find([]string{g.Topic})
		expect.OK(t, err)
		for _, flag := range g.Flags {
			if !strings.Contains(page.Long, "--"+flag+" ") {
				t.Errorf("the page %s does not explain --%s", g.Topic, flag)
			}
		}
	}
}
