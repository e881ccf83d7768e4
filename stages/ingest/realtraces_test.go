package ingest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// testFunction is how a test begins.
var testFunction = regexp.MustCompile(`(?m)^func (Test\w+)\(`)

// testsOfTheRepository are the tests, as PACKAGE.FUNCTION by the last part of the package's folder, and the stories by their files.
func testsOfTheRepository(t *testing.T) map[string]bool {
	t.Helper()
	found := make(map[string]bool)
	expect.OK(t, filepath.WalkDir(filepath.Join("..", ".."), func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil || e.IsDir():
			return err
		case strings.HasSuffix(path, ".txtar"):
			found[filepath.Base(path)] = true
		case strings.HasSuffix(path, "_test.go"):
			source := expect.Value(os.ReadFile(path))(t)
			for _, m := range testFunction.FindAllStringSubmatch(string(source), -1) {
				found[filepath.Base(filepath.Dir(path))+"."+m[1]] = true
			}
		}
		return nil
	}))
	return found
}

// TestRealTracesHaveTests sees that every case of real-traces.md has a test, and that the tests it names are there.
func TestRealTracesHaveTests(t *testing.T) {
	page := string(expect.Value(os.ReadFile("real-traces.md"))(t))
	tests, rows := testsOfTheRepository(t), make(map[string]bool)
	named := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(page) {
		cells := strings.Split(line, "|")
		if len(cells) != 5 || strings.TrimSpace(cells[1]) == "" || strings.HasPrefix(cells[1], "-") {
			continue
		}
		row := strings.TrimSpace(cells[1])
		rows[row] = true
		names := named.FindAllStringSubmatch(cells[3], -1)
		if len(names) == 0 {
			t.Errorf("%s has no test", row)
		}
		for _, m := range names {
			if !tests[m[1]] {
				t.Errorf("%s: there is no test %s", row, m[1])
			}
		}
	}
	for part, last := range map[string]int{"A": 7, "B": 12, "C": 12, "D": 9} {
		for i := 1; i <= last; i++ {
			if row := fmt.Sprint(part, i); !rows[row] {
				t.Errorf("there is no row %s", row)
			}
		}
	}
}
