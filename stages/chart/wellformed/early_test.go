package wellformed

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// weaveTwice weaves records, and once more where messages are received before they are sent, as an ingest does.
func weaveTwice(t *testing.T, records []record, l layout) (*woven, Early) {
	t.Helper()
	first := weave(t, records, l)
	if len(first.outcome.Early) == 0 {
		return first, nil
	}
	l.early = first.outcome.Early
	return weave(t, records, l), l.early
}

// skew lets the clock of every component show a time of its own, and brings the records into the order of what is shown.
func skew(records []record, shown map[string]int64) []record {
	skewed := slices.Clone(records)
	for i := range skewed {
		skewed[i].timeNs += shown[skewed[i].key.Component]
	}
	slices.SortStableFunc(skewed, func(a, b record) int {
		return cmp.Or(cmp.Compare(a.timeNs, b.timeNs), cmp.Compare(a.key.Component, b.key.Component))
	})
	return skewed
}

// identities are the messages without their places in the order of the trace, at the times of clocks that agree.
func identities(w *woven, shown map[string]int64) (all []string) {
	for _, m := range w.exchanges() {
		from, to := m.sender[:2], m.receiver[:2] // C0 to C9
		trip := m.trip != schema.NoValue
		all = append(all, fmt.Sprint(m.message, m.pattern, m.sender, m.receiver, m.sendNs-shown[from], m.receiveNs-shown[to], trip))
	}
	slices.Sort(all)
	return all
}

// TestSkewKeepsMessages sets the clocks of components apart. The messages, their ends and their patterns stay what they
// are, whichever side is ahead, and each that is received before it is sent is counted.
func TestSkewKeepsMessages(t *testing.T) {
	rng, turned := rand.New(rand.NewSource(21)), 0
	for range 120 {
		records := sound(rng, 60)
		shown := make(map[string]int64)
		for i := range 5 {
			shown[fmt.Sprint("C", i)] = rng.Int63n(2000) - 1000
		}
		want := identities(weave(t, records, plain(Options{})), nil)
		l := layout{buckets: 1 + rng.Intn(3), group: 1 + rng.Intn(8), messages: 1 + rng.Intn(3), block: 1 + rng.Intn(10), parsers: 1 + rng.Intn(3)}
		skewed := skew(records, shown)
		got, early := weaveTwice(t, skewed, l)
		if have := identities(got, shown); !slices.Equal(have, want) {
			t.Fatalf("with clocks %v\n%q\nand not\n%q of\n%s", shown, have, want, sketch(skewed))
		}
		backwards := int64(0)
		for _, m := range got.exchanges() {
			if m.receiveSeq < m.sendSeq {
				backwards++
			}
		}
		for _, x := range got.losses {
			if x.Reason != schema.ReceivedBeforeSent.Name || x.Count != backwards || int(x.Count) != len(early["m"]) {
				t.Fatalf("%v, of %d messages against the order, %d of them found", x, backwards, len(early["m"]))
			}
		}
		turned += len(early["m"])
		checkEnds(t, skewed, got)
	}
	if turned < 400 {
		t.Errorf("only %d messages were received before they were sent", turned)
	}
}

// TestEarlyIsIdentity sees that only an identifier that one send and one receive have makes a message of a receive before its send:
// where identifiers are used again, or a window cut off the other ends, the trace is woven as ever.
func TestEarlyIsIdentity(t *testing.T) {
	for _, c := range []struct {
		what    string
		records []record
		early   int
	}{
		{"one of each", script("B > g ?1", "B < g", "A > f !1", "A < f"), 1},
		{"used again", script("B > g ?1", "B < g", "A > f !1", "A < f", "B > g ?1", "B < g", "A > f !1", "A < f"), 0},
		{"sent twice", script("B > g ?1", "B < g", "A > f !1", "A < f", "A > f !1", "A < f"), 0},
		{"received twice", script("B > g ?1", "B < g", "B > g ?1", "B < g", "A > f !1", "A < f"), 0},
		{"two messages that are cut", script("B > g ?1", "B < g", "A > f !2", "A < f"), 0},
	} {
		if _, early := weaveTwice(t, c.records, plain(Options{})); len(early["m"]) != c.early {
			t.Errorf("%s: %v, want %d", c.what, early, c.early)
		}
	}
}

// TestExpectedAndNeverSent expects messages that the trace does not send, and discards the calls that would have sent or received
// them: they are lost as any other receive is.
func TestExpectedAndNeverSent(t *testing.T) {
	rng := rand.New(rand.NewSource(22))
	all := Early{"m": {0: {}, 1: {}, 2: {}}}
	for i := range 600 {
		l := plain(ways[i%4])
		l.early = all
		records := broken(rng, rng.Intn(40))
		got := weave(t, records, l)
		checkEnds(t, records, got)
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
		if l.opt == (Options{}) {
			if n := 2*int64(len(got.exchanges())) + lost["unmatched_send"] + lost["unmatched_receive"] + lost["duplicate_send"]; n != ends {
				t.Fatalf("%d ends are accounted for, of %d: %v in\n%s", n, ends, got.losses, sketch(records))
			}
		}
	}
}
