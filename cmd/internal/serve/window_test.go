package serve

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/etf"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/testdata/expect"
)

// camera is the claims of two images on two resources (Hendriks et al. 2024, Figure 1, in kind). A memory holds both images for a while, which overlap.
const camera = `TU MILLISECONDS
T system=camera
R 0 1 false;name=CPU
R 1 9 false;name=memory
C 0 0 4 0 1;name=A, image=0
C 1 4 7 0 1;name=B, image=0
C 2 7 12 0 1;name=A, image=1
C 3 1 9 1 4;name=hold, image=0
C 4 8 13 1 4;name=hold, image=1
`

// newClaims makes a lake with a run whose executions have attributes.
func newClaims(t testing.TB) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(filepath.Join(t.TempDir(), "lake"), true))(t)
	path := filepath.Join(t.TempDir(), "camera.etf")
	expect.OK(t, os.WriteFile(path, []byte(camera), 0o600))
	detect := func(string, []byte) (schema.Format, error) { return etf.Format(), nil }
	_, _, err := ingest.Run(t.Context(), ingest.Job{Lake: l, Run: "camera", Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1})
	expect.OK(t, err)
	analyze(t, l, "camera")
	return l
}

// boxesOf reads the JSON of a window.
type boxesOf struct {
	Lane, Depth, Count, Function, Value []int
	StartNs                             []int64  `json:"start_ns"`
	FinishNs                            []int64  `json:"finish_ns"`
	BusyNs                              []int64  `json:"busy_ns"`
	Longest                             []*int64 `json:"longest"`
	Functions, Values                   []string
	Total                               int64
}

// asked returns the answer to a path, which must be one.
func asked[T any](t testing.TB, client *http.Client, address string) (value T) {
	t.Helper()
	code, body := read(t, client, address)
	if code != http.StatusOK {
		t.Fatalf("%s: %d %s", address, code, body)
	}
	expect.OK(t, json.Unmarshal([]byte(body), &value))
	return value
}

// TestLanesOfAttributes looks at claims by what the trace says of them: the values of an attribute on every box, lanes by an attribute and by function, in
// which what overlaps stands below each other, and attributes of one execution.
func TestLanesOfAttributes(t *testing.T) {
	address, _, client := start(t, newClaims(t))
	at := address + "/api/run/camera/"
	type attribute struct {
		Name               string
		Executions, Values int64
		Common             []struct {
			Value string
			Count int64
		}
	}
	all := asked[[]attribute](t, client, at+"attributes")
	expect.Equal(t, len(all), 2, "attributes")
	expect.Equal(t, all[0].Name, "image", "the first")
	expect.Equal(t, all[0].Executions, 5, "executions with it")
	expect.Equal(t, all[0].Common[0].Value, "0", "the value of most")
	expect.Equal(t, all[0].Common[0].Count, 3, "how many")

	type lanes struct {
		Lanes []struct {
			Lifeline           string
			Depths, Executions int64
		}
	}
	var names []string
	by := asked[lanes](t, client, at+"lanes?by=attribute:image")
	for _, lane := range by.Lanes {
		names = append(names, lane.Lifeline)
	}
	expect.Deep(t, names, []string{"0", "1"}, "lanes by image, the busiest first")
	expect.Equal(t, by.Lanes[0].Depths, 2, "what overlaps stands below")
	b := asked[boxesOf](t, client, at+"window?by=attribute:image&attribute=name&lanes=0-1&depths=9&pixels=1000")
	expect.Equal(t, b.Total, 5, "executions")
	for i := range b.Lane {
		want := map[string]string{"A": "A", "B": "B", "hold": "hold"}[b.Functions[b.Function[i]]]
		expect.Equal(t, b.Values[b.Value[i]], want, "the name of box %d is its function", i)
	}
	functions := asked[lanes](t, client, at+"lanes?by=function")
	expect.Equal(t, len(functions.Lanes), 3, "lanes by function")
	few := asked[boxesOf](t, client, at+"window?by=function&lanes=0-2&depths=9&from=7500000&to=8500000")
	expect.Equal(t, few.Total, 3, "executions that overlap the window")
	x := asked[struct{ Attributes [][2]string }](t, client, at+"execution?id="+jsonText(*b.Longest[0]))
	expect.Equal(t, x.Attributes[0][0], "name", "of an execution")

	type found struct {
		Items   int
		Classes []struct {
			Items          int
			Representative string
		}
	}
	alike := asked[found](t, client, at+"behaviours?item=image&by=name")
	expect.Equal(t, alike.Items, 2, "items")
	expect.Equal(t, len(alike.Classes), 2, "behaviours: one image has no B")
	for path, code := range map[string]int{"behaviours": 400, "behaviours?item=none": 400, "lanes?by=attribute:none": 400, "lanes?by=colour": 400, "window?by=function&lanes=7": 400, "window?attribute=none&lanes=0": 400} {
		got, body := read(t, client, at+path)
		expect.Equal(t, got, code, "%s: %s", path, body)
	}
}

