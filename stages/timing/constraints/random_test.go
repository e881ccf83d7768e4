package constraints_test

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/callstack"
	"github.com/tracelake/tracelake/stages/timing/constraints"
	"github.com/tracelake/tracelake/testdata/expect"
)

// tables are the events and messages of a run, with what the trace says of them.
type tables struct {
	events   *schema.Events
	messages *schema.Messages
	notes    []schema.Annotation
}

// random makes a run of n events: two lifelines a component, ties, in one run of three a clock that goes back, stray exits,
// events of several messages, placeholders, and annotations. Some messages never arrive where they say.
func random(rng *rand.Rand, n int) *tables {
	ev := schema.NewEvents()
	r := &tables{events: ev, messages: schema.NewMessages(ev.Names)}
	backwards := rng.Intn(3) == 0
	seq, ns := -rng.Int63n(9), rng.Int63n(100)
	for range n {
		seq += 1 + rng.Int63n(3)
		if ns += rng.Int63n(5) * rng.Int63n(4); backwards {
			ns -= rng.Int63n(9)
		}
		component := []string{"A", "B", "C", "untraced(D)"}[rng.Intn(4)]
		r.event(seq, ns, component, component+"/"+strconv.Itoa(rng.Intn(2)), "fgh"[rng.Intn(3):][:1], schema.Kind(rng.Intn(2)), rng.Intn(9) == 0)
		for range rng.Intn(4) * rng.Intn(2) {
			r.message(rng, rng.Intn(len(ev.Seq)), len(ev.Seq)-1)
		}
	}
	if rng.Intn(2) == 0 {
		r.message(rng, rng.Intn(n), rng.Intn(n)) // which may lead backwards
		r.messages.ReceiveSeq[len(r.messages.ReceiveSeq)-1] += rng.Int63n(4)
	}
	rng.Shuffle(len(r.messages.Label), func(i, j int) { swapRows(r.messages, i, j) })
	return r
}

func swapRows(t schema.Columns, i, j int) {
	for _, c := range t.Columns() {
		switch {
		case c.Ints != nil:
			(*c.Ints)[i], (*c.Ints)[j] = (*c.Ints)[j], (*c.Ints)[i]
		case c.Codes != nil:
			(*c.Codes)[i], (*c.Codes)[j] = (*c.Codes)[j], (*c.Codes)[i]
		case c.Enum != nil:
			(*c.Enum)[i], (*c.Enum)[j] = (*c.Enum)[j], (*c.Enum)[i]
		}
	}
}

func (r *tables) event(seq, ns int64, component, lifeline, function string, kind schema.Kind, synthetic bool) {
	schema.Extend(r.events, 1)
	ev, i := r.events, len(r.events.Seq)-1
	ev.Seq[i], ev.TimeNs[i], ev.Kind[i], ev.Synthetic[i] = seq, ns, kind, synthetic
	ev.Component[i], ev.Lifeline[i] = ev.Names.Components.Code(component), ev.Names.Lifelines.Code(lifeline)
	ev.Function[i] = ev.Names.Functions.Code(function)
}

// message sends one from a row of events to another.
func (r *tables) message(rng *rand.Rand, from, to int) {
	schema.Extend(r.messages, 1)
	m, ev, i := r.messages, r.events, len(r.messages.Label)-1
	m.MessageID[i], m.Series[i] = int64(i), m.Names.Series.Code("m")
	m.Label[i] = schema.NoCode
	if rng.Intn(4) > 0 {
		m.Label[i] = m.Names.Messages.Code("xyz"[rng.Intn(3):][:1])
	}
	m.SendSeq[i], m.ReceiveSeq[i], m.SendNs[i], m.ReceiveNs[i] = ev.Seq[from], ev.Seq[to], ev.TimeNs[from], ev.TimeNs[to]
	m.Sender[i], m.Receiver[i] = ev.Component[from], ev.Component[to]
	if m.Pattern[i] = schema.Pattern(i * 5 % len(schema.PatternWords)); m.Pattern[i] == schema.Inferred { // which bounds treat otherwise
		m.Pattern[i] = schema.Wakeup
	}
	m.SenderLifeline[i], m.ReceiverLifeline[i] = ev.Lifeline[from], ev.Lifeline[to]
	note := func(name, value string) {
		seq, number := ev.Seq[from], int64(i)
		r.notes = append(r.notes, schema.Annotation{Seq: &seq, About: schema.AboutMessage, Series: "m", Number: &number, Name: name, Value: value})
	}
	switch rng.Intn(6) {
	case 0:
		note(schema.NoteType, []string{"request", "reply", "domain-dependency"}[rng.Intn(3)])
	case 1:
		note(schema.NoteType, "message-control")
		note(schema.NoteControls, fmt.Sprint("m", rng.Intn(i+1)))
	case 2:
		note(schema.NoteBound, strconv.FormatInt(rng.Int63n(20), 10))
	}
}

