package rawlog

import (
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

func FuzzLog(f *testing.F) {
	f.Add([]byte("10 7 E 0x10 0x1\n# module 0x1 0x2 0x0 p\n# lost 7 3\n9 8 X 0x10 0x1\n0 0 E 0x0 0x0\n"))
	f.Add(toBinary("10 7 E 0x10 0x1\n9 8 X 0x10 0x1\n0 0 E 0x0 0x0\n"))
	f.Fuzz(func(t *testing.T, log []byte) {
		Detect(log)
		reading := readingOf(log)
		reading.Options.Symbols = table
		events := expect.Value(collect(reading))(t)
		latest := make(map[string]int64)
		for i, e := range events {
			latest[e.Key.Lifeline] = max(latest[e.Key.Lifeline], e.Ns)
			if i > 0 && latest[e.Key.Lifeline] < latest[events[i-1].Key.Lifeline] {
				t.Fatalf("event %d is out of order", i)
			}
		}
	})
}
