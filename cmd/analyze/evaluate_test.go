package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/testdata/expect"
)

// tinyLake loads the traces of the story evaluate in a fresh folder.
func tinyLake(t *testing.T) {
	t.Helper()
	archive := expect.Value(txtar.ParseFile("testdata/evaluate.txtar"))(t)
	t.Chdir(t.TempDir())
	for _, f := range archive.Files {
		if f.Name == "story" {
			continue
		}
		expect.OK(t, os.WriteFile(f.Name, f.Data, 0o666))
		expect.OK(t, load(t.Context(), []string{f.Name}, nil, nil, nil))
	}
}

func evaluateTiny(t *testing.T, flags ...string) string {
	t.Helper()
	var out bytes.Buffer
	args := append([]string{"--quiet", "evaluate", "--seeds", "1", "--splits", "2"}, flags...)
	expect.OK(t, run(t.Context(), args, strings.NewReader(""), &out, &out))
	return out.String()
}

// TestEvaluationFiles checks that --out writes every table with as many cells in a row as it has columns, figures that are XML,
// and a summary, all the same on any number of cores.
func TestEvaluationFiles(t *testing.T) {
	tinyLake(t)
	evaluateTiny(t, "--out", "one", "--jobs", "1")
	evaluateTiny(t, "--out", "four", "--jobs", "4", "--only", "aa,power")
	var names []string
	files := expect.Value(os.ReadDir("one"))(t)
	for _, f := range files {
		names = append(names, f.Name())
		text := expect.Value(os.ReadFile(filepath.Join("one", f.Name())))(t)
		if again, err := os.ReadFile(filepath.Join("four", f.Name())); err == nil && f.Name() != "summary.md" && !bytes.Equal(text, again) {
			t.Errorf("%s is another one on four cores", f.Name())
		}
		switch filepath.Ext(f.Name()) {
		case ".csv":
			if rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll(); err != nil || len(rows) < 2 || bytes.Contains(text, []byte("NaN")) {
				t.Errorf("%s: %d rows, %v", f.Name(), len(rows), err)
			}
		case ".svg":
			if err := wellFormed(text); err != nil {
				t.Errorf("%s: %v", f.Name(), err)
			}
		}
	}
	want := []string{
		"aa.csv", "ablation.csv", "faults.csv", "fdr.csv", "functions.svg", "gaussian.svg", "power.csv", "power.svg", "spikes.svg", "summary.md",
	}
	expect.Slice(t, names, want, "files")
}

func wellFormed(text []byte) error {
	d := xml.NewDecoder(bytes.NewReader(text))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// TestEvaluationForMachines checks that JSON has the tables that are asked for, and null for what is not known.
func TestEvaluationForMachines(t *testing.T) {
	if testing.Short() {
		t.Skip("an evaluation is made by TestEvaluationFiles, too")
	}
	tinyLake(t)
	var got map[string][]map[string]any
	expect.OK(t, json.Unmarshal([]byte(evaluateTiny(t, "--only", "aa,faults", "--format", "json")), &got))
	if len(got) != 3 || len(got["aa"]) != 2 || len(got["ablation"]) != 14 {
		t.Errorf("%d tables, %d rows of A/A, %d of the ablation", len(got), len(got["aa"]), len(got["ablation"]))
	}
	if a := got["aa"][0]; a["cell"] != "all" || fmt.Sprint(a["runs"], a["splits"]) != "3 2" {
		t.Errorf("A/A %v", a)
	}
	undefined := slices.ContainsFunc(got["faults"], func(row map[string]any) bool { return row["precision"] == nil && row["f1"] == 0. })
	if !undefined {
		t.Error("no method found nothing")
	}
}
