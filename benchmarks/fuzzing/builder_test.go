package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tracelake/tracelake/benchmarks/mutated"
	"github.com/tracelake/tracelake/testdata/expect"
)

// planted is a package of targets: a sound one, which leaves out every other input and has a folder for the rest, one that fails, and one that panics.
// Their lines begin with a space, as they are no targets of this module.
const planted = `package planted

import "testing"

 func FuzzSound(f *testing.F) {
	f.Add("seed", 1.5, byte(1), true)
	f.Fuzz(func(t *testing.T, s string, x float64, b byte, yes bool) {
		if yes {
			t.Skip()
		}
		t.TempDir()
	})
}

 func FuzzFails(f *testing.F) {
	f.Add([]byte("?ab"), 7)
	f.Fuzz(func(t *testing.T, b []byte, n int) {
		if len(b) > 0 && b[0] == '!' {
			t.Error("an exclamation")
		}
		clear(b) // which is not the input that is kept
	})
}

 func FuzzPanics(f *testing.F) {
	f.Add("?")
	f.Fuzz(func(t *testing.T, s string) { _ = s[0] })
}
`

// TestMutate builds targets that call Fuzz with changed inputs. What fails is told, and the input is kept as the fuzzer of Go keeps it; what the
// fuzzer kept before is read.
func TestMutate(t *testing.T) {
	b := expect.Value(newBuilder("../.."))(t)
	defer os.RemoveAll(b.scratch)
	const folder = "benchmarks/planted"
	changedFile := filepath.Join(b.scratch, "planted.go")
	expect.OK(t, os.WriteFile(changedFile, changed([]byte(planted), b.module), 0o666))
	// The package is in no folder: the compiler takes it from the list.
	var list map[string]map[string]string
	expect.OK(t, json.Unmarshal(expect.Value(os.ReadFile(b.overlay))(t), &list))
	list["Replace"][filepath.Join(b.root, folder, "planted_test.go")] = changedFile
	expect.OK(t, os.WriteFile(b.overlay, expect.Value(json.Marshal(list))(t), 0o666))
	expect.Value(b.program(t.Context(), folder))(t)

	b.root, b.kept = t.TempDir(), t.TempDir()
	expect.OK(t, os.MkdirAll(filepath.Join(b.root, folder), 0o777))
	mutate := func(name string, execs int64) (stretch, string) {
		return (&target{folder: folder, name: name}).mutate(t.Context(), b, mutated.Plan{Execs: execs, For: time.Hour})
	}
	s, said := mutate("FuzzSound", 2500)
	expect.Equal(t, s.Failed, "", "failure of the sound target, which said %s", said)
	expect.Equal(t, s.Execs, 2500, "executions of the sound target, which said %s", said)
	expect.Equal(t, s.Mutated, true, "a stretch without the fuzzer")
	for name, says := range map[string]string{"FuzzFails": "an exclamation", "FuzzPanics": "panic: runtime error: index out of range [0] with length 0"} {
		s, said := mutate(name, 1e6)
		expect.Equal(t, s.Failed, "exit status 1", "failure of %s", name)
		expect.Equal(t, s.Execs > 0 && s.Execs < 1e6, true, "%d executions of %s, until it fails", s.Execs, name)
		expect.Equal(t, strings.Contains(said, says), true, "what %s says, %q, is in: %s", name, says, said)
		inputs := expect.Value(filepath.Glob(filepath.Join(b.root, folder, "testdata/fuzz", name, "*")))(t)
		expect.Equal(expect.Must(t), len(inputs), 1, "inputs of %s", name)
		text := string(expect.Value(os.ReadFile(inputs[0]))(t))
		if name == "FuzzFails" {
			expect.Equal(t, strings.HasPrefix(text, "go test fuzz v1\n[]byte(\"!"), true, "the input is %q", text)
		} else {
			expect.Equal(t, text, "go test fuzz v1\nstring(\"\")\n", "input")
		}
		// As one that the fuzzer kept it fails before anything is changed.
		kept := filepath.Join(b.kept, folder, name)
		expect.OK(t, os.MkdirAll(kept, 0o777))
		expect.OK(t, os.Rename(inputs[0], filepath.Join(kept, "of-earlier")))
		s, said = mutate(name, 1e6)
		expect.Equal(t, s.Failed, "exit status 1", "failure of %s, which said %s", name, said)
		expect.Equal(t, s.Execs, 0, "executions of %s", name)
	}
}
