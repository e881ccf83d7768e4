package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/testdata/helptest"
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

// Nothing of the help is too long to be read, and no flag is lost by that.
func TestHelpFitsTwoScreens(t *testing.T) {
	root := (&app{stdout: console.NewPlain(io.Discard), stderr: io.Discard}).command()
	helptest.FitsTwoScreens(t, root, compareFlagGroups)
}
