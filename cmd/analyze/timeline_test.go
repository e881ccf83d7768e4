package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// checksPicture is what the README shows, and checksCommand how it says that it was made.
const (
	checksPicture = "testdata/demo/checks.svg"
	checksCommand = "timeline fast-1 slow-1 --component lib_easy_c --component lib_select_c --signal clients:lib_select_c " +
		"--spec testdata/demo/requirements.etl --check poll_answers --width 1200 -o checks.svg"
)

// TestPictureOfChecks draws the picture of the README, of a fast and a slow run of the demo, by the command that stands beside it.
func TestPictureOfChecks(t *testing.T) {
	root := expect.Value(filepath.Abs("../.."))(t)
	t.Chdir(t.TempDir())
	for _, name := range []string{"fast-1", "slow-1"} {
		server, _, _ := strings.Cut(name, "-")
		expect.OK(t, loadAs(t.Context(), name, filepath.Join(root, "testdata/demo", server, name+".txt.zst"), map[string]string{"server": server}))
	}
	analyze := func(command string) {
		t.Helper()
		var out bytes.Buffer
		if err := run(t.Context(), strings.Fields(command), nil, io.Discard, &out); err != nil {
			t.Fatal(err, out.String())
		}
	}
	analyze("run --quiet")
	analyze(strings.ReplaceAll(checksCommand, "testdata/demo", filepath.Join(root, "testdata/demo")))
	got := expect.Value(os.ReadFile("checks.svg"))(t)
	if *update {
		expect.OK(t, os.WriteFile(filepath.Join(root, checksPicture), got, 0o644))
	}
	if want := expect.Value(os.ReadFile(filepath.Join(root, checksPicture)))(t); !bytes.Equal(got, want) {
		t.Errorf("%s is not what the command draws: look at it, and run this test with -update", checksPicture)
	}
	readme := expect.Value(os.ReadFile(filepath.Join(root, "README.md")))(t)
	for _, text := range []string{checksPicture, checksCommand} {
		if !bytes.Contains(bytes.Join(bytes.Fields(readme), []byte(" ")), []byte(text)) {
			t.Errorf("README.md lacks %s", text)
		}
	}
}
