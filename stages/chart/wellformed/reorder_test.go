package wellformed

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// reused gives messages identifiers from a small set, each used again once the one before was received.
func reused(records []record, ids int64) []record {
	records = slices.Clone(records)
	given, busy := make(map[int64]int64), make(map[int64]bool)
	for i := range records {
		switch r := &records[i]; r.mark.Direction {
		case schema.Send:
			id := int64(0)
			for busy[id%ids] && id < ids {
				id++
			}
			if id == ids {
				return nil // too many are under way
			}
			given[r.id], busy[id] = id, true
			r.id = id
		case schema.Receive:
			id := given[r.id]
			delete(busy, id)
			r.id = id
		}
	}
	return records
}

// TestReorder sets the clocks of components apart by at most the window. Every message is paired as in the trace of clocks that agree, in
// any layout, and is sent before it is received; those whose receive stood before the send are counted.
func TestReorder(t *testing.T) {
	rng, turned := rand.New(rand.NewSource(31)), int64(0)
	for range 150 {
		records := sound(rng, 60)
		shown := make(map[string]int64)
		for i := range 5 {
			shown[fmt.Sprint("C", i)] = rng.Int63n(40)
		}
		want := identities(weave(t, records, plain(Options{})), nil)
		skewed := skew(records, shown)
		l := layout{opt: Options{ReorderNs: 40}, buckets: 1 + rng.Intn(3), group: 1 + rng.Intn(8), messages: 1 + rng.Intn(3), block: 1 + rng.Intn(10), parsers: 1 + rng.Intn(3)}
		got := weave(t, skewed, l)
		if have := identities(got, shown); !slices.Equal(have, want) {
			t.Fatalf("with clocks %v\n%q\nand not\n%q of\n%s", shown, have, want, sketch(skewed))
		}
		for _, m := range got.exchanges() {
			if m.receiveSeq <= m.sendSeq {
				t.Fatalf("%v is received before it is sent, of\n%s", m, sketch(skewed))
			}
		}
		for _, x := range got.losses {
			switch x.Reason {
			case schema.Reordered.Name:
				turned += x.Count
			case schema.NegativeLatency.Name:
			default:
				t.Fatalf("%v of\n%s", x, sketch(skewed))
			}
		}
		sameLifelines(t, skewed, got)
	}
	if turned < 400 {
		t.Errorf("only %d receives were put behind their sends", turned)
	}
}

// sameLifelines checks that every lifeline has the records of the trace in their order and at their times.
func sameLifelines(t *testing.T, records []record, got *woven) {
	t.Helper()
	want, have := make(map[string][]string), make(map[string][]string)
	for _, r := range records {
		want[r.key.Lifeline] = append(want[r.key.Lifeline], fmt.Sprint(r.timeNs, r.key.Function, schema.KindWords[r.key.Kind], messageText(r.mark.Direction, r.mark.Series, r.mark.Label, r.id)))
	}
	for _, e := range got.all() {
		have[e.lifeline] = append(have[e.lifeline], fmt.Sprint(e.timeNs, e.function, e.kind, e.message))
	}
	for lifeline := range want {
		if !slices.Equal(want[lifeline], have[lifeline]) {
			t.Fatalf("%s has\n%q\nand not\n%q", lifeline, have[lifeline], want[lifeline])
		}
	}
}

// TestReorderChangesNothing weaves traces in which no receive stands before its send, with and without a window: of identifiers that are
// used again, and of those that are not.
func TestReorderChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewSource(32))
	for i := range 200 {
		records := sound(rng, 80)
		if i%2 == 0 {
			if records = reused(records, 4); records == nil {
				continue
			}
		}
		want, got := weave(t, records, plain(Options{})), weave(t, records, plain(Options{ReorderNs: 1 + rng.Int63n(100)}))
		differ(t, records, got.all(), want.all())
		differ(t, records, got.exchanges(), want.exchanges())
		differ(t, records, got.inferred(), want.inferred())
		if len(got.losses) > 0 {
			t.Fatalf("%v of\n%s", got.losses, sketch(records))
		}
	}
}

// TestReorderAccounts weaves broken traces: with a window of any size and in any layout every record stays, every lifeline keeps its order, and each end
// of a message is paired or counted.
func TestReorderAccounts(t *testing.T) {
	rng := rand.New(rand.NewSource(33))
	for range 1500 {
		records, window := broken(rng, rng.Intn(40)), 1+rng.Int63n(60)
		want := weave(t, records, plain(Options{ReorderNs: window}))
		l := layout{opt: Options{ReorderNs: window}, buckets: 1 + rng.Intn(3), group: 1 + rng.Intn(8), messages: 1 + rng.Intn(3), block: 1 + rng.Intn(10), parsers: 1 + rng.Intn(3)}
		got := weave(t, records, l)
		differ(t, records, got.all(), want.all())
		differ(t, records, got.exchanges(), want.exchanges())
		ends := int64(0)
		for _, r := range records {
			if r.mark.Direction != schema.NoMessage {
				ends++
			}
		}
		lost := map[string]int64{}
		for _, x := range got.losses {
			lost[x.Reason] = x.Count
		}
		if n := 2*int64(len(got.exchanges())) + lost["unmatched_send"] + lost["unmatched_receive"] + lost["duplicate_send"]; n != ends {
			t.Fatalf("%d ends are accounted for, of %d: %v in\n%s", n, ends, got.losses, sketch(records))
		}
	}
}

// TestReorderWindow sees where the window ends, that a held lifeline keeps what else it does, and where losses are placed.
func TestReorderWindow(t *testing.T) {
	for _, c := range []struct {
		what    string
		records []record
		window  int64
		want    string
	}{
		{"within", script("B > g ?1", "B < g", "A > f !1", "A < f"), 2, "negative_latency 1 trace:1, reordered 1 trace:1"},
		{"too late", script("B > g ?1", "B < g", "A > f !1", "A < f"), 1, "unmatched_receive 1 trace:1, unmatched_send 1 trace: event 2"},
		{"used again", script("B > g ?1", "B < g", "A > f !1", "A < f", "B > g ?1", "B < g", "A > f !1", "A < f"), 2, "negative_latency 2 trace:1, reordered 2 trace:1"},
		{"one waits for the other", script("C > h ?2", "B > g ?1", "B < g !2", "C < h", "A > f !1", "A < f"), 9, "negative_latency 2 trace:2, reordered 2 trace:2"},
		{"at the end", script("A > f", "A < f", "B > g ?1", "B < g"), 9, "unmatched_receive 1 trace:3"},
	} {
		got := weave(t, c.records, plain(Options{ReorderNs: c.window}))
		text := ""
		for i, x := range got.losses {
			if i > 0 {
				text += ", "
			}
			text += fmt.Sprint(x.Reason, " ", x.Count, " ", x.FirstPosition)
		}
		if text != c.want {
			t.Errorf("%s: %s, want %s", c.what, text, c.want)
		}
		sameLifelines(t, c.records, got)
	}
}
