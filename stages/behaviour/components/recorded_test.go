package components_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The recorded cases are those of TNO/MIDS, commit 9ae50b1, under the MIT licence beside them.
const recorded = "testdata/mids"

// TestRecordedModels learns what MIDS learned of its own traces.
func TestRecordedModels(t *testing.T) {
	folders, err := os.ReadDir(filepath.Join(recorded, "models"))
	if err != nil || len(folders) != 12 {
		t.Fatalf("%d cases, %v", len(folders), err)
	}
	for _, f := range folders {
		t.Run(f.Name(), func(t *testing.T) {
			got := example(t, f.Name()).models(t, components.Options{})
			same(t, got, readFolder(t, got.Alphabet, filepath.Join(recorded, "models", f.Name(), "output_expected")))
		})
	}
}

// TestTypesFromMessages learns traces of MIDS without their execution types, which messages imply as well. They do not
// distinguish events from triggers, nor imply a callback that does not come from what was called (FcnAsync).
func TestTypesFromMessages(t *testing.T) {
	for _, name := range []string{"BlkAsync", "EmptyLifeline", "MultipleClient", "Nested", "Repeated", "ReqWait", "Tree"} {
		text, err := os.ReadFile(filepath.Join("../../../testdata/traces/mids", name+".tmsct"))
		if err != nil || !strings.Contains(string(text), "execType:") {
			t.Fatal(name, err)
		}
		got := ingest(t, strings.ReplaceAll(string(text), "execType:", "other:")).models(t, components.Options{})
		same(t, got, readFolder(t, got.Alphabet, filepath.Join(recorded, "models", name, "output_expected")))
	}
}

// TestRecordedOptions learns one trace with each of the options of mids-cmi.
func TestRecordedOptions(t *testing.T) {
	for name, opt := range map[string]components.Options{
		"Base":               {},
		"NoSyncDepTrans":     {Local: true},
		"NoUntracedSync":     {}, // MIDS knows this option, and does nothing with it
		"ModelPerComponent":  {}, // one file with all models
		"ComponentInclusion": {Include: "Client.*"},
		"ComponentExclusion": {Exclude: "Client.*"},
	} {
		t.Run(name, func(t *testing.T) {
			got := example(t, "extraction").models(t, opt)
			same(t, got, readFolder(t, got.Alphabet, filepath.Join(recorded, "options", name, "output_expected")))
		})
	}
}

// TestPlain writes variables out: a counter that goes no further than its range, and a switch.
func TestPlain(t *testing.T) {
	set := &components.Set{Alphabet: new(schema.Dictionary)}
	set.Models = readCIF(t, set.Alphabet, `automaton A:
	  disc int[0..2] n;
	  disc bool on = false;
	  location loc1:
	    initial;
	    marked;
	    edge up when n < 5 do n := n + 1, on := true goto loc1;
	    edge down when n = 2, on = true do n := 0 goto loc1;
	end`)
	got := render(set, set.Models[0].Plain())
	expect.Equal(t, got, "  [0] A.up [1]\n  [1] A.up [2]\n  [2] A.down [3]\n  [3] A.up [1]\n", "plain automaton")
}
