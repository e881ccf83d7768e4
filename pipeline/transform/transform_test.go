package transform

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestNothing: a transformation that makes nothing, beside what there is, gives a run with the same claims, events, dependencies and signals.
// One that is moved to zero and back again, too.
func TestNothing(t *testing.T) {
	for name, text := range map[string]string{"same": "transformation a { strategy : augment; }",
		"moved": "transformation a { strategy : augment; shift : 2 s; } transformation b { strategy : augment; shift : -2 s; }"} {
		steps := expect.Value(spec.ParseTransformations(name, text))(t)
		cases := 0
		for _, f := range expect.Value(txtar.ParseFile("../claims/testdata/pipeline.txtar"))(t).Files {
			if !strings.HasSuffix(f.Name, ".etf") || strings.Contains(f.Name, "sister") {
				continue
			}
			if cases++; cases > 2 {
				break
			}
			folder := t.TempDir()
			l := expect.Value(lake.Open(filepath.Join(folder, "lake"), true))(t)
			path := filepath.Join(folder, "a.etf")
			expect.OK(t, os.WriteFile(path, f.Data, 0o666))
			_, _, err := ingest.Run(t.Context(), ingest.Job{
				Lake: l, Run: "a", Paths: []string{path}, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 1 << 20,
				Detect: func(string, []byte) (schema.Format, error) { return etf.Format(), nil },
			})
			expect.OK(t, err)
			j := &Job{Lake: l, Run: "a", As: "b", Steps: steps, Jobs: 1}
			expect.Value(j.Transform(t.Context()))(t)
			before, after := expect.Value(read(t.Context(), l, "a"))(t), expect.Value(read(t.Context(), l, "b"))(t)
			after.UnitNs = before.UnitNs // times are ns now
			for i := range after.Resources {
				after.Resources[i].Attributes = before.Resources[i].Attributes
			}
			// As text, since a place that is missing is no number.
			if got, want := fmt.Sprintf("%+v", *after), fmt.Sprintf("%+v", *before); got != want {
				t.Errorf("%s: %s: the run is another one", name, f.Name)
			}
		}
	}
}