func jsonText(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

// TestPackedBoxes reads packed columns as a page does, and compares them with the same in JSON.
func TestPackedBoxes(t *testing.T) {
	address, _, client := start(t, newClaims(t))
	for _, ask := range []string{"lanes=0-1&depths=9&attribute=image", "lanes=0-1&depths=9&pixels=1", "lanes=0-2&depths=9&by=function&from=-5&to=9000000", "lanes=0&from=900000000&to=900000001"} {
		want := asked[boxesOf](t, client, address+"/api/run/camera/window?"+ask)
		_, body := read(t, client, address+"/api/run/camera/window?packed=1&"+ask)
		line, columns, _ := bytes.Cut([]byte(body), []byte("\n"))
		var h head
		expect.OK(t, json.Unmarshal(line, &h))
		in := bytes.NewReader(columns)
		signed := func() int64 { return expect.Value(binary.ReadVarint(in))(t) }
		whole := func() int64 { return int64(expect.Value(binary.ReadUvarint(in))(t)) }
		list := func(next func() int64) (all []int64) {
			for range h.Boxes {
				all = append(all, next())
			}
			return all
		}
		sums := func(steps []int64) []int64 {
			for i := 1; i < len(steps); i++ {
				steps[i] += steps[i-1]
			}
			return steps
		}
		same := func(name string, got []int64, of func(i int) int64) {
			for i := range got {
				expect.Equal(t, got[i], of(i), "%s: %s of box %d", ask, name, i)
			}
		}
		expect.Equal(t, h.Boxes, len(want.Lane), "%s: boxes", ask)
		expect.Equal(t, h.Total, want.Total, "%s: executions", ask)
		same("lane", sums(list(signed)), func(i int) int64 { return int64(want.Lane[i]) })
		same("depth", sums(list(signed)), func(i int) int64 { return int64(want.Depth[i]) })
		same("start", sums(list(signed)), func(i int) int64 { return want.StartNs[i] })
		same("length", list(signed), func(i int) int64 { return want.FinishNs[i] - want.StartNs[i] })
		same("count", list(whole), func(i int) int64 { return int64(want.Count[i]) })
		same("idle", list(signed), func(i int) int64 { return want.FinishNs[i] - want.StartNs[i] - want.BusyNs[i] })
		before := int64(0)
		for i, code := range list(whole) {
			if code == 0 {
				expect.Equal(t, want.Longest[i] == nil, true, "%s: the longest of box %d is not known", ask, i)
				continue
			}
			before += int64(uint64(code-1)>>1) ^ -((code - 1) & 1)
			expect.Equal(t, before, *want.Longest[i], "%s: the longest of box %d", ask, i)
		}
		same("function", list(whole), func(i int) int64 { return int64(want.Function[i]) + 1 })
		if slices.Contains(h.Columns, "value") {
			same("value", list(whole), func(i int) int64 { return int64(want.Value[i]) + 1 })
		}
		expect.Equal(t, in.Len(), 0, "%s: nothing follows", ask)
	}
}

// TestFreeSQL asks questions in SQL: none without --sql; with it those that only select rows, from the lake alone.
func TestFreeSQL(t *testing.T) {
	l := newLake(t)
	address, _, client := start(t, l)
	code, body := read(t, client, address+"/api/sql?q=SELECT+1")
	expect.Equal(t, code, 404, "without --sql: %s", body)
	address, _, client = startWith(t, l, func(c *command) { c.sql = true })
	code, body = read(t, client, address+"/api/sql?q=SELECT+count(*)+AS+n+FROM+executions")
	expect.Equal(t, code, 200, "a question: %s", body)
	expect.Equal(t, bytes.Contains([]byte(body), []byte(`"n":3`)), true, "its answer: %s", body)
	secret := filepath.Join(t.TempDir(), "secret.csv")
	expect.OK(t, os.WriteFile(secret, []byte("a\n1\n"), 0o600))
	for _, q := range []string{
		"", "DROP VIEW executions", "COPY (SELECT 1) TO 'x.csv'", "SELECT 1; CREATE TABLE x (a INT)", "SET memory_limit='90GB'", "INSTALL httpfs", "SELEKT 1",
		"FROM read_csv('" + secret + "')", "ATTACH '" + secret + "'", "SELECT * FROM glob('/etc/*')", "CALL pragma_version()",
	} {
		r := expect.Value(http.NewRequest(http.MethodGet, address+"/api/sql", nil))(t)
		r.URL.RawQuery = "q=" + url.QueryEscape(q)
		got := expect.Value(client.Do(r))(t)
		got.Body.Close()
		if got.StatusCode != 400 {
			t.Errorf("%s: %d", q, got.StatusCode)
		}
	}
}

// TestBusiestSignals asks for the use of 30 lifelines, of which the last are the busiest: a picture has these, and not the first.
func TestBusiestSignals(t *testing.T) {
	var trace strings.Builder
	for i := range 30 {
		fmt.Fprintf(&trace, "%d.000000000 p%02d > work\n%d.%09d p%02d < work\n", i, i, i, (i+1)*10_000_000, i)
	}
	path := filepath.Join(t.TempDir(), "r.tmsctrace")
	expect.OK(t, os.WriteFile(path, []byte(trace.String()), 0o600))
	l := expect.Value(lake.Open(filepath.Join(t.TempDir(), "lake"), true))(t)
	detect := func(string, []byte) (schema.Format, error) { return text.Thesis(), nil }
	_, _, err := ingest.Run(t.Context(), ingest.Job{Lake: l, Run: "r", Paths: []string{path}, Detect: detect, Incomplete: "complete", Untraced: "ignore", Jobs: 1})
	expect.OK(t, err)
	analyze(t, l, "r")
	address, _, client := start(t, l)
	for _, resource := range []string{"signals?of=usage&pixels=1", "histograms?of=usage"} {
		code, body := read(t, client, address+"/api/run/r/"+resource)
		expect.Equal(t, code, 200, "%s: %s", resource, body)
		var got struct {
			Signals []struct{ Name string }
			Total   int
		}
		expect.OK(t, json.Unmarshal([]byte(body), &got))
		expect.Equal(t, got.Total, 30, "signals of %s", resource)
		expect.Equal(t, len(got.Signals), 24, "signals that %s has", resource)
		for i, s := range got.Signals {
			expect.Equal(t, s.Name, fmt.Sprintf("p%02d", 29-i), "place %d of %s", i, resource)
		}
	}
}
