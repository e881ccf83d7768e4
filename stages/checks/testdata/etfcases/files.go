package etfcases

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"
)

// Files are the files of cases by name, as they lie in an archive. With TRACELAKE_CHECKS=FOLDER, where more cases lie, those of a folder in
// FOLDER are taken instead.
func Files(t testing.TB, archive, folder string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	if more := os.Getenv("TRACELAKE_CHECKS"); more != "" {
		paths, err := filepath.Glob(filepath.Join(more, folder, "*"))
		if err != nil || len(paths) == 0 {
			t.Fatalf("no cases in %s: %v", filepath.Join(more, folder), err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			all[filepath.Base(path)] = string(text)
		}
		return all
	}
	a, err := txtar.ParseFile(archive)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		all[f.Name] = string(f.Data)
	}
	return all
}

// Stems are the names of the cases that have a file with an ending, in order, without it.
func Stems(files map[string]string, ending string) (all []string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if stem := name[:max(0, len(name)-len(ending))]; stem+ending == name {
			all = append(all, stem)
		}
	}
	return all
}
