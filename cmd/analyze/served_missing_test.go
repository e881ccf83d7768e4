package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// pageResources are the resources that pages of a partition ask for, by what the partition is of: each page with all that may be in its address.
var pageResources = map[string][]string{
	"run": {
		"api/run/NAME/lanes", "api/run/NAME/lanes?by=function", "api/run/NAME/lanes?by=attribute:id", "api/run/NAME/attributes", "api/run/NAME/window?lanes=0&depths=9",
		"api/run/NAME/window?lanes=0&by=function", "api/run/NAME/window?lanes=0&attribute=id", "api/run/NAME/window?lanes=0&behaviour=id", "api/run/NAME/window?lanes=0&difference=wide",
		"api/run/NAME/window?lanes=0&critical=claims:0", "api/run/NAME/messages?lanes=0", "api/run/NAME/execution?id=1", "api/run/NAME/related?id=1", "api/run/NAME/fragments",
		"api/run/NAME/path?to=TO", "api/run/NAME/paths?to=TO", "api/run/NAME/paths?to=TO&deadline=1000", "api/run/NAME/paths?to=TO&only=occurrences",
		"api/run/NAME/signals?of=wip", "api/run/NAME/signals?of=usage", "api/run/NAME/signals?of=throughput", "api/run/NAME/signals?of=messages", "api/run/NAME/signals?of=clients", "api/run/NAME/histograms?of=wip",
		"api/run/NAME/behaviours?item=id", "api/run/NAME/difference?from=wide", "api/run/wide/difference?from=NAME", "api/run/NAME/critical?of=claims:0", "api/run/NAME/critical?of=dependencies",
		"api/run/NAME/durations", "api/run/wide/durations?with=NAME", "api/run/NAME/checks", "api/run/NAME/stretches", "api/run/NAME/clocks", "report/NAME", "live/NAME", "api/lake", "api/lake/state",
	},
	"comparison": {"api/comparison/NAME", "api/comparison/NAME/verdict", "api/levels/NAME", "api/history/NAME", "report/NAME", "api/lake"},
}

// TestMissingTables takes one table after the other out of a lake: a page that lacks its table says which command makes it.
func TestMissingTables(t *testing.T) {
	if testing.Short() {
		t.Skip("tables are taken out of a lake in full tests")
	}
	storiesLake(t)
	said(t, "compare", "--base", "release=1.0", "--cand", "release=1.1")
	said(t, "levels", "release=1.0", "release=1.1", "--id", "behaviour")
	address := served(t)
	client, base := admitted(t, address)
	l := expect.Value(lake.Open("lake", false))(t)
	told := 0
	for _, p := range []struct{ kind, name, to string }{
		{"run", "tight", "a.b"}, {"run", "r1a", "client.fetch"}, {"run", "rig", "robot.receiveMoveCommand"}, {"comparison", "1.0-vs-1.1", ""}, {"comparison", "behaviour", ""}, {"comparison", "releases", ""},
	} {
		partition := map[string]func(string) lake.Partition{"run": lake.Run, "comparison": lake.Comparison}[p.kind](p.name)
		inventory := filepath.Join("lake", lake.InventoryFolder, partition.String()+".json")
		whole := expect.Value(os.ReadFile(inventory))(t)
		// answers are those of all resources while one table is not there.
		answers := func() map[string]string {
			all := make(map[string]string)
			for _, resource := range pageResources[p.kind] {
				resource = strings.NewReplacer("NAME", p.name, "TO", p.to).Replace(resource)
				r := expect.Value(client.Get(base + resource))(t)
				body := strings.TrimSpace(string(expect.Value(io.ReadAll(r.Body))(t)))
				r.Body.Close()
				if r.StatusCode != http.StatusOK {
					all[resource] = body
				}
			}
			return all
		}
		before := answers()
		for _, m := range expect.Value(l.Inventory(partition))(t).Tables {
			files := make(map[string][]byte)
			for _, f := range m.Files {
				files[f.Path] = expect.Value(os.ReadFile(filepath.Join("lake", f.Path)))(t)
			}
			table := m.Table
			if table == "runs" || table == "events" { // a run begins with them
				continue
			}
			expect.OK(t, l.DropTables(t.Context(), partition, table))
			for resource, body := range answers() {
				switch {
				case body == before[resource]:
				case !strings.Contains(body, "analyze ") && !strings.Contains(body, "ingest "):
					t.Errorf("without %s, %s: %s", table, resource, body)
				default:
					told++
				}
			}
			for name, text := range files {
				expect.OK(t, os.MkdirAll(filepath.Dir(filepath.Join("lake", name)), 0o777))
				expect.OK(t, os.WriteFile(filepath.Join("lake", name), text, 0o666))
			}
			expect.OK(t, os.WriteFile(inventory, whole, 0o666))
		}
	}
	if told < 200 {
		t.Errorf("only %d answers lack their table", told)
	}
}
