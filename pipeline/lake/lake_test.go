package lake_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

func open(t *testing.T, dir string) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(dir, true))(t)
	return l
}

func write(t *testing.T, path, text string) {
	t.Helper()
	expect.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
	expect.OK(t, os.WriteFile(path, []byte(text), 0o666))
}

// fails checks that an error came and says what it should.
func fails(t *testing.T, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one that says %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%q does not say %q", err, w)
		}
	}
}

// TestNames checks that a name that becomes a folder's name cannot leave the lake or hide in it.
func TestNames(t *testing.T) {
	for _, good := range []string{"a", "8.14.1", "nightly-2026-11-01", "run_1+run_2", "Z", strings.Repeat("x", 200)} {
		if err := lake.CheckName(good); err != nil {
			t.Error(err)
		}
	}
	for _, bad := range []string{"", ".", "..", ".hidden", "_work", "-x", "a/b", `a\b`, "a b", "a=b", "a*", "a\n", "ä", strings.Repeat("x", 201)} {
		if lake.CheckName(bad) == nil {
			t.Errorf("%q may name a run", bad)
		}
	}
	fails(t, lake.CheckName("a/b"), `"a/b" cannot name a run`, "letters, digits")
}

// TestOpen checks which folders are lakes.
func TestOpen(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "lake")
	_, err := lake.Open(dir, false)
	fails(t, err, dir+" is not a lake", "ingest a trace first", "--lake")
	file := filepath.Join(t.TempDir(), "trace.txt")
	write(t, file, "a trace")
	_, err = lake.Open(file, true)
	fails(t, err, file+" is a file", "a lake is a folder")
	open(t, dir)
	if _, err := lake.Open(dir, false); err != nil {
		t.Error(err)
	}
	write(t, filepath.Join(dir, "_lake.json"), `{"format": 6}`)
	_, err = lake.Open(dir, true)
	fails(t, err, "has lake format 6", "knows formats up to 5", "use a newer program")
	write(t, filepath.Join(dir, "_lake.json"), `{"format": 1}`)
	_, err = lake.Open(dir, true)
	fails(t, err, "has lake format 1", "makes format 5", "into a new folder")
	for _, none := range []string{`{}`, `{"format": 0}`, `{"format": -1}`} {
		write(t, filepath.Join(dir, "_lake.json"), none)
		_, err = lake.Open(dir, true)
		fails(t, err, "_lake.json: it states no format: write {")
	}
	write(t, filepath.Join(dir, "_lake.json"), "garbage")
	_, err = lake.Open(dir, true)
	fails(t, err, "_lake.json")
	other := t.TempDir()
	write(t, filepath.Join(other, "thesis.txt"), "precious")
	_, err = lake.Open(other, true)
	fails(t, err, "holds other files (thesis.txt)", "empty folder")
	write(t, filepath.Join(other, "file"), "")
	_, err = lake.Open(filepath.Join(other, "file"), true)
	fails(t, err, "file")
}

// TestOpenAfterKilledStart checks that a lake whose making was cut short can be made.
func TestOpenAfterKilledStart(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "_lake.json.new"), `{"for`)
	open(t, dir)
	open(t, dir)
}

// TestFingerprint checks that everything counts: the stage, its version, its options, and every input with
// its name; and that moving a letter from one to the next is not the same.
func TestFingerprint(t *testing.T) {
	input := func(name, print string) []lake.Input { return []lake.Input{{Name: name, Fingerprint: print}} }
	all := []string{
		lake.Fingerprint("stage", 1, nil, nil),
		lake.Fingerprint("stag", 1, nil, nil),
		lake.Fingerprint("stage", 2, nil, nil),
		lake.Fingerprint("stage", 1, struct{ K int }{1}, nil),
		lake.Fingerprint("stage", 1, struct{ K int }{2}, nil),
		lake.Fingerprint("stage", 1, struct{ M map[string]string }{map[string]string{"b": "1", "a": "2"}}, nil),
		lake.Fingerprint("stage", 1, nil, input("a", "bc")),
		lake.Fingerprint("stage", 1, nil, input("ab", "c")),
		lake.Fingerprint("stage", 1, nil, append(input("a", "b"), input("c", "d")...)),
		lake.Fingerprint("stage", 1, nil, append(input("c", "d"), input("a", "b")...)),
	}
	slices.Sort(all)
	expect.Equal(t, len(slices.Compact(all)), 10, "fingerprints of different things")
	again := lake.Fingerprint("stage", 1, struct{ M map[string]string }{map[string]string{"a": "2", "b": "1"}}, nil)
	if !slices.Contains(all, again) {
		t.Error("a fingerprint depends on the order of a map")
	}
}

// TestBrokenManifest checks that a manifest that is no JSON is an error that says what to do.
func TestBrokenManifest(t *testing.T) {
	l := open(t, t.TempDir())
	write(t, filepath.Join(l.Dir, "_manifests", "run=a.json"), "{")
	_, err := l.Manifest("events", lake.Run("a"))
	fails(t, err, "run=a.json", "remove the file, then ingest")
}

// noError ends a test that cannot go on after an error.
func noError(t testing.TB, err error) {
	t.Helper()
	expect.OK(t, err)
}
