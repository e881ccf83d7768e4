package ingest

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// TestDescriptions checks that every format says what help, detection and the command need.
func TestDescriptions(t *testing.T) {
	seen := make(map[string]bool)
	for _, f := range Formats() {
		if f.Name == "" || f.Doc == "" || f.Remarks == "" || seen[f.Name] {
			t.Errorf("format %q: no name, line or remarks, or a second one of that name", f.Name)
		}
		seen[f.Name] = true
		if f.NewReader == nil && f.Prepare == nil {
			t.Errorf("%s: a format has NewReader or Prepare", f.Name)
		}
		if f.NewReader != nil && f.IsFile == nil && f.FindIn == nil {
			t.Errorf("%s is found neither as a file nor in a folder", f.Name)
		}
		for _, c := range f.Components {
			if c.Word == "" || c.Doc == "" || c.Any != (c.Word == strings.ToUpper(c.Word)) {
				t.Errorf("%s: component word %+v: capitals stand for any word, and only they", f.Name, c)
			}
			if f.CheckComponent(c.Word) != nil {
				t.Errorf("%s refuses its own word %s", f.Name, c.Word)
			}
		}
		open := slices.ContainsFunc(f.Components, func(c schema.ComponentWord) bool { return c.Any })
		if f.CheckComponent("") != nil || (f.CheckComponent("no such word") == nil) != open {
			t.Errorf("%s: the default is refused, or an unknown word accepted", f.Name)
		}
	}
}

// folderOf returns the folder of the package that describes a format: that of its functions. IsFile goes first, as
// packages share what makes their readers.
func folderOf(f schema.Format) string {
	at := uintptr(0)
	for _, of := range []any{f.Prepare, f.NewReader, f.IsFile} {
		if v := reflect.ValueOf(of); !v.IsNil() {
			at = v.Pointer()
		}
	}
	file, _ := runtime.FuncForPC(at).FileLine(at)
	return filepath.Base(filepath.Dir(file))
}

// TestFuzzTargets checks that a package has a fuzz target for every format that it describes; make fuzz runs all.
func TestFuzzTargets(t *testing.T) {
	formats := make(map[string]int)
	for _, f := range Formats() {
		formats[folderOf(f)]++
	}
	target := regexp.MustCompile(`(?m)^func Fuzz\w+\(`)
	for folder, described := range formats {
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s has no tests: %v", folder, err)
		}
		targets := 0
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			targets += len(target.FindAll(source, -1))
		}
		if targets < described {
			t.Errorf("%s describes %d formats and has %d fuzz targets", folder, described, targets)
		}
	}
}
