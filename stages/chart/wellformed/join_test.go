package wellformed

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// script makes records of lines such as "A > f !1" (the lifeline A enters f and sends message 1), "B < g ?1" and "A - !2", a
// further message. Events are a nanosecond apart; a further message has the time of the record before it.
func script(lines ...string) []record {
	records := make([]record, len(lines))
	now := int64(0)
	for i, line := range lines {
		words := append(strings.Fields(line), "", "")
		r := record{id: schema.NoValue, line: int64(i) + 1, key: schema.EventKey{Component: words[0], Lifeline: words[0]}}
		switch words[1] {
		case "-":
			r.key.Kind = schema.Message
			words = slices.Insert(words, 2, "")
		case "<":
			r.key.Kind = schema.Exit
			now++
		default:
			now++
		}
		r.timeNs, r.key.Function = now, words[2]
		if m := words[3]; m != "" {
			r.mark = schema.MessageMark{Direction: schema.Send, Series: "m", Label: "m"}
			if m[0] == '?' {
				r.mark.Direction = schema.Receive
			}
			fmt.Sscan(m[1:], &r.id)
		}
		records[i] = r
	}
	return records
}

// TestJoinReaches joins slices that have to do with what was open before all that they watched. Each of them must be woven
// again, or else take what it needs from the slices before it.
func TestJoinReaches(t *testing.T) {
	for _, c := range []struct {
		what         string
		records      []record
		opt          Options
		cuts         []int
		watch, again int
	}{{
		what: "a call that waits is called back",
		records: script("A > f !1", "B > g ?1", "C > x", "C < x",
			"C > x", "A > y", "A < y", "C < x", "B < g !2", "A < f ?2"),
		cuts: []int{4, 8}, watch: 2, again: 2,
	}, {
		what: "a call that does not wait is on a lifeline that begins another",
		records: script("A > f", "C > x", "C < x",
			"C > x", "A > y", "A < y", "C < x"),
		cuts: []int{3}, watch: 2, again: 0,
	}, {
		what: "an exit that was watched and left out is the last event of who calls back",
		records: script("A > f !1", "B > k", "B > g ?1", "B > h",
			"B > z", "B < z", "B < h", "C > x", "C < x", // watched; h is not known
			"C > x", "C < x",
			"A > y", "A < y", "B < g !2", "A < f ?2", "B < k"),
		opt: Options{Discard: true}, cuts: []int{9, 11}, watch: 5, again: 1,
	}, {
		what: "the same of a lifeline of which a call is known that was skipped",
		records: script("B > h",
			"A > f !1", "B > k", "B > g ?1", "B < k", "B < h", "C > x", "C < x", // watched; h is not known
			"A > y", "A < y", "B < g !2", "A < f ?2"),
		opt: Options{Discard: true}, cuts: []int{8}, watch: 7, again: 1,
	}, {
		what: "what is watched begins with a further message of who calls back",
		records: script("A > f !1", "B > g ?1",
			"B - ?9", "C > x", "C < x", // watched
			"C > x", "C < x",
			"A > y", "A < y", "B < g !2", "A < f ?2"),
		cuts: []int{5, 7}, watch: 3, again: 1,
	}} {
		t.Run(c.what, func(t *testing.T) {
			if again := likeOnePass(t, c.records, c.opt, 1, c.cuts, c.watch); again != c.again {
				t.Errorf("%d slices are woven again, want %d", again, c.again)
			}
		})
	}
}

// exchangeOf is the exchange of a message in a state.
func exchangeOf(s *State, id int64) *Exchange {
	return &s.Exchanges[slices.IndexFunc(s.Exchanges, func(e Exchange) bool { return e.ID == id })]
}

// stackOf is the open calls of a lifeline in a state.
func stackOf(s *State, lifeline string) *Stack {
	return &s.Stacks[slices.IndexFunc(s.Stacks, func(k Stack) bool { return k.Lifeline == lifeline })]
}

// lastOf is the last event of a lifeline in a state.
func lastOf(s *State, lifeline string) *Moment {
	return &s.Last[slices.IndexFunc(s.Last, func(m Moment) bool { return s.Keys[m.Key].Lifeline == lifeline })]
}

