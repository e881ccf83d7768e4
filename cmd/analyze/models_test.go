package main

import (
	"bytes"
	"errors"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/behaviour/language"
)

// TestModelsAsRecorded takes traces of MIDS from the file to CIF: the models have the language that MIDS recorded, and
// the system of them accepts the trace.
func TestModelsAsRecorded(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	names := []string{"Nested", "Repeated", "BlkAsync"}
	for _, name := range names {
		if err := load(t.Context(), []string{filepath.Join(root, "testdata/traces/mids", name+".tmsct")}, nil, nil, nil); err != nil {
			t.Fatal(err)
		}
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
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := load(t.Context(), []string{"a.txt"}, nil, nil, nil); err != nil {
		t.Fatal(err)
	}
	analyzed(t, "run", "--model-operation", "InjectDomainKnowledge(intersection,known.cif)")
	l, err := lake.Open("lake", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.Remove("known.cif"), l.Drop("model_states", lake.Run("a"))); err != nil {
		t.Fatal(err)
	}
	analyzed(t, "run")
	if out := analyzed(t, "models", "a", "--component", "A"); !strings.Contains(out, "2 states, 2 transitions") {
		t.Error(out)
	}
}

// TestMergeInOrder puts events from many buckets in the order of the trace, with all that belongs to them.
func TestMergeInOrder(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	const events = 50_000
	buckets, groups := make([]*bucketEvents, 9), make([][][]int64, 9)
	for seq := range int64(events) {
		n := rng.Intn(len(buckets) - 1) // the last one stays empty
		if len(groups[n]) == 0 || rng.Intn(100) == 0 {
			groups[n] = append(groups[n], nil)
		}
		last := len(groups[n]) - 1
		groups[n][last] = append(groups[n][last], seq)
	}
	for n := range buckets {
		buckets[n] = bucketOf(groups[n])
	}
	want := int64(0)
	err := (&replayer{ctx: t.Context(), names: new(schema.Names)}).merge(buckets, func(ev *schema.Events) {
		for i, seq := range ev.Seq {
			code := schema.Code(want)
			if seq != want || ev.Kind[i] != schema.Kind(want%2) || ev.Component[i] != code || ev.Lifeline[i] != code || ev.Function[i] != code || ev.ExecutionType[i] != code {
				t.Fatalf("event %d stands at %d", seq, want)
			}
			want++
		}
	})
	if err != nil || want != events {
		t.Error(want, err)
	}
}

// bucketOf has events with these sequence numbers, in row groups; their codes are the same numbers.
func bucketOf(groups [][]int64) *bucketEvents {
	b := &bucketEvents{rows: schema.NewEvents()}
	b.next = func() (bool, error) {
		schema.Reset(b.rows)
		if len(groups) == 0 {
			return false, nil
		}
		for _, seq := range groups[0] {
			b.rows.Seq, b.rows.Kind = append(b.rows.Seq, seq), append(b.rows.Kind, schema.Kind(seq%2))
			for _, codes := range []*[]schema.Code{&b.rows.Component, &b.rows.Lifeline, &b.rows.Function, &b.rows.ExecutionType} {
				*codes = append(*codes, schema.Code(seq))
			}
		}
		groups = groups[1:]
		return true, nil
	}
	return b
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
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
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
