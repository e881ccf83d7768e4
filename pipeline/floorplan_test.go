package pipeline_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

const module = "github.com/tracelake/tracelake"

// floorPlan says who may import whom: patterns of rooms, and the patterns of the rooms that these may import. The first
// row that matches a room holds; a room that matches none may import nothing of ours.
var floorPlan = []struct{ rooms, imports string }{
	{"schema", ""},
	{"stages/heap", ""},      // the one priority queue
	{"stages/numbering", ""}, // the one numbering of keys

	// The tools beside the readers of formats, then the readers.
	{"stages/ingest/textfield stages/ingest/jsontext stages/ingest/symbols stages/ingest/callkeys", "schema"},
	{"stages/ingest/sampled", "schema stages/ingest/jsontext"},
	{"stages/ingest/tags", "schema stages/numbering"},
	{"stages/ingest/testdata/readertest", "schema"}, // for tests only
	{"stages/ingest/extsort", "schema stages/heap"},
	{"stages/ingest/blocks", "schema stages/ingest/extsort"}, // events in blocks, also in the order of their turn
	{"stages/ingest/processes", "schema stages/ingest/callkeys stages/ingest/symbols"},
	{"stages/ingest/spans", "schema stages/ingest/blocks stages/ingest/extsort stages/ingest/jsontext stages/ingest/tags stages/clocks/alignment"},
	{"stages/ingest", "schema stages/ingest/*"},
	{"stages/ingest/quantities", "schema stages/ingest/extsort"},
	{"stages/ingest/ctf", "schema stages/ingest/extsort stages/ingest/processes stages/ingest/blocks stages/ingest/tags stages/clocks/alignment"},
	{"stages/ingest/babeltrace", "schema stages/ingest/ctf stages/ingest/processes"}, // the text of such traces, by the same rules
	{"stages/ingest/etf", "schema stages/heap stages/numbering stages/ingest/extsort stages/ingest/callkeys stages/ingest/blocks"},
	{"stages/ingest/*", "schema stages/heap stages/chart/callstack stages/ingest/textfield stages/ingest/extsort stages/ingest/jsontext " +
		"stages/ingest/symbols stages/ingest/spans stages/ingest/callkeys stages/ingest/processes stages/ingest/blocks stages/ingest/sampled stages/ingest/tags stages/ingest/quantities"},

	// The wings. Within a wing, and across wings, only tools are shared: what is no analysis of its own.
	{"stages/checks/mtl stages/checks/stl", "schema stages/checks/spec"}, // formulas are data
	{"stages/checks/transformation", "schema stages/checks/spec stages/checks/stl stages/checks/requirements stages/timing/signals"},
	{"stages/checks/requirements", "schema stages/numbering stages/checks/spec stages/checks/mtl stages/checks/stl"},
	{"stages/chart/callstack stages/timing/window stages/clocks/offset stages/checks/*", "schema"},
	{"stages/timing/timesort stages/behaviour/language stages/change/stats stages/report/texttab stages/report/jsonrows", ""},
	{"stages/report/canvas", "stages/report/texttab"}, // which has the letters for what nobody would see
	{"stages/chart/wellformed", "schema stages/chart/callstack stages/clocks/alignment"},
	{"stages/chart/*", "schema stages/chart/callstack"},
	{"stages/behaviour/ltsdiff", "stages/heap"},
	{"stages/behaviour/claimorder", "stages/numbering stages/timing/timesort"},
	{"stages/behaviour/*", "schema stages/chart/callstack stages/behaviour/language stages/behaviour/ltsdiff"},
	{"stages/timing/findings", "schema stages/timing/*"},
	{"stages/timing/signals", "schema stages/heap"},
	{"stages/timing/claimgraph", "stages/timing/timesort"},
	{"stages/timing/*", "schema stages/numbering stages/chart/callstack stages/timing/window"},
	{"stages/change/sampletests", "stages/change/stats"},
	{"stages/change/definitions", "schema stages/numbering stages/change/stats stages/change/sampletests stages/report/texttab"}, // which writes durations as a file has them
	{"stages/change/margins", "schema stages/change/stats stages/change/verdicts"},                                               // verdicts on answers to requirements
	{"stages/change/*", "schema stages/numbering stages/change/stats stages/change/sampletests"},
	{"stages/clocks/alignment", "schema stages/clocks/offset stages/clocks/timebase"}, // shared by the readers of traces with clocks of their own
	{"stages/clocks/timebase", "stages/clocks/offset"},
	{"stages/clocks/reconciliation", "schema stages/checks/ccsl stages/clocks/timebase"},
	{"stages/evaluation/results", "schema stages/change/* stages/evaluation/*"},
	{"stages/evaluation/*", "schema stages/heap stages/change/stats stages/change/sampletests"},
	// A report takes the results of other wings as they are; only their types and words are used, never their work.
	{"stages/report/signals", "stages/timing/signals stages/report/texttab"},
	{"stages/report/claims", "stages/report/canvas stages/report/texttab"},
	{"stages/report/distribution", "stages/change/stats"},
	{"stages/report/pages", "schema stages/behaviour/matching stages/behaviour/samples stages/change/samplechanges stages/report/automaton stages/report/distribution " +
		"stages/report/jsonrows stages/report/timeline stages/report/verdict"}, // puts together what other reports say
	{"stages/report/*", "schema stages/behaviour/components stages/behaviour/matching stages/behaviour/samples stages/change/* stages/timing/* stages/evaluation/* " +
		"stages/checks/mtl stages/checks/requirements stages/checks/spec stages/report/canvas stages/report/texttab stages/report/jsonrows stages/report/figures"},
	{"stages/export/*", "schema stages/heap stages/chart/callstack stages/ingest/textfield"},

	{"pipeline/workers", ""},
	{"pipeline/process", ""}, // whose files and folders are whose
	{"pipeline/memory", "stages/report/texttab"},
	{"pipeline/lake/parquet", "schema"},
	{"pipeline/lake/stores", "schema pipeline/lake pipeline/process"}, // for commands: nobody below knows where a lake lies
	{"pipeline/lake", "schema stages/ingest/extsort pipeline/lake/parquet pipeline/process"},
	{"pipeline/ingest pipeline/compare pipeline/modelsets", "schema stages/*/* pipeline pipeline/lake pipeline/memory pipeline/workers"},
	{"pipeline/history pipeline/evaluate", "schema stages/*/* pipeline pipeline/lake pipeline/compare"},
	{"pipeline/signals", "schema stages/timing/signals pipeline/lake pipeline/runs"},
	{"pipeline/claims", "schema stages/numbering stages/behaviour/claimorder stages/timing/claimgraph pipeline pipeline/lake pipeline/runs"},
	{"pipeline/transform", "schema stages/checks/spec stages/checks/transformation stages/ingest/etf pipeline/ingest pipeline/lake pipeline/process pipeline/runs"},
	{"pipeline/reconcile", "schema stages/checks/ccsl stages/clocks/reconciliation pipeline pipeline/lake pipeline/ingest"},
	{"pipeline/inject", "schema stages/chart/callstack stages/evaluation/faults stages/evaluation/results pipeline pipeline/lake pipeline/ingest"},
	{"pipeline/views", "schema pipeline/lake"}, // for pages that look at windows of runs
	{"pipeline/chartwindow", "schema stages/timing/window pipeline/lake pipeline/workers"},
	{"pipeline/criticalpaths", "schema stages/*/* pipeline pipeline/chartwindow pipeline/lake"},
	{"pipeline/checks", "schema stages/checks/* pipeline pipeline/runs pipeline/lake pipeline/workers"},
	{"pipeline/live", "schema stages/ingest/kieker stages/ingest/uftrace stages/timing/controlchart stages/timing/hotness pipeline/lake pipeline/process pipeline/workers"},
	{"pipeline/executors", "pipeline pipeline/lake pipeline/workers"},
	{"pipeline/executors/kubernetes", "pipeline/executors"},
	{"pipeline/runs", "schema stages/*/* pipeline pipeline/plan pipeline/lake"},
	{"pipeline/plan", "schema stages/*/* pipeline pipeline/chartwindow pipeline/compare pipeline/history pipeline/modelsets"},
	{"pipeline", "schema pipeline/chartwindow pipeline/lake pipeline/memory pipeline/workers"},
	{"sql", "schema stages/report/texttab pipeline/process"},
	{"cmd/internal/signals", "stages/timing/signals stages/report/signals pipeline/lake pipeline/lake/stores pipeline/runs pipeline/signals cmd/internal/console"},
	{"cmd/internal/sections", "schema stages/checks/mtl stages/checks/requirements stages/checks/spec stages/report/timeline pipeline pipeline/checks pipeline/lake pipeline/runs " +
		"pipeline/signals cmd/internal/console"}, // of timelines
	{"cmd/internal/claims", "schema pipeline stages/behaviour/claimorder stages/change/changepoint stages/timing/claimgraph stages/checks/spec stages/report/claims stages/report/texttab " +
		"pipeline/transform cmd/internal/views pipeline/claims pipeline/lake pipeline/lake/stores pipeline/runs cmd/internal/console"},
	{"cmd/internal/check", "schema stages/change/changepoint stages/change/margins stages/checks/mining stages/checks/mtl stages/checks/requirements stages/checks/spec stages/timing/deadlines stages/timing/findings stages/report/checks " +
		"stages/report/criticalpath stages/report/texttab pipeline pipeline/checks pipeline/criticalpaths pipeline/lake pipeline/lake/stores pipeline/runs cmd/internal/console cmd/internal/views"},
	{"cmd/internal/named", "stages/report/texttab stages/timing/* pipeline pipeline/criticalpaths pipeline/lake pipeline/lake/stores pipeline/runs cmd/internal/console"},
	{"cmd/internal/dependence", "stages/report/criticalpath stages/timing/findings cmd/internal/console cmd/internal/named"},
	{"cmd/internal/sides", "stages/change/criticality stages/report/criticalpath stages/report/flame stages/report/texttab stages/timing/* " +
		"pipeline pipeline/criticalpaths pipeline/runs cmd/internal/console cmd/internal/named"},
	{"cmd/internal/serve", "schema stages/chart/componentmodel stages/report/criticalpath stages/report/jsonrows stages/report/levels stages/report/texttab stages/timing/* pipeline pipeline/claims pipeline/criticalpaths pipeline/lake pipeline/lake/stores pipeline/live pipeline/memory pipeline/modelsets pipeline/process pipeline/runs " +
		"pipeline/signals pipeline/views pipeline/workers sql cmd/internal/*"},
	{"cmd/internal/web", ""}, // what a page is drawn with, and the file around it
	{"cmd/internal/report", "schema stages/behaviour/samples stages/change/strata stages/report/automaton stages/report/pages stages/report/texttab stages/report/timeline " +
		"stages/report/verdict stages/timing/findings pipeline pipeline/compare pipeline/criticalpaths pipeline/lake pipeline/lake/stores pipeline/runs cmd/internal/console cmd/internal/web"},
	{"cmd/internal/contents", "schema stages/report/texttab pipeline/claims pipeline/lake pipeline/lake/stores pipeline/plan pipeline/runs cmd/internal/console"},
	{"cmd/internal/nightly", "schema stages/report/nightly pipeline/lake pipeline/lake/stores pipeline/runs cmd/internal/console"},
	{"cmd/internal/publish", "schema stages/report/texttab pipeline/lake pipeline/lake/stores cmd/internal/console"},
	{"cmd/internal/export", "schema stages/export/* stages/report/texttab pipeline/lake pipeline/lake/stores pipeline/runs cmd/internal/console"},
	{"cmd/internal/mapping", "schema stages/chart/componentmodel stages/ingest/symbols pipeline/ingest"},
	{"cmd/internal/tasks", "stages/ingest stages/report/texttab pipeline pipeline/executors pipeline/executors/* pipeline/ingest pipeline/lake pipeline/lake/stores cmd/internal/console cmd/internal/mapping cmd/internal/views"},
	{"cmd/internal/*", "schema stages/report/texttab pipeline pipeline/executors pipeline/executors/* pipeline/lake pipeline/lake/stores pipeline/memory pipeline/process pipeline/workers sql cmd/internal/*"},
	{"cmd/*", "schema stages/ingest stages/*/* pipeline pipeline/* pipeline/lake/stores sql cmd/internal/*"},
	{"benchmarks/trust", "schema stages/ingest stages/*/* pipeline pipeline/* pipeline/lake/parquet benchmarks/program"},
	{"benchmarks/*", "schema stages/heap stages/ingest stages/*/* pipeline pipeline/* sql benchmarks/*"},
}

