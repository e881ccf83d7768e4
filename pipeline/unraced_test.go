package pipeline_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestUnraced sees that the packages which make race leaves out have nothing for the race detector: their tests have one job at a time, and neither these
// nor the packages themselves start goroutines or run tests at the same time.
func TestUnraced(t *testing.T) {
	list := regexp.MustCompile(`(?m)^UNRACED := (.*)$`).FindSubmatch(expect.Value(os.ReadFile("../Makefile"))(t))
	if list == nil {
		t.Fatal("the Makefile has no list of packages that are not raced")
	}
	for _, name := range strings.Fields(string(list[1])) {
		if name == "crashtest" { // whose programs are processes
			continue
		}
		paths := expect.Value(filepath.Glob(filepath.Join(name, "*.go")))(t)
		if len(paths) == 0 {
			t.Errorf("there is no package %s", name)
		}
		for _, path := range paths {
			for _, found := range concurrent(t, path) {
				t.Errorf("%s: the race detector is to see it", found)
			}
		}
	}
}

// concurrent lists what runs at the same time as something else in a file.
func concurrent(t *testing.T, path string) (found []string) {
	t.Helper()
	set := token.NewFileSet()
	tree := expect.Value(parser.ParseFile(set, path, nil, parser.SkipObjectResolution))(t)
	ast.Inspect(tree, func(n ast.Node) bool {
		what := ""
		switch n := n.(type) {
		case *ast.GoStmt:
			what = "go"
		case *ast.SelectorExpr:
			if n.Sel.Name == "Go" || n.Sel.Name == "Parallel" {
				what = n.Sel.Name
			}
		case *ast.KeyValueExpr:
			one, isLiteral := n.Value.(*ast.BasicLit)
			if key, _ := n.Key.(*ast.Ident); key != nil && key.Name == "Jobs" && strings.HasSuffix(path, "_test.go") && !(isLiteral && one.Value == "1") {
				what = "Jobs other than 1"
			}
		}
		if what != "" {
			found = append(found, fmt.Sprintf("%s: %s", set.Position(n.Pos()), what))
		}
		return true
	})
	return found
}
