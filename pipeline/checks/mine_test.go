package checks_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/checks"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/checks/mining"
	"github.com/tracelake/tracelake/stages/ingest/table"
	"github.com/tracelake/tracelake/testdata/expect"
)

// pipelined is a table of items that pass the components in their order, two at a time, each item with nested calls and a message.
func pipelined(rng *rand.Rand) string {
	var b strings.Builder
	fmt.Fprintln(&b, "time_ns,component,thread,function,kind,message,id,type")
	now := 0
	row := func(component, function, kind, message, id, direction string) {
		now += 100 + rng.IntN(900)
		fmt.Fprintf(&b, "%d,%s,1,%s,%s,%s,%s,%s\n", now, component, function, kind, message, id, direction)
	}
	for i := range 12 {
		row("load", "read", "start", "", "", "")
		row("load", "parse", "start", "", "", "")
		row("load", "parse", "finish", "", "", "")
		if rng.IntN(3) == 0 { // not in every run as often
			row("load", "retry", "start", "", "", "")
			row("load", "retry", "finish", "", "", "")
		}
		row("load", "read", "finish", "item", fmt.Sprint("q", i), "send")
		row("draw", "render", "start", "item", fmt.Sprint("q", i), "receive")
		row("draw", "render", "finish", "", "", "")
	}
	return b.String()
}

// TestMined mines random runs: all of them keep every proposal, before any is left out, and each kind of proposal is there.
func TestMined(t *testing.T) {
	rng := rand.New(rand.NewPCG(15, 3))
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	var names []string
	for i := range 8 {
		name := fmt.Sprint("run", i)
		path := filepath.Join(t.TempDir(), "trace.csv")
		expect.OK(t, os.WriteFile(path, []byte(pipelined(rng)), 0o666))
		_, _, err := ingest.Run(t.Context(), ingest.Job{
			Lake: l, Run: name, Paths: []string{path}, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 64 << 20,
			Detect: func(_ string, head []byte) (schema.Format, error) {
				format, _, err := table.Detect(head, table.Options{})
				return format, err
			},
		})
		expect.OK(t, err)
		names = append(names, name)
	}
	for n := 1; n <= len(names); n++ {
		j := &checks.Mining{Engine: &pipeline.Engine{Lake: l, Jobs: 1}, Runs: names[:n], Like: func(mining.Subject) bool { return true }}
		all, leftOut, err := j.Mine(t.Context())
		expect.OK(t, err)
		expect.Equal(t, leftOut, 0, "proposals of %d runs that a run does not keep", n)
		kinds := make(map[mining.Kind]bool)
		for _, p := range all {
			kinds[p.Kind] = true
		}
		for _, k := range []mining.Kind{mining.Response, mining.Precedence, mining.Exclusion, mining.InFlight} {
			if !kinds[k] {
				t.Errorf("%d runs: no %s", n, k)
			}
		}
	}
}

// TestMinedSignals mines recorded pipelines, which have resources and signals of their own, each alone.
func TestMinedSignals(t *testing.T) {
	bounds := 0
	for name, files := range cases(t) {
		j := &checks.Mining{Engine: &pipeline.Engine{Lake: load(t, files["etf"]), Jobs: 1}, Runs: []string{"a"}, Like: func(mining.Subject) bool { return true }}
		all, leftOut, err := j.Mine(t.Context())
		expect.OK(t, err)
		expect.Equal(t, leftOut, 0, "%s: proposals that the run does not keep", name)
		for _, p := range all {
			if p.Kind == mining.Bounds {
				bounds++
			}
		}
	}
	if bounds < 10 {
		t.Errorf("bounds of %d signals were proposed", bounds)
	}
}