// topLevel is all that may stand at the top of the repository.
var topLevel = []string{
	".ci", ".git", ".gitignore", "LICENSE", "Makefile", "README.md", "benchmarks", "cmd", "go.mod", "go.sum", "pipeline",
	"schema", "sql", "stages", "testdata",
}

// A file of the module that is no test.
type file struct {
	room string // its folder, from the module's root
	path string
	tree *ast.File
}

func sources(t *testing.T) (*token.FileSet, []file) {
	t.Helper()
	set := token.NewFileSet()
	var files []file
	expect.OK(t, fs.WalkDir(os.DirFS(".."), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() && name != "." && (strings.HasPrefix(e.Name(), ".") || e.Name() == "testdata") {
			return fs.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		tree, err := parser.ParseFile(set, filepath.Join("..", name), nil, parser.SkipObjectResolution)
		files = append(files, file{path.Dir(name), name, tree})
		return err
	}))
	if len(files) < 50 {
		t.Fatalf("only %d source files: this test does not see the module", len(files))
	}
	return set, files
}

func matches(patterns, room string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool {
		ok, _ := path.Match(p, room)
		return ok
	})
}

// breach says why a room may not import another one, or nothing.
func breach(room, other string) string {
	for _, rule := range floorPlan {
		if matches(rule.rooms, room) {
			if matches(rule.imports, other) {
				return ""
			}
			return fmt.Sprintf("%s imports %s, and may import only: %s", room, other, rule.imports)
		}
	}
	return fmt.Sprintf("%s imports %s, but has no place in the floor plan", room, other)
}

