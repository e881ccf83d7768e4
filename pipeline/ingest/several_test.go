package ingest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// randomReader gives out events at random times, in blocks of random sizes, with notes, and may fail behind them.
type randomReader struct {
	rng    *rand.Rand
	events int
	fault  error
	ledger *schema.Ledger
	keys   []schema.EventKey
	rows   []string // as they should come out, without their times
	timeNs []int64
}

func (r *randomReader) Keys() schema.KeyList { return schema.EventKeys(r.keys) }

func (r *randomReader) Marks() []schema.MessageMark {
	return []schema.MessageMark{{}, {Direction: schema.Send, Series: "m"}, {Direction: schema.Receive, Series: schema.BetweenTraces}}
}

func (r *randomReader) Read(emit func(*schema.Block) (*schema.Block, error)) error {
	b, err := emit(nil)
	now := int64(0)
	for range r.events {
		if err == nil && r.rng.IntN(7) == 0 {
			b, err = emit(b)
		}
		if err != nil {
			return err
		}
		if now += r.rng.Int64N(3); r.rng.IntN(5) == 0 {
			r.keys = append(r.keys, schema.EventKey{Component: "c", Lifeline: "l", Function: fmt.Sprint("f", len(r.keys))})
		}
		key, mark, id := r.rng.IntN(len(r.keys)), r.rng.IntN(3), r.rng.Int64N(9)
		if r.rng.IntN(9) == 0 {
			b.Notes = append(b.Notes, schema.Note{Row: int32(len(b.Key)), Name: fmt.Sprint("note", now)})
		}
		b.TimeNs, b.Key, b.Mark, b.MessageID = append(b.TimeNs, now), append(b.Key, uint32(key)), append(b.Mark, uint32(mark)), append(b.MessageID, id)
		r.timeNs, r.rows = append(r.timeNs, now), append(r.rows, fmt.Sprint(r.keys[key].Function, " ", mark, " ", id))
		r.ledger.Add(schema.BadRecord, func() string { return "here" })
	}
	if r.fault != nil {
		return r.fault
	}
	_, err = emit(b)
	return err
}

// severalOf returns a Reader of some random traces, and their own Readers.
func severalOf(ctx context.Context, seed uint64, parts int, ledger *schema.Ledger) (*several, []*randomReader) {
	var readers []*randomReader
	format := schema.Format{NewReader: func(of *schema.Reading) schema.Reader {
		rng := rand.New(rand.NewPCG(seed, uint64(len(readers))))
		r := &randomReader{rng: rng, events: rng.IntN(60), ledger: of.Ledger, keys: []schema.EventKey{{Component: "c", Lifeline: "l", Function: "f"}}}
		readers = append(readers, r)
		return r
	}}
	names := make([]string, parts)
	for i := range names {
		names[i] = fmt.Sprint("p", i)
	}
	return newSeveral(ctx, &schema.Reading{Traces: make([]schema.Trace, parts), Ledger: ledger}, format, names), readers
}

// Rows of several traces come in the order of time, those of equal times in that of the traces, each with its own names.
func TestSeveral(t *testing.T) {
	for seed := range uint64(50) {
		ledger := new(schema.Ledger)
		s, readers := severalOf(context.Background(), seed, 1+int(seed)%5, ledger)
		var got []string
		notes := 0
		expect.OK(expect.Must(t), s.Read(func(b *schema.Block) (*schema.Block, error) {
			if b == nil {
				return new(schema.Block), nil
			}
			for i := range b.Key {
				k, m := s.Keys().At(b.Key[i]), s.Marks()[b.Mark[i]]
				part, rest, _ := strings.Cut(k.Component, "/")
				expect.Equal(t, part+"/l "+rest, k.Lifeline+" c", "names")
				mark := 0
				if m.Direction != schema.NoMessage {
					mark = map[string]int{part + "/m": 1, schema.BetweenTraces: 2}[m.Series]
				}
				got = append(got, fmt.Sprint(b.TimeNs[i], " ", part, " ", k.Function, " ", mark, " ", b.MessageID[i]))
			}
			for _, n := range b.Notes {
				notes++
				expect.Equal(t, fmt.Sprint("note", b.TimeNs[n.Row]), n.Name, "note")
			}
			b.Reset()
			return b, nil
		}))
		type row struct {
			timeNs int64
			text   string
		}
		var want []row
		for i, r := range readers {
			for at, text := range r.rows {
				want = append(want, row{r.timeNs[at], fmt.Sprint(r.timeNs[at], " p", i, " ", text)})
			}
		}
		slices.SortStableFunc(want, func(a, b row) int { return int(a.timeNs - b.timeNs) })
		for i, w := range want {
			if i >= len(got) || got[i] != w.text {
				t.Fatalf("seed %d: row %d of %d is not %s", seed, i, len(got), w.text)
			}
		}
		if len(got) != len(want) || ledger.Count(schema.BadRecord) != int64(len(want)) {
			t.Fatalf("seed %d: %d rows, want %d; losses %v", seed, len(got), len(want), ledger.Losses(""))
		}
	}
}

// An error of one Reader ends the others and is that of all, and so does an error of who takes the rows, and an interrupt.
func TestSeveralFail(t *testing.T) {
	broken := errors.New("broken")
	ctx, interrupt := context.WithCancel(context.Background())
	for seed := range uint64(40) {
		s, readers := severalOf(ctx, seed, 3, new(schema.Ledger))
		refuses := seed%3 == 1
		if seed%3 == 0 {
			readers[1].fault = broken
		}
		if seed%3 == 2 {
			interrupt()
		}
		for _, r := range readers {
			r.events = 2000
		}
		err := s.Read(func(b *schema.Block) (*schema.Block, error) {
			if b == nil {
				return new(schema.Block), nil
			}
			b.Reset()
			if refuses {
				return b, broken
			}
			return b, nil
		})
		if want := map[bool]error{true: context.Canceled, false: broken}[ctx.Err() != nil]; !errors.Is(err, want) {
			t.Fatalf("seed %d: got %v, want %v", seed, err, want)
		}
		if seed%3 == 2 {
			ctx, interrupt = context.WithCancel(context.Background())
		}
	}
	interrupt()
}

// Traces of one name are told apart by their folders, and the same one by its place.
func TestPartNames(t *testing.T) {
	names := partNames([]string{"0/trace.json", "1/trace.json.gz", "x/b.json", "x/b.json", "c.json"}, schema.Format{Endings: []string{".json"}})
	expect.Equal(t, strings.Join(names, " "), "0-trace 1-trace x-b#3 x-b#4 c", "names")
}
