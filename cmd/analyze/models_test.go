package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/behaviour/language"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestModelsAsRecorded takes traces of MIDS from the file to CIF: the models have the language that MIDS recorded, and
// the system of them accepts the trace.
func TestModelsAsRecorded(t *testing.T) {
	root := expect.Value(filepath.Abs("../.."))(t)
	t.Chdir(t.TempDir())
	names := []string{"Nested", "Repeated", "BlkAsync"}
	for _, name := range names {
		expect.OK(t, load(t.Context(), []string{filepath.Join(root, "testdata/traces/mids", name+".tmsct")}, nil, nil, nil))
	}
	analyzed(t, "run", "--components")
	for _, name := range names {
		analyzed(t, "models", name, "-o", name)
		recorded, _ := filepath.Glob(filepath.Join(root, "stages/behaviour/components/testdata/mids/models", name, "output_expected/*.cif"))
		written, _ := filepath.Glob(name + "/*.cif")
		if len(recorded) == 0 || len(written) != len(recorded) {
			t.Fatalf("%s: %d models, want %d", name, len(written), len(recorded))
		}
		for _, path := range recorded {
			alphabet := new(schema.Dictionary)
			got, want := readModel(t, filepath.Join(name, filepath.Base(path)), alphabet), readModel(t, path, alphabet)
			if !sameLanguage(got.Automaton, want.Automaton) || got.States() != want.States() || got.Transitions() != want.Transitions() {
				t.Errorf("%s: another model than recorded", path)
			}
		}
		if out := analyzed(t, "models", name, "--replay", "--bound", "1"); !strings.Contains(out, "accepts the trace") {
			t.Error(out)
		}
	}
}

// TestModelsKeepKnowledge makes the models of a run again, as they were asked for, after the file of knowledge is gone.
func TestModelsKeepKnowledge(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"known.cif": "automaton A:\nlocation l:\ninitial;\nmarked;\nedge A__f__unkn goto m;\nlocation m:\nedge A__f__unkn_ret goto l;\nend\n",
		"a.txt":     "0.1 A > f\n0.2 A < f\n0.3 A > g\n0.4 A < g\n",
	} {
		expect.OK(t, os.WriteFile(name, []byte(text), 0o666))
	}
	expect.OK(t, load(t.Context(), []string{"a.txt"}, nil, nil, nil))
	analyzed(t, "run", "--model-operation", "InjectDomainKnowledge(intersection,known.cif)")
	l := expect.Value(lake.Open("lake", false))(t)
	expect.OK(t, errors.Join(os.Remove("known.cif"), l.DropTables(t.Context(), lake.Run("a"), "model_states")))
	analyzed(t, "run")
	if out := analyzed(t, "models", "a", "--component", "A"); !strings.Contains(out, "2 states, 2 transitions") {
		t.Error(out)
	}
}

// analyzed is what the program prints.
func analyzed(t *testing.T, args ...string) string {
	t.Helper()
	var out, log bytes.Buffer
	if err := run(t.Context(), args, nil, &out, &log); err != nil {
		t.Fatal(args, err)
	}
	return out.String()
}

func readModel(t *testing.T, path string, alphabet *schema.Dictionary) *components.Model {
	t.Helper()
	text := expect.Value(os.ReadFile(path))(t)
	models, err := components.ReadCIF(path, string(text), alphabet)
	if err != nil || len(models) != 1 {
		t.Fatal(path, err)
	}
	return models[0]
}

// sameLanguage reports whether two automata accept the same words: their minimal automata are then identical.
func sameLanguage(a, b *language.Automaton) bool {
	return language.Identical(language.Minimise(a), language.Minimise(b))
}