func imports(f file) (paths []string) {
	for _, i := range f.tree.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		paths = append(paths, p)
	}
	return paths
}

// TestFloorPlan sees that data flows one way: every room imports only what the plan lets it.
func TestFloorPlan(t *testing.T) {
	_, files := sources(t)
	for _, f := range files {
		for _, p := range imports(f) {
			if other, ours := strings.CutPrefix(p, module+"/"); ours {
				if why := breach(f.room, other); why != "" {
					t.Errorf("%s: %s", f.path, why)
				}
			}
		}
	}
}

// TestFloorPlanRefuses plants imports that must not be.
func TestFloorPlanRefuses(t *testing.T) {
	for _, planted := range [][2]string{
		{"schema", "stages/change/stats"}, {"stages/behaviour/samples", "stages/behaviour/automata"}, {"stages/behaviour/samples", "pipeline"},
		{"stages/change/stats", "schema"}, {"stages/ingest/text", "stages/ingest/table"}, {"stages/behaviour/metrics", "pipeline/lake"},
		{"pipeline", "stages/behaviour/metrics"}, {"pipeline", "pipeline/ingest"}, {"pipeline/workers", "pipeline"}, {"pipeline/compare", "pipeline/lake/parquet"},
		{"pipeline/ingest", "pipeline/compare"}, {"pipeline/ingest", "sql"}, {"pipeline/compare", "cmd/analyze"},
		{"stages/timing/window", "stages/chart/callstack"}, {"pipeline/modelsets", "pipeline/compare"},
		{"sql", "pipeline/lake"}, {"cmd/analyze", "benchmarks/machine"}, {"attic", "schema"},
	} {
		if breach(planted[0], planted[1]) == "" {
			t.Errorf("%s may import %s", planted[0], planted[1])
		}
	}
}