// incoming is a constraint as an oracle knows it.
type incoming struct {
	message          bool
	sourceSeq        int64
	sourceNs, timeNs int64
	label            string
	row              int // of a message
}

func (in *incoming) durationNs() int64 { return in.timeNs - in.sourceNs }

// incomings are the constraints into every row of events by the letter: the event before it on its lifeline, and its
// messages in the order of their sources, label and sender.
func (r *tables) incomings() [][]incoming {
	all, last := make([][]incoming, len(r.events.Seq)), make(map[schema.Code]int)
	m, ev := r.messages, r.events
	for i := range ev.Seq {
		if p, has := last[ev.Lifeline[i]]; has {
			all[i] = append(all[i], incoming{sourceSeq: ev.Seq[p], sourceNs: ev.TimeNs[p], timeNs: ev.TimeNs[i]})
		}
		last[ev.Lifeline[i]] = i
		for k := range m.Label {
			if m.ReceiveSeq[k] == ev.Seq[i] && m.SendSeq[k] < ev.Seq[i] {
				all[i] = append(all[i], incoming{true, m.SendSeq[k], m.SendNs[k], ev.TimeNs[i], m.Names.Messages.Name(m.Label[k]), k})
			}
		}
		slices.SortStableFunc(all[i], func(a, b incoming) int {
			if !a.message || !b.message {
				return 0 // the lifeline is first
			}
			return cmp.Or(cmp.Compare(a.sourceSeq, b.sourceSeq), cmp.Compare(m.Label[a.row], m.Label[b.row]))
		})
	}
	return all
}

// derived are the constraints that the package makes of a run, by row of events.
func (r *tables) derived(opt constraints.Options, notes []schema.Annotation, batch int, led *schema.Ledger) (*schema.Constraints, [][]int) {
	b := constraints.NewBuilder(r.events.Names, opt, notes)
	b.AddComponents(r.events.Component)
	b.AddMessages(r.messages)
	b.Start()
	out := schema.NewConstraints(r.events.Names)
	for at := 0; at < len(r.events.Seq); at += batch {
		b.Add(part(r.events, at, min(at+batch, len(r.events.Seq))), out, led)
	}
	b.Finish(led)
	rows, at := make([][]int, len(r.events.Seq)), 0
	for i := range out.Target {
		for r.events.Seq[at] != out.Target[i] {
			at++
		}
		rows[at] = append(rows[at], i)
	}
	return out, rows
}

// lines are a table of constraints as text.
func lines(c *schema.Constraints, shiftNs int64) []string {
	var out []string
	for i := range c.Target {
		out = append(out, fmt.Sprint(c.Target[i], c.Source[i], c.Kind[i], c.Component[i], c.Function[i], c.Sender[i], c.Label[i],
			c.TargetNs[i]-shiftNs, c.DurationNs[i], c.SlackNs[i], c.Critical[i]))
	}
	return out
}

