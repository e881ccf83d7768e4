package uftrace

import (
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// FuzzRecords reads any bytes as the records of two threads.
func FuzzRecords(f *testing.F) {
	f.Add(words64(f, "10 E 0 main", "20 E+ 1 f 0500000000000000", "30 X 1 f", "35 L 0 7", "40 X 0 main"), words64(f, "20 V+ 0 9 0600010203040506", "35 X 0 g"))
	f.Fuzz(func(t *testing.T, one, two []byte) {
		reading := readingOf(folder(one, two), "d")
		events := expect.Value(collect(reading, Format()))(t)
		last := make(map[string]int64)
		for i, e := range events {
			last[e.Key.Lifeline] = max(last[e.Key.Lifeline], e.Ns)
			// Records that are left out have times too, which an event after them may step back from.
			if i > 0 && len(reading.Ledger.Losses("")) == 0 && last[e.Key.Lifeline] < last[events[i-1].Key.Lifeline] {
				t.Fatalf("event %d is out of order", i)
			}
		}
		// A call has two records and an invented exit at most.
		if len(events) > (len(one)+len(two))/16*2 {
			t.Fatalf("%d events of %d bytes", len(events), len(one)+len(two))
		}
	})
}

// FuzzDefinitions reads any text as the other files.
func FuzzDefinitions(f *testing.F) {
	for _, name := range []string{"info", "task.txt", "sid-a.map", "prog.sym"} {
		f.Add(string(folder(nil)["d/"+name].Data), name[0])
	}
	f.Fuzz(func(t *testing.T, text string, which byte) {
		fsys := folder(words64(t, "10 E 0 main", "20 E 1 f", "30 X 1 f", "40 X 0 main"))
		for _, name := range []string{"info", "task.txt", "sid-a.map", "prog.sym", "perf-cpu0.dat"} {
			if name[0] == which {
				fsys["d/"+name] = &fstest.MapFile{Data: []byte(text)}
			}
		}
		events, err := collect(readingOf(fsys, "d"), Format())
		if err == nil && len(events) != 4 {
			t.Fatalf("%d events", len(events))
		}
	})
}

func FuzzDump(f *testing.F) {
	f.Add([]byte("    0.000000010      7: [entry] main(401000) depth: 0\n    0.000000050      7: [exit ] main(401000) depth: 0\n    0.000000060      7: [lost ] <2>(2) depth: 0\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		reading := readingOf(fstest.MapFS{"x": {Data: text}}, "x")
		reading.Scratch = func() (schema.Scratch, error) { return new(readertest.Memory), nil }
		expect.Value(collect(reading, DumpFormat()))(t)
		Detect(text)
	})
}