// TestTopLevel sees that nothing new stands at the top of the repository. What git is told to ignore, such
// as the lake of a demonstration, may lie there.
func TestTopLevel(t *testing.T) {
	ignored := expect.Value(os.ReadFile("../.gitignore"))(t)
	entries := expect.Value(os.ReadDir(".."))(t)
	for _, e := range entries {
		if !slices.Contains(topLevel, e.Name()) && !isIgnored(string(ignored), e.Name()) {
			t.Errorf("%s stands at the top level, which is fixed", e.Name())
		}
	}
}

func isIgnored(patterns, name string) bool {
	return slices.ContainsFunc(strings.Fields(patterns), func(p string) bool {
		ok, _ := path.Match(strings.Trim(p, "/"), name)
		return ok
	})
}

// TestFoldersOfTests sees that a folder which outlives a test says in its name whose it is, so that later tests remove it where its process was killed. The
// only other one is too short for that, and what is in it says so.
func TestFoldersOfTests(t *testing.T) {
	expect.OK(t, fs.WalkDir(os.DirFS(".."), ".", func(name string, e fs.DirEntry, err error) error {
		ofTests := strings.HasSuffix(name, "_test.go") || strings.HasSuffix(name, ".go") && strings.Contains(name, "/testdata/")
		if err != nil || e.IsDir() || !ofTests || name == "pipeline/floorplan_test.go" || name == "cmd/internal/serve/livebrowser_test.go" {
			return err
		}
		source, err := os.ReadFile(filepath.Join("..", name))
		if strings.Contains(string(source), "os.MkdirTemp(") {
			t.Errorf("%s: a folder for temporary files is made by package process, or by the test", name)
		}
		return err
	}))
}