// Neither the order of the messages nor the batches of events nor where the clock began matter.
func TestSameWhatever(t *testing.T) {
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		r := random(rng, 1+rng.Intn(60))
		for _, b := range []constraints.Bounds{constraints.Paper, constraints.PPS, constraints.Declared} {
			opt := constraints.Options{Bounds: b, EpsilonNs: rng.Int63n(9), DefaultNs: rng.Int63n(20)}
			first, _ := r.derived(opt, r.notes, 1000, new(schema.Ledger))
			want := lines(first, 0)
			rng.Shuffle(len(r.messages.Label), func(i, j int) { swapRows(r.messages, i, j) })
			const shift = 1e15
			for i := range r.events.TimeNs {
				r.events.TimeNs[i] += shift
			}
			for i := range r.messages.SendNs {
				r.messages.SendNs[i], r.messages.ReceiveNs[i] = r.messages.SendNs[i]+shift, r.messages.ReceiveNs[i]+shift
			}
			second, _ := r.derived(opt, r.notes, 1+rng.Intn(7), new(schema.Ledger))
			if !slices.Equal(lines(second, shift), want) && !sameRows(lines(second, shift), want) {
				t.Fatalf("seed %d, %s: got\n%q\nwant\n%q", seed, b, lines(second, shift), want)
			}
			for i := range r.events.TimeNs {
				r.events.TimeNs[i] -= shift
			}
			for i := range r.messages.SendNs {
				r.messages.SendNs[i], r.messages.ReceiveNs[i] = r.messages.SendNs[i]-shift, r.messages.ReceiveNs[i]-shift
			}
		}
	}
}

