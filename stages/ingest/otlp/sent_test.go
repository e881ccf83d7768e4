package otlp

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// unplaced are events without the numbers of lifelines and of messages, which watched spans get in another order; sorted.
func unplaced(events []readertest.Event) (all []string) {
	for _, e := range events {
		if e.Key.Lifeline, _, _ = strings.Cut(e.Key.Lifeline, "/"); e.ID != schema.NoValue {
			e.ID = 0
		}
		all = append(all, e.String())
	}
	slices.Sort(all)
	return all
}

// TestSent sends samples in pieces that are cut anywhere, in all encodings. When a moment has passed, the calls and messages that show are those
// that are read of the whole, and not before. A lifeline has one call within the other, and no two requests at a time.
func TestSent(t *testing.T) {
	began := time.Unix(1, 0)
	for seed := range uint64(30) {
		rng := rand.New(rand.NewPCG(seed, 9))
		s := random(seed, 1+int(seed)%4, 1+int(seed)*2)
		for name, data := range s.encodings() {
			whole := readertest.Read(Format(), &schema.Reading{
				Traces: []schema.Trace{{FS: fstest.MapFS{"x": &fstest.MapFile{Data: []byte(data)}}, Path: "x"}}, Ledger: new(schema.Ledger), Memory: 64 << 20,
				Scratch: func() (schema.Scratch, error) { return nil, errors.New("no scratch file is needed for so little") },
			})
			expect.OK(t, whole.Err)
			p, b := Format().NewGrowing(schema.ReadingOptions{}), new(schema.Block)
			for rest := []byte(data); len(rest) > 0; {
				n := 1 + rng.IntN(min(len(rest), 1+len(data)/3))
				p.Parse(rest[:n], b)
				p.(schema.Waiting).Release(began, b)
				rest = rest[n:]
			}
			expect.Equal(t, len(b.TimeNs), 0, "%d %s: events before a moment has passed", seed, name)
			p.(schema.Waiting).Release(began.Add(time.Minute), b)
			var got []readertest.Event
			open := make(map[string][]string)
			for i, at := range b.TimeNs {
				k := p.Keys().At(b.Key[i])
				got = append(got, readertest.Event{Ns: at, Key: k, Mark: p.Marks()[b.Mark[i]], ID: b.MessageID[i]})
				switch calls := open[k.Lifeline]; {
				case k.Kind == schema.Enter:
					open[k.Lifeline] = append(calls, k.Function)
				case k.Kind == schema.Exit && (len(calls) == 0 || calls[len(calls)-1] != k.Function):
					t.Fatalf("%d %s: %s ends on %s, where %q are open", seed, name, k.Function, k.Lifeline, calls)
				case k.Kind == schema.Exit:
					open[k.Lifeline] = calls[:len(calls)-1]
				}
			}
			expect.Slice(t, unplaced(got), unplaced(whole.Events), "%d %s", seed, name)
			if pending := p.(schema.Divisible).Pending(); pending > 2 {
				t.Errorf("%d %s: %d bytes are left", seed, name, pending)
			}
		}
	}
}

// TestSentLate sends a trace whose root comes long after what it called: this shows by itself, and so does the root.
func TestSentLate(t *testing.T) {
	id := [16]byte{1}
	of := func(x sampleSpan) []byte {
		return []byte(sample{[]sampleGroup{{service: "web", scopes: [][]sampleSpan{{x}}}}}.protobuf())
	}
	p, b := Format().NewGrowing(schema.ReadingOptions{}), new(schema.Block)
	now := time.Unix(1, 0)
	shown := func(after time.Duration) int {
		now = now.Add(after)
		p.(schema.Waiting).Release(now, b)
		return len(b.TimeNs)
	}
	p.Parse(of(sampleSpan{trace: id, id: 2, parent: 1, name: "inner", start: 5, end: 9}), b)
	shown(0)
	expect.Equal(t, shown(time.Second), 0, "events while the root is waited for")
	expect.Equal(t, shown(20*time.Second), 2, "events when it was waited for too long")
	p.Parse(of(sampleSpan{trace: id, id: 1, name: "outer", start: 1, end: 20}), b)
	shown(0)
	expect.Equal(t, shown(time.Second), 4, "events with the root")
	p.Parse([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}, b)
	expect.Equal(t, b.Bad.Count, int64(1), "what has no records")
}