// mayGo are the places outside pipeline that start goroutines: they watch, they do not work. A fuzz target may end the goroutine that calls it.
var mayGo = []string{"cmd/internal/console/progress.go", "cmd/internal/console/console.go", "cmd/internal/console/stdin.go", "benchmarks/mutated/fuzz.go"}

// TestOnlyThePipelineSaysGo sees that whoever reads a stage need not think of concurrency.
func TestOnlyThePipelineSaysGo(t *testing.T) {
	set, files := sources(t)
	for _, f := range files {
		if f.room == "pipeline" || strings.HasPrefix(f.room, "pipeline/") || slices.Contains(mayGo, f.path) {
			continue
		}
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if g, is := n.(*ast.GoStmt); is {
				t.Errorf("%s: a goroutine outside pipeline", set.Position(g.Pos()))
			}
			return true
		})
		for _, p := range imports(f) {
			if strings.HasPrefix(p, "golang.org/x/sync/") {
				t.Errorf("%s imports %s outside pipeline", f.path, p)
			}
		}
	}
}

// locking are what a file is locked with.
var locking = []string{"Flock", "FcntlFlock", "F_SETLK", "F_SETLKW", "F_OFD_SETLK", "F_OFD_SETLKW", "LOCK_EX", "LOCK_SH"}

// TestNobodyLocksFiles sees that a lake needs no file system with locks: writers keep apart by files that they claim (lake.Lease).
// Only DuckDB locks, and it writes where temporary files lie.
func TestNobodyLocksFiles(t *testing.T) {
	set, files := sources(t)
	for _, f := range files {
		ast.Inspect(f.tree, func(n ast.Node) bool {
			if id, is := n.(*ast.Ident); is && slices.Contains(locking, id.Name) {
				t.Errorf("%s: a lock, which not every file system of a lake has", set.Position(id.Pos()))
			}
			return true
		})
	}
}

// TestDuckDBOnlyInSQL sees that no stage and no command needs DuckDB to be linked but through sql.
func TestDuckDBOnlyInSQL(t *testing.T) {
	_, files := sources(t)
	for _, f := range files {
		for _, p := range imports(f) {
			if strings.Contains(p, "duckdb") && f.room != "sql" && f.room != "benchmarks/floor" {
				t.Errorf("%s imports %s", f.path, p)
			}
		}
	}
}

// TestNoInit sees that importing a package does nothing.
func TestNoInit(t *testing.T) {
	set, files := sources(t)
	for _, f := range files {
		for _, d := range f.tree.Decls {
			if fn, is := d.(*ast.FuncDecl); is && fn.Name.Name == "init" && fn.Recv == nil {
				t.Errorf("%s: a func init", set.Position(fn.Pos()))
			}
		}
	}
}
