package web

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/evanw/esbuild/pkg/api"
	"github.com/tracelake/tracelake/testdata/expect"
)

var update = flag.Bool("update", false, "write assets anew")

// mostGzipped is how many bytes script and style of a page may have when they are compressed.
const mostGzipped = 200_000

// mostInFile is how many bytes they may have in a report, where nothing compresses them.
const mostInFile = 300_000

// without leaves out what Plot has and pages do not use: a file of src/without stands in the place of the one of Plot at the same path.
var without = api.Plugin{Name: "without", Setup: func(b api.PluginBuild) {
	plot := filepath.Join("third_party", "@observablehq", "plot", "src")
	b.OnResolve(api.OnResolveOptions{Filter: `^(\.|d3$|d3-shape$)`}, func(a api.OnResolveArgs) (none api.OnResolveResult, _ error) {
		_, inPlot, is := strings.Cut(filepath.Join(a.ResolveDir, a.Path), plot+string(filepath.Separator))
		if a.Path == "d3" {
			is = strings.Contains(a.ResolveDir, plot)
			inPlot = "d3.js"
		}
		if a.Path == "d3-shape" {
			is, inPlot = true, "d3-shape.js"
		}
		if !is {
			return none, nil
		}
		file, err := filepath.Abs(filepath.Join("src", "without", inPlot))
		if err != nil {
			return none, err
		}
		if _, err := os.Stat(file); err != nil {
			return none, nil
		}
		return api.OnResolveResult{Path: file}, nil
	})
}}

// bundle makes the assets of src in memory. Names are fixed and no map of sources is written, so that the same sources give the
// same bytes everywhere.
func bundle(t *testing.T) map[string][]byte {
	t.Helper()
	entries := expect.Value(filepath.Glob("src/entry-*.ts"))(t)
	if len(entries) == 0 {
		t.Fatal("src has no entry-*.ts")
	}
	var points []api.EntryPoint
	for _, e := range entries {
		points = append(points, api.EntryPoint{InputPath: e, OutputPath: strings.TrimSuffix(strings.TrimPrefix(filepath.Base(e), "entry-"), ".ts")})
	}
	r := api.Build(api.BuildOptions{
		EntryPointsAdvanced: points, Bundle: true, Outdir: "assets", NodePaths: []string{"third_party"},
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true, Charset: api.CharsetASCII,
		Format: api.FormatIIFE, Target: api.ES2022, LegalComments: api.LegalCommentsNone,
		JSX: api.JSXAutomatic, JSXImportSource: "preact", Plugins: []api.Plugin{without},
	})
	for _, m := range append(r.Errors, r.Warnings...) {
		where := ""
		if m.Location != nil {
			where = m.Location.File + ": " + m.Location.LineText + ": "
		}
		t.Errorf("%s%s", where, m.Text)
	}
	files := make(map[string][]byte)
	for _, f := range r.OutputFiles {
		files[filepath.Base(f.Path)] = f.Contents
	}
	return files
}

// TestAssets sees that assets are what esbuild makes of the sources. Write them with go test ./cmd/internal/web -run TestAssets -update.
func TestAssets(t *testing.T) {
	files := bundle(t)
	if t.Failed() {
		return
	}
	for name, want := range files {
		path := filepath.Join("assets", name)
		if *update {
			expect.OK(t, os.MkdirAll("assets", 0o755))
			expect.OK(t, os.WriteFile(path, want, 0o644))
		}
		if has, err := os.ReadFile(path); err != nil || !bytes.Equal(has, want) {
			t.Errorf("%s is not made of the sources as they are: go test ./cmd/internal/web -run TestAssets -update", path)
		}
		// An inline script ends at the first of these, whatever stands around it.
		if strings.HasSuffix(name, ".js") && bytes.Contains(bytes.ToLower(want), []byte("</script")) || bytes.Contains(want, []byte("<!--")) {
			t.Errorf("%s would end the element that it stands in", path)
		}
	}
	for _, e := range expect.Value(os.ReadDir("assets"))(t) {
		if files[e.Name()] == nil {
			t.Errorf("assets/%s is made of nothing", e.Name())
		}
	}
}

// TestAssetsAreSmall sees that a page with its style stays below its limit.
func TestAssetsAreSmall(t *testing.T) {
	for _, script := range expect.Value(filepath.Glob("assets/*.js"))(t) {
		var packed bytes.Buffer
		plain := 0
		z := gzip.NewWriter(&packed)
		for _, name := range []string{script, strings.TrimSuffix(script, ".js") + ".css"} {
			if text, err := os.ReadFile(name); !errors.Is(err, fs.ErrNotExist) { // a worker has no style
				expect.OK(t, err)
				z.Write(text)
				plain += len(text)
			}
		}
		expect.OK(t, z.Close())
		t.Logf("%s with its style: %d bytes, %d gzipped", script, plain, packed.Len())
		if strings.HasSuffix(script, "report.js") && plain > mostInFile {
			t.Errorf("%s with its style has %d bytes, at most %d are allowed", script, plain, mostInFile)
		}
		if packed.Len() > mostGzipped {
			t.Errorf("%s with its style has %d bytes gzipped, at most %d are allowed", script, packed.Len(), mostGzipped)
		}
	}
}

// TestLicences sees that what others wrote stands beside its licence.
func TestLicences(t *testing.T) {
	found := 0
	expect.OK(t, filepath.Walk("third_party", func(path string, info os.FileInfo, err error) error {
		if err != nil || info.Name() != "package.json" || strings.HasSuffix(filepath.Dir(path), "hooks") || strings.HasSuffix(filepath.Dir(path), "jsx-runtime") {
			return err
		}
		found++
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "LICENSE")); err != nil {
			t.Errorf("%s has no licence: %v", filepath.Dir(path), err)
		}
		return nil
	}))
	if found == 0 {
		t.Error("third_party has no package")
	}
}

// TestFiguresNameTests looks for every test that the table of the papers' figures names.
func TestFiguresNameTests(t *testing.T) {
	table := string(expect.Value(os.ReadFile("src/FIGURES.md"))(t))
	names := regexp.MustCompile(`\bTest\w+`).FindAllString(table, -1)
	if len(names) < 30 {
		t.Errorf("the table names %d tests", len(names))
	}
	var tests strings.Builder
	expect.OK(t, filepath.WalkDir("../../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			text, err := os.ReadFile(path)
			tests.Write(text)
			return err
		}
		return err
	}))
	for _, name := range names {
		if !strings.Contains(tests.String(), "func "+name+"(t *testing.T)") {
			t.Errorf("there is no %s", name)
		}
	}
}
