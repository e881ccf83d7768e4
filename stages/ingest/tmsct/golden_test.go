package tmsct

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

var update = flag.Bool("update", false, "write what the examples are read as")

// TestExamples reads every example without a fault, and as testdata has it. The files there were compared with
// the text by eye; times of events without any are checked by TestAsSoonAsPossible.
func TestExamples(t *testing.T) {
	for name, text := range examples(t) {
		got := listing(good(t, text))
		path := filepath.Join("testdata", filepath.Base(name)+".txt")
		if *update {
			expect.OK(t, os.WriteFile(path, []byte(got), 0o666))
		}
		want, err := os.ReadFile(path)
		if err != nil || got != string(want) {
			t.Errorf("%s differs from %s, %v", name, path, err)
		}
	}
}

// TestDetectExamples finds the language of every example, in its beginning too.
func TestDetectExamples(t *testing.T) {
	for name, text := range examples(t) {
		for _, size := range []int{len(text), len(text) * 2 / 3} {
			if f, ok := Detect([]byte(text[:size])); !ok || f.Name != "tmsct" || !f.Whole || f.Header != 0 {
				t.Errorf("%s: %d bytes: %v %+v", name, size, ok, f.Name)
			}
		}
		if f, ok := Detect([]byte(byteOrder + text)); !ok || f.Header != 3 {
			t.Errorf("%s with a byte order mark: %v, header of %d bytes", name, ok, f.Header)
		}
	}
}

// TestDetectOthers leaves traces of other formats, and what is no trace, alone.
func TestDetectOthers(t *testing.T) {
	for _, text := range []string{
		"", "\n", "0.022017363 lib_url_c > f !m13889\n0.022017364 lib_asyn_h > f ?m13889\n",
		"1 E C > f\n2 E C < f\n", "client > fetch\n0.1 a > f\n0.2 a < f\n0.3 a > f\n", "Time Component > Function\n0.1 a > f\n0.2 a < f\n",
		"time,component,function,kind\n0.1,a,f,start\n", "Dear reader,\nthis is no trace.\n", "// a comment\nand no more\n",
		"2023-11-14T22:13:20.5+01:00 E C > f !a1\n2023-11-14T22:13:20.6+01:00 E C < f\n", `{"a": 1}` + "\n",
	} {
		if _, ok := Detect([]byte(text)); ok {
			t.Errorf("%q is taken for a text", text)
		}
	}
}
