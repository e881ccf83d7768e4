package chrome

import (
	"fmt"
	"os"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// A trace that is one of several of a run has no signals: its counters and totals are counted.
func TestCountersOfParts(t *testing.T) {
	story := expect.Value(txtar.ParseFile("testdata/counters.txtar"))(t)
	reading := readertest.Reading(fstest.MapFS{"t.json": {Data: story.Files[0].Data}}, "t.json")
	reading.IsPart = true
	reader := Format().NewReader(reading)
	expect.OK(t, reader.Read(new(readertest.Result).Collect(reader)))
	kinds := make(map[string]int64)
	for _, l := range reading.Ledger.Losses("") {
		kinds[l.Kind()] = l.Count
	}
	expect.Equal(t, fmt.Sprint(kinds["counter"], kinds["total"]), "7 1", "counters and totals")
	if of := reader.(schema.AttributeReader).Attributed(); of != nil {
		t.Errorf("signals %v", of.Signals)
	}
}

// Signals are written to scratch files where they are many, and each piece ends where the next one begins.
func TestManyCounters(t *testing.T) {
	file := expect.Value(os.CreateTemp(t.TempDir(), "t.json"))(t)
	fmt.Fprint(file, "[")
	const n = 20_000
	for i := range n {
		fmt.Fprintf(file, `{"ph":"C","name":"c%d","ts":%d,"pid":1,"args":{"v":%d}},`+"\n", i%7, n-i, i)
	}
	fmt.Fprint(file, `{"ph":"X","name":"f","ts":0,"dur":30000,"pid":1,"tid":1}]`)
	text := string(expect.Value(os.ReadFile(file.Name()))(t))
	few, many := read(text, options{memory: 1}), read(text, options{})
	expect.OK(t, few.err)
	expect.Equal(t, len(few.signals), n, "pieces")
	expect.Equal(t, fmt.Sprint(few.signals), fmt.Sprint(many.signals), "with little memory")
}
