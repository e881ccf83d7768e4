package kieker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// writer13 writes what a TCP writer of Kieker does: it numbers texts from 0 in the order of their first use, and sends those that are new
// before the record. A dual one has a socket for each.
type writer13 struct {
	numbers        map[string]int32
	entries, sends []byte // of a dual one: of the registry; all else
	dual           bool
}

func (w *writer13) text(s string) int32 {
	number, known := w.numbers[s]
	if !known {
		number = int32(len(w.numbers))
		w.numbers[s] = number
		if entry := AppendEntry(nil, number, s); w.dual {
			w.entries = append(w.entries, entry[4:]...)
		} else {
			w.sends = append(w.sends, entry...)
		}
	}
	return number
}

func (w *writer13) record(class string, fields ...any) {
	var out []byte
	for _, f := range append([]any{class, int64(1)}, fields...) {
		if s, is := f.(string); is {
			f = w.text(s)
		}
		out, _ = binary.Append(out, binary.BigEndian, f)
	}
	w.sends = append(w.sends, out...)
}

// sentBy writes a program as a TCP writer does, with events or with whole calls.
func sentBy(w *writer13, steps []step, whole bool) {
	w.numbers = make(map[string]int32)
	w.record("kieker.common.record.misc.KiekerMetadataRecord", "1.13", "KIEKER", "SRV0", int32(1), false, int64(0), "NANOSECONDS", int64(1))
	for _, s := range steps {
		class, text := signatureText(s.signature)
		switch {
		case whole && !s.starts:
			w.record("kieker.common.record.controlflow.OperationExecutionRecord", text, "none", s.trace, s.from, s.ns, "SRV0", int32(s.eoi), int32(s.depth))
		case !whole && s.starts:
			w.record("kieker.common.record.flow.trace.operation.BeforeOperationEvent", s.ns, s.trace, int32(s.order), text, class)
		case !whole:
			w.record("kieker.common.record.flow.trace.operation.AfterOperationEvent", s.ns, s.trace, int32(s.order), text, class)
		}
	}
}

// readStream reads what was sent.
func readStream(sent []byte) result {
	r := reading(fstest.MapFS{"trace": {Data: sent}}, "trace", "")
	return readBy(StreamFormat().NewReader(r), r)
}

// TestRelay has programs send at the same time, each with numbers of its own, in pieces cut anywhere, by one socket or by two. What the relay makes
// of it reads as the log of all.
func TestRelay(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 8))
		steps := program(rng, 200)
		of := make(map[int64]int)
		parts := make([][]step, 1+rng.IntN(3))
		for _, s := range steps {
			i, known := of[s.trace]
			if !known {
				i = rng.IntN(len(parts))
				of[s.trace] = i
			}
			parts[i] = append(parts[i], s)
		}
		relay := NewRelay()
		var out []byte
		senders := make([]*Sender, len(parts))
		writers := make([]*writer13, len(parts))
		for i := range parts {
			senders[i], writers[i] = relay.Sender(), &writer13{dual: rng.IntN(2) == 0}
			sentBy(writers[i], parts[i], seed%2 == 0)
		}
		for left := len(parts); left > 0; {
			i := rng.IntN(len(parts))
			w := writers[i]
			if len(w.entries)+len(w.sends) == 0 {
				continue
			}
			take := func(p []byte, by func(out, p []byte) ([]byte, int, error)) []byte {
				var used int
				var err error
				out, used, err = by(out, p[:min(len(p), rng.IntN(300))])
				if err != nil && !(w.dual && errors.Is(err, ErrUnknownText)) {
					t.Fatalf("seed %d: %v", seed, err)
				}
				return p[used:]
			}
			w.entries = take(w.entries, senders[i].TakeEntries)
			if w.sends = take(w.sends, senders[i].Take); len(w.entries)+len(w.sends) == 0 {
				left--
			}
		}
		lines := asEvents(steps)
		if seed%2 == 0 {
			lines = asExecutions(steps)
		}
		fsys := fstest.MapFS{"log/x.dat": {Data: []byte(propertyMeta + strings.Join(lines, ""))}, "log/kieker.map": {Data: []byte(benchMap)}}
		want := read(reading(fsys, "log", ""))
		expect.Equal(t, readStream(out).String(), want.String(), "seed %d", seed)
		expect.Equal(t, DetectStream(out), true, "detected")
	}
}

// TestSentGrows cuts a stream anywhere, as it comes while it is sent: each lifeline has the calls that the reader finds in the whole stream.
func TestSentGrows(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 9))
		var w writer13
		sentBy(&w, program(rng, 300), seed%2 == 0)
		p := newGrowing(schema.ReadingOptions{})
		lanes, wanted := make(map[string][]string), make(map[string][]string)
		for at := 0; at < len(w.sends); {
			end := min(at+1+rng.IntN(200), len(w.sends))
			var b schema.Block
			p.Parse(w.sends[at:end], &b)
			for _, e := range readertest.Events(&b, p.Keys(), p.Marks()) {
				lanes[e.Key.Lifeline] = append(lanes[e.Key.Lifeline], fmt.Sprint(e.Ns, e.Key.Component, e.Key.Function, e.Key.Kind))
			}
			expect.Equal(t, b.Bad.Count, int64(0), "bad")
			at = end
		}
		for _, r := range readStream(w.sends).rows {
			wanted[r.key.Lifeline] = append(wanted[r.key.Lifeline], fmt.Sprint(r.ns, r.key.Component, r.key.Function, r.key.Kind))
		}
		if seed%2 == 0 { // a trace of whole calls shows at its end, when others may have the lower number
			expect.Deep(t, byTime(lanes), byTime(wanted), "seed %d", seed)
			continue
		}
		expect.Deep(t, lanes, wanted, "seed %d", seed)
	}
}