// changes are all that a join must notice of the state where the slice of TestJoinCompares begins.
var changes = map[string]func(*State){
	"whether there was an event":  func(s *State) { s.Begun = false },
	"the time of the last event":  func(s *State) { s.LastNs-- },
	"whether an event was before": func(s *State) { s.FollowsOn = false },
	"the lifeline before":         func(s *State) { s.Lifeline = "B" },
	"the time before":             func(s *State) { s.AtNs-- },
	"the event before":            func(s *State) { s.Owner-- },
	"a lifeline with calls":       func(s *State) { s.Stacks = s.Stacks[1:] },
	"an open call":                func(s *State) { k := stackOf(s, "B"); k.Calls = k.Calls[1:] },
	"whether a call is skipped":   func(s *State) { stackOf(s, "B").Calls[0].Skipped = true },
	"the enter of a call":         func(s *State) { stackOf(s, "B").Calls[0].Seq-- },
	"the key of a call":           func(s *State) { stackOf(s, "B").Calls[0].Key = stackOf(s, "B").Calls[1].Key },
	"whether a call sent":         func(s *State) { stackOf(s, "B").Calls[0].Sent = true },
	"the message of a call":       func(s *State) { stackOf(s, "B").Calls[0].Exchange = none },
	"the callbacks of a call":     func(s *State) { stackOf(s, "B").Calls[1].Callbacks = nil },
	"the start of a callback":     func(s *State) { stackOf(s, "B").Calls[1].Callbacks[0].Start.TimeNs-- },
	"the origin of a callback":    func(s *State) { stackOf(s, "B").Calls[1].Callbacks[0].Origin.Seq-- },
	"the last event of a lifeline": func(s *State) {
		lastOf(s, "C").Seq--
	},
	"the mark of a message":         func(s *State) { exchangeOf(s, 5).Mark = 0 },
	"the identifier of a message":   func(s *State) { exchangeOf(s, 1).ID = 9 },
	"the send of a message":         func(s *State) { exchangeOf(s, 5).Send.Seq-- },
	"the time of a send":            func(s *State) { exchangeOf(s, 5).Send.TimeNs-- },
	"the event of a send":           func(s *State) { exchangeOf(s, 8).Send.Event-- },
	"the key of a send":             func(s *State) { exchangeOf(s, 5).Send.Key = exchangeOf(s, 1).Send.Key },
	"the receive of a message":      func(s *State) { exchangeOf(s, 1).Receive.Seq-- },
	"whether a message is received": func(s *State) { exchangeOf(s, 1).Received = false },
	"whether a message is replaced": func(s *State) { exchangeOf(s, 2).Replaced = true },
	"whether the caller is open":    func(s *State) { exchangeOf(s, 2).CallerOpen = false },
	"whether the callee is open":    func(s *State) { exchangeOf(s, 1).CalleeOpen = false },
	"what finish received":          func(s *State) { exchangeOf(s, 1).Returns = 0 },
	"the request of a reply":        func(s *State) { exchangeOf(s, 7).Request = none },
	"the reply of a request":        func(s *State) { exchangeOf(s, 6).Reply = none },
	"a message under way":           func(s *State) { s.Under = s.Under[1:] },
}

// TestJoinCompares changes the truth about one thing that a slice knew of. Whatever it is, the slice must be woven again,
// also where traces are not known that would make the difference.
func TestJoinCompares(t *testing.T) {
	// B waits with a callback while C works for it, and 5 is under way; 7 is a reply to 6 that is under way.
	records := script("C > a", "A > f !1", "B > g ?1", "B > h !2", "C > k ?2", "B > y", "B < y", "A > s !5", "A < s",
		"A > q !6", "D > w ?6", "D < w !7", "A - !8",
		"E > x", "E < x")
	const cut = 13
	s := &slicer{t: t, buckets: 1, records: records}
	w, _ := s.builder()
	s.add(w, 0, cut)
	truth := w.State()
	w, _ = s.builder()
	w.Watch()
	s.add(w, 0, cut)
	start := w.Cut()
	s.add(w, cut, len(records))
	sliced := w.EndSlice(start)
	joins := func(sliced *Sliced, truth *State) bool {
		end, err := sliced.Join(truth, func(map[MessageID]bool) (bool, error) { return false, nil })
		if err != nil {
			t.Fatal(err)
		}
		return end != nil
	}
	if !joins(sliced, truth) {
		t.Fatal("the slice knew all and is woven again")
	}
	for what, change := range changes {
		other := throughFile(t, truth)
		change(other)
		if joins(sliced, other) {
			t.Errorf("%s differs, and the slice is not woven again", what)
		}
	}
	// An exchange that no call, no other exchange and no message under way leads to would be lost or doubled.
	more := throughFile(t, sliced)
	more.Start.Exchanges = append(more.Start.Exchanges, *exchangeOf(more.Start, 1))
	if joins(more, truth) {
		t.Error("the slice knew of an exchange that the truth does not have, and is not woven again")
	}
}