// sameRows compares rows where messages of one source, label and sender differ in their notes only.
func sameRows(a, b []string) bool {
	a, b = slices.Clone(a), slices.Clone(b)
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// Every message makes a constraint or is counted as lost.
func TestNothingLost(t *testing.T) {
	for seed := range int64(300) {
		rng := rand.New(rand.NewSource(seed))
		r, led := random(rng, 1+rng.Intn(60)), new(schema.Ledger)
		out, _ := r.derived(constraints.Options{Bounds: constraints.Paper}, nil, 1+rng.Intn(9), led)
		made, sent := int64(0), int64(0)
		for i := range out.Target {
			if out.Kind[i] != schema.OnLifeline {
				made++
			}
			if out.Source[i] >= out.Target[i] {
				t.Fatalf("seed %d: %d -> %d", seed, out.Source[i], out.Target[i])
			}
		}
		for i := range r.messages.SendSeq {
			if r.messages.SendSeq[i] != r.messages.ReceiveSeq[i] {
				sent++
			}
		}
		expect.Equal(expect.Must(t), made+led.Count(schema.LooseMessage), sent, "seed %d: messages in constraints or lost", seed)
	}
}

// A constraint of a message has the kind that the message's pattern says.
func TestKindsAreThoseOfPatterns(t *testing.T) {
	for seed := range int64(200) {
		rng := rand.New(rand.NewSource(seed))
		r := random(rng, 1+rng.Intn(60))
		out, _ := r.derived(constraints.Options{Bounds: constraints.Paper}, nil, 1+rng.Intn(9), new(schema.Ledger))
		m := r.messages
		for i := range out.Target {
			if out.Kind[i] == schema.OnLifeline {
				continue
			}
			known := false
			for k := range m.SendSeq {
				word := "message"
				switch pattern := schema.PatternWords[m.Pattern[k]]; {
				case strings.HasSuffix(pattern, "_reply"):
					word = "reply"
				case pattern == "wakeup":
					word = pattern
				}
				known = known || m.SendSeq[k] == out.Source[i] && m.ReceiveSeq[k] == out.Target[i] && word == schema.ConstraintKindWords[out.Kind[i]]
			}
			if !known {
				t.Fatalf("seed %d: no message from %d to %d makes a constraint of kind %s", seed, out.Source[i], out.Target[i], schema.ConstraintKindWords[out.Kind[i]])
			}
		}
	}
}

// A segment of a lifeline belongs to the innermost open call of the word under way, and to none where the lifeline is idle: before
// the first event of a word, also of one that cuts another short, and before an exit of no open call.
//
// A message that an event sends to itself is dropped as it comes, so that where arrivals are taken it makes no difference whether
// a message from the event itself would count as one from a later event.
func TestSegmentsAreOfTheOpenCall(t *testing.T) {
	idle := 0
	for seed := range int64(300) {
		r := random(rand.New(rand.NewSource(seed)), 60)
		out, rows := r.derived(constraints.Options{Bounds: constraints.Paper}, nil, 7, new(schema.Ledger))
		lifelines := make(map[schema.Code]*callstack.Cutter[struct{}])
		for i, of := range rows {
			l := lifelines[r.events.Lifeline[i]]
			if l == nil {
				l = new(callstack.Cutter[struct{}])
				lifelines[r.events.Lifeline[i]] = l
			}
			want, open := l.Innermost()
			if r.events.Kind[i] == schema.Exit {
				l.Exit(r.events.Function[i])
			} else if _, step := l.Enter(r.events.Function[i]); step != callstack.Continues {
				open = false
			}
			if !open {
				want = schema.NoCode
			}
			for _, k := range of {
				if out.Kind[k] == schema.OnLifeline && out.Function[k] != want {
					t.Fatalf("seed %d: the segment before event %d has function %d, want %d", seed, out.Target[k], out.Function[k], want)
				}
				if out.Kind[k] == schema.OnLifeline && !open {
					idle++
				}
			}
		}
	}
	if idle == 0 {
		t.Error("no lifeline was ever idle")
	}
}

// The bounds are those that the trace asks for: of PPS where it has a default, else those that it declares, else those of the paper.
// Of messages the columns are read that these need.
func TestAuto(t *testing.T) {
	identifier, lifelines := []string{"pattern", "id_series", "message_id"}, []string{"receive_ns", "sender_lifeline", "receiver_lifeline"}
	for seed := range int64(60) {
		rng := rand.New(rand.NewSource(seed))
		r := random(rng, 1+rng.Intn(60))
		seq, number := r.events.Seq[rng.Intn(len(r.events.Seq))], int64(0)
		segment := schema.Annotation{Seq: &seq, About: schema.AboutSegment, Name: schema.NoteBound, Value: "3"}
		message := schema.Annotation{Seq: &seq, About: schema.AboutMessage, Series: "m", Number: &number, Name: schema.NoteBound, Value: "4"}
		typed := schema.Annotation{Seq: &seq, About: schema.AboutMessage, Series: "m", Number: &number, Name: schema.NoteType, Value: "reply"}
		byDefault := schema.Annotation{About: schema.AboutTrace, Name: schema.NoteDefault, Value: "7"}
		for _, c := range []struct {
			notes   []schema.Annotation
			want    constraints.Options
			columns []string
		}{
			{nil, constraints.Options{Bounds: constraints.Paper}, identifier[:1]},
			{[]schema.Annotation{typed}, constraints.Options{Bounds: constraints.Paper}, identifier},
			{[]schema.Annotation{segment}, constraints.Options{Bounds: constraints.Declared}, identifier[:1]},
			{[]schema.Annotation{message}, constraints.Options{Bounds: constraints.Declared}, identifier},
			{[]schema.Annotation{byDefault}, constraints.Options{Bounds: constraints.PPS, DefaultNs: 7}, slices.Concat(identifier[:1], lifelines)},
			{[]schema.Annotation{segment, byDefault, message}, constraints.Options{Bounds: constraints.PPS, DefaultNs: 7}, slices.Concat(identifier, lifelines)},
		} {
			got, _ := r.derived(constraints.Options{Bounds: constraints.Auto, DefaultNs: 99}, c.notes, 9, new(schema.Ledger))
			want, _ := r.derived(c.want, c.notes, 9, new(schema.Ledger))
			expect.Slice(expect.Must(t), lines(got, 0), lines(want, 0), "seed %d: bounds of %+v", seed, c.notes)
			b := constraints.NewBuilder(r.events.Names, constraints.Options{Bounds: constraints.Auto}, c.notes)
			expect.Slice(expect.Must(t), b.MessageColumns(), c.columns, "columns of %+v", c.notes)
		}
	}
}