// byTime lists the events of all lifelines.
func byTime(lanes map[string][]string) []string {
	return slices.Sorted(func(yield func(string) bool) {
		for lane := range maps.Values(lanes) {
			for _, e := range lane {
				yield(e)
			}
		}
	})
}

// TestSentDefects reads streams that cannot be read to their ends: what stands before is there, and what is lost is counted.
func TestSentDefects(t *testing.T) {
	var w writer13
	sentBy(&w, program(rand.New(rand.NewPCG(1, 1)), 20), false)
	whole := readStream(w.sends)
	own := writer13{numbers: maps.Clone(w.numbers)}
	own.record("org.example.OurOwnRecord", int64(5))
	for _, c := range []struct {
		name   string
		stream []byte
		rows   int
		reason schema.Reason
	}{
		{"cut in an entry", append(slices.Clone(w.sends), AppendEntry(nil, 99, "text")[:14]...), len(whole.rows), schema.TornRecord},
		{"cut in a record", w.sends[:len(w.sends)-1], len(whole.rows) - 1, schema.TornRecord},
		{"no length", append(slices.Clone(w.sends), bytes.Repeat([]byte{255}, 12)...), len(whole.rows), schema.BadRecord},
		{"a class of a program", slices.Concat(w.sends, own.sends, w.sends), len(whole.rows), schema.BadRecord},
	} {
		out := readStream(c.stream)
		expect.Equal(t, fmt.Sprint(len(out.rows), out.ledger.Count(c.reason), out.err), fmt.Sprint(c.rows, 1, error(nil)), "%s", c.name)
	}
	if _, _, err := NewRelay().Sender().Take(nil, slices.Concat(w.sends, own.sends)); err != errLength {
		t.Errorf("a class of a program: %v", err)
	}
	for _, head := range []string{"", "\xff\xff\xff\xff", "\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x02a\n", "\xff\xff\xff\xff\x00\x00\x00\x01\x00\x00\x00\x02ab", "$0=kieker.common.record"} {
		expect.Equal(t, DetectStream([]byte(head)), false, "%q is detected", head)
	}
}

// TestSentLengths has texts whose length in bytes, in letters and in units of UTF-16 differ.
func TestSentLengths(t *testing.T) {
	const text = "void ä.Größe.€()"
	w := writer13{numbers: make(map[string]int32)}
	for i, signature := range []string{text, "void a.B.c𝄞()", "", "void a.B.d()"} {
		w.record("kieker.common.record.flow.trace.operation.BeforeOperationEvent", int64(i), int64(1), int32(i), signature, "a.B")
	}
	out, used, err := NewRelay().Sender().Take(nil, w.sends)
	expect.Equal(t, fmt.Sprint(used, err), fmt.Sprint(len(w.sends), error(nil)), "taken")
	var got []string
	for _, r := range readStream(out).rows {
		got = append(got, r.key.Function)
	}
	expect.Deep(t, got, []string{text, "void a.B.c𝄞()", "?", "void a.B.d()"}, "functions")
}

// TestRegistryRecords reads what TCPWriter sends to its second port, in the releases from 1.8 to 1.12 (RegistryRecord.writeBytes): the number,
// String.length(), and the bytes of UTF-8, which are more than the length says. AMQP writers send the number of bytes, and are none of these.
func TestRegistryRecords(t *testing.T) {
	sent := []byte{
		0, 0, 0, 5, 0, 0, 0, 5, 'a', 0xc3, 0xa9, 0xf0, 0x9d, 0x84, 0x9e, 0xc3, 0xa9, // aé𝄞é, in five units of UTF-16
		0, 0, 0, 2, 0, 0, 0, 1, 'b',
		0, 0, 0, 3, 0, 0, 0, 0,
	}
	want := slices.Concat(
		[]byte{255, 255, 255, 255, 0, 0, 0, 0, 0, 0, 0, 5, 'a', 0xc3, 0xa9, 0xf0, 0x9d, 0x84, 0x9e, 0xc3, 0xa9},
		[]byte{255, 255, 255, 255, 0, 0, 0, 1, 0, 0, 0, 1, 'b'},
		[]byte{255, 255, 255, 255, 0, 0, 0, 2, 0, 0, 0, 0})
	for cut := range len(sent) + 1 {
		s := NewRelay().Sender()
		out, used, err := s.TakeEntries(nil, sent[:cut])
		expect.OK(t, err)
		out, more, err := s.TakeEntries(out, sent[used:])
		expect.OK(t, err)
		expect.Equal(t, used+more, len(sent), "taken, cut at %d", cut)
		expect.Slice(t, out, want, "the stream, cut at %d", cut)
	}
}

// FuzzSent sends anything to a relay and reads what becomes of it: nothing panics, and what the relay passes on is whole.
func FuzzSent(f *testing.F) {
	var w writer13
	sentBy(&w, program(rand.New(rand.NewPCG(1, 1)), 9), false)
	f.Add(w.sends)
	f.Add(AppendEntry(nil, 0, "\xc0a\xf0bcd is no UTF-8"))
	f.Fuzz(func(t *testing.T, sent []byte) {
		out, used, _ := NewRelay().Sender().Take(nil, sent)
		if used > len(sent) {
			t.Errorf("%d bytes of %d", used, len(sent))
		}
		got := readStream(out)
		if n := got.ledger.Count(schema.TornRecord); n > 0 || got.err != nil {
			t.Errorf("%d torn, %v", n, got.err)
		}
		newGrowing(schema.ReadingOptions{}).Parse(sent, new(schema.Block))
	})
}
