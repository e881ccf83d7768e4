package runs_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	export "github.com/tracelake/tracelake/stages/export/etf"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/testdata/expect"
)

// randomThings is a text of everything that ETF has, its lines in no order.
func randomThings(r *rand.Rand) string {
	unit := []string{"NANOSECONDS", "MICROSECONDS", "MILLISECONDS", "SECONDS", "MINUTES", "HOURS"}[r.IntN(6)]
	text := []string{"TU " + unit, "T a=b, c = d e", "R 0 2.5 true;name=cpu", "R 1 100 false;kind=memory,note=", "S 3;name=level", "S 4;"}
	if r.IntN(3) == 0 {
		text = append(text, "O 1700000000123")
	}
	attributes := func() string {
		var pairs []string
		for _, name := range []string{"name", "id", "weight", "x"} {
			if r.IntN(2) == 0 {
				pairs = append(pairs, fmt.Sprintf("%s=%c%d", name, 'a'+rune(r.IntN(3)), r.IntN(4)))
			}
		}
		return strings.Join(pairs, ", ")
	}
	claims := 1 + r.IntN(12)
	for c := range claims {
		from := r.IntN(20)
		place := ""
		resource := r.IntN(3) // one is not declared
		if resource == 0 {
			place = fmt.Sprint(" ", r.IntN(3), ".5")
		}
		text = append(text, fmt.Sprintf("C %d %d.25 %d.25 %d%s %d;%s", 10*c, from, from+r.IntN(5), resource, place, r.IntN(4), attributes()))
	}
	events := r.IntN(4)
	for e := range events {
		text = append(text, fmt.Sprintf("E %d %d.25;%s", 10*e, r.IntN(20), attributes()))
	}
	for d := range r.IntN(12) {
		kind := r.IntN(9)
		most := claims
		if kind > 3 {
			most = max(claims, events)
		}
		text = append(text, fmt.Sprintf("D %d %d %d %d;%s", d%3, kind, 10*r.IntN(most), 10*r.IntN(most), attributes()))
	}
	for range r.IntN(8) {
		from := r.IntN(20)
		text = append(text, fmt.Sprintf("F %d %d %d.1 %d -0.1 %v", 3+r.IntN(2), from, from+r.IntN(3), r.IntN(5), r.NormFloat64()))
	}
	r.Shuffle(len(text)-1, func(i, j int) { text[i+1], text[j+1] = text[j+1], text[i+1] })
	return strings.Join(text, "\n") + "\n"
}

// tablesOf ingests a text into a lake of its own, and returns the bytes of its tables but those that name the trace.
func tablesOf(t *testing.T, folder, text string) (*lake.Lake, map[string]string) {
	t.Helper()
	l := expect.Value(lake.Open(filepath.Join(folder, "lake"), true))(t)
	path := filepath.Join(folder, "t.etf")
	expect.OK(t, os.WriteFile(path, []byte(text), 0o666))
	_, _, err := ingest.Run(t.Context(), ingest.Job{
		Lake: l, Run: "a", Paths: []string{path}, Incomplete: "complete", Untraced: "ignore", Jobs: 1, Memory: 1 << 20,
		Detect: func(string, []byte) (schema.Format, error) { return etf.Format(), nil },
	})
	if err != nil {
		t.Fatal(err, "\n", text)
	}
	tables := map[string]string{}
	for _, m := range expect.Value(l.Inventory(lake.Run("a")))(t).Tables {
		if m.Table == "runs" {
			continue
		}
		for _, f := range m.Files {
			tables[m.Table] += fmt.Sprintln(f.Bucket, f.Crc32c)
		}
	}
	return l, tables
}

// TestRoundTripOfThings: a trace of ETF that is exported and read again gives the same bytes of all tables.
func TestRoundTripOfThings(t *testing.T) {
	full := 0
	for seed := range uint64(12) {
		text := randomThings(rand.New(rand.NewPCG(seed, 15)))
		folder := t.TempDir()
		expect.OK(t, os.MkdirAll(filepath.Join(folder, "again"), 0o777))
		l, want := tablesOf(t, folder, text)
		things := expect.Value(runs.Things(t.Context(), l, "a"))(t)
		var out bytes.Buffer
		w := export.NewThingsWriter(&out, things)
		ev := schema.NewEvents()
		expect.OK(t, l.ScanEvents(t.Context(), "a", ev, lake.ScanOptions{}, func() error { return w.Write(ev) }))
		expect.OK(t, w.Close())
		_, got := tablesOf(t, filepath.Join(folder, "again"), out.String())
		if !maps.Equal(got, want) {
			var differ []string
			for table := range want {
				if got[table] != want[table] {
					differ = append(differ, table)
				}
			}
			t.Fatalf("seed %d: %v differ of %v\n%s\n%s", seed, differ, slices.Sorted(maps.Keys(got)), text, out.String())
		}
		if len(want) == 10 {
			full++
		}
	}
	if full < 3 {
		t.Error("only", full, "traces with all tables: too few to tell")
	}
}
