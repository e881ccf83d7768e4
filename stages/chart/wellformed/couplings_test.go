package wellformed

import (
	"cmp"
	"fmt"
	"math/rand"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// seatOfRun is what a rank does in a collective operation of a generated run.
type seatOfRun struct {
	communicator, number, rank, size int
	role                             schema.Direction
	process                          int
	enterNs, exitNs                  int64
	enterSeq, exitSeq                int64
}

// meetings generates operations of some communicators of n processes: roles as MPI gives them, starts at any time, ends behind
// all starts. Operations of one communicator come one after the other, those of a process too.
func meetings(rng *rand.Rand, n, operations int) (parts []*seatOfRun) {
	free := make([]int64, n) // when a process is through with the operation before
	groups := [][]int{rng.Perm(n), rng.Perm(n)[:1+rng.Intn(n)], rng.Perm(n)[:1+rng.Intn(n)]}
	numbers := make([]int, len(groups))
	for range operations {
		g := rng.Intn(len(groups))
		root, kind := rng.Intn(len(groups[g])), rng.Intn(4)
		var own []*seatOfRun
		most := int64(0)
		for rank, process := range groups[g] {
			p := &seatOfRun{communicator: g, number: numbers[g], rank: rank, size: len(groups[g]), process: process, enterNs: free[process] + 1 + rng.Int63n(20)}
			p.role = [...][2]schema.Direction{{schema.Meets, schema.Meets}, {schema.Takes, schema.Gives}, {schema.Gives, schema.Meets}, {schema.Scans, schema.Scans}}[kind][map[bool]int{rank == root: 1}[true]]
			most = max(most, p.enterNs)
			own = append(own, p)
		}
		numbers[g]++
		for _, p := range own {
			p.exitNs = most + 1 + rng.Int63n(10)
			free[p.process] = p.exitNs
		}
		parts = append(parts, own...)
	}
	return parts
}

// weaveMeetings weaves the calls of the operations. The parts get the numbers of their events.
func weaveMeetings(t testing.TB, parts []*seatOfRun, messagesAtOnce int) *woven {
	type row struct {
		ns   int64
		of   *seatOfRun
		exit bool
	}
	var rows []row
	for _, p := range parts {
		rows = append(rows, row{p.enterNs, p, false}, row{p.exitNs, p, true})
	}
	slices.SortStableFunc(rows, func(a, b row) int { return cmp.Compare(a.ns, b.ns) })
	var keys schema.Numbering[schema.EventKey]
	marks := schema.Numbering[schema.MessageMark]{}
	marks.Number(schema.MessageMark{})
	b := new(schema.Block)
	put := func(ns int64, key schema.EventKey, mark uint32, id int64) {
		b.TimeNs, b.Key, b.Mark = append(b.TimeNs, ns), append(b.Key, uint32(keys.Number(key))), append(b.Mark, mark)
		b.MessageID, b.Line = append(b.MessageID, id), append(b.Line, 0)
	}
	seq := int64(0)
	for _, r := range rows {
		name := fmt.Sprint("rank", r.of.process)
		key := schema.EventKey{Component: name, Lifeline: name, Function: "meet", Kind: schema.Enter}
		if !r.exit {
			r.of.enterSeq = seq
			put(r.ns, key, schema.NoMark, schema.NoValue)
			seq++
			continue
		}
		r.of.exitSeq = seq
		key.Kind = schema.Exit
		put(r.ns, key, schema.NoMark, schema.NoValue)
		seq++
		key.Kind = schema.Message
		series := fmt.Sprint("communicator ", r.of.communicator)
		mark := schema.MessageMark{Direction: r.of.role, Series: series, Label: "meeting of " + series, Coupling: schema.ByCollective}
		put(r.ns, key, uint32(marks.Number(mark)), schema.Seat(uint32(r.of.rank), uint32(r.of.size)))
	}
	return weaveBlock(b, &keys, &marks, messagesAtOnce)
}

// weaveBlock weaves the rows of a trace of one block.
func weaveBlock(b *schema.Block, keys *schema.Numbering[schema.EventKey], marks *schema.Numbering[schema.MessageMark], messagesAtOnce int) *woven {
	led := new(schema.Ledger)
	s := &basket{events: make([][]eventRow, 3), messages: make([][]messageRow, 3), arrivals: make([][]int64, 3)}
	w := New(Options{}, 2, Groups{Rows: 64, Messages: messagesAtOnce}, func(c, lifeline string) (int, bool) { return placeOf(c, lifeline, 2) }, s, led)
	s.weaver = w
	var source Source
	source.Update(schema.EventKeys(keys.List), marks.List)
	w.Add(b, &source, "trace", 0)
	return &woven{outcome: w.Finish(), losses: led.Losses(""), couplings: s.couplings}
}

// obvious are the couplings by looking at all pairs of processes: the end of an operation waits for the last of the starts that
// it waits for.
func obvious(parts []*seatOfRun) (rows []couplingRow) {
	for _, p := range parts {
		var last *seatOfRun
		for _, q := range parts {
			lets := q.role == schema.Meets || q.role == schema.Gives || q.role == schema.Scans && q.rank <= p.rank
			if p.role == schema.Gives || !lets || q.communicator != p.communicator || q.number != p.number {
				continue
			}
			if last == nil || q.enterNs > last.enterNs || q.enterNs == last.enterNs && q.enterSeq > last.enterSeq {
				last = q
			}
		}
		if last != nil && last != p {
			rows = append(rows, couplingRow{schema.ByCollective, fmt.Sprint("meeting of communicator ", p.communicator), last.enterSeq, p.exitSeq})
		}
	}
	return rows
}

func TestCollectivesWaitForTheLast(t *testing.T) {
	for seed := range int64(200) {
		rng := rand.New(rand.NewSource(seed))
		parts := meetings(rng, 1+rng.Intn(6), 1+rng.Intn(30))
		got := weaveMeetings(t, parts, 1+rng.Intn(9))
		byTarget := func(a, b couplingRow) int { return cmp.Compare(a.target, b.target) }
		want := obvious(parts)
		slices.SortFunc(got.couplings, byTarget)
		slices.SortFunc(want, byTarget)
		if !slices.Equal(got.couplings, want) || len(got.losses) > 0 {
			t.Fatalf("seed %d:\n got %v\nwant %v\nlosses %v", seed, got.couplings, want, got.losses)
		}
	}
}

// barriers are operations of all ranks, in which the last rank comes last.
func barriers(ranks, operations int) (parts []*seatOfRun) {
	for number := range operations {
		for rank := range ranks {
			start := int64(number * 1000)
			parts = append(parts, &seatOfRun{number: number, rank: rank, size: ranks, role: schema.Meets, process: rank, enterNs: start + int64(rank), exitNs: start + 500 + int64(rank)})
		}
	}
	return parts
}

// What is coupled grows with the processes, not with their pairs.
func TestCollectivesAreLinear(t *testing.T) {
	const ranks, operations = 64, 100
	got := weaveMeetings(t, barriers(ranks, operations), 1<<10)
	expect.Equal(t, len(got.couplings), operations*(ranks-1), "couplings")
}

// BenchmarkCollectives weaves as many parts of processes in barriers, of few and of many processes each: the time of one does not
// depend on how many there are.
func BenchmarkCollectives(b *testing.B) {
	const all = 1 << 16
	for _, ranks := range []int{4, 64, 1024} {
		parts := barriers(ranks, all/ranks)
		b.Run(fmt.Sprintf("%d ranks", ranks), func(b *testing.B) {
			for range b.N {
				weaveMeetings(b, parts, 1<<14)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/all, "ns/part")
		})
	}
}

// Where clocks are apart, a start may come behind an end that should have waited for it; and some processes may have no record.
func TestLooseCollectives(t *testing.T) {
	early := &seatOfRun{rank: 0, size: 2, role: schema.Meets, process: 0, enterNs: 0, exitNs: 5}
	late := &seatOfRun{rank: 1, size: 2, role: schema.Meets, process: 1, enterNs: 7, exitNs: 9}
	got := weaveMeetings(t, []*seatOfRun{early, late}, 9)
	expect.Equal(t, len(got.couplings), 0, "couplings")
	expect.Equal(t, got.losses[0].Reason, schema.LooseCoupling.Name, "loss")
	late.size, early.size, late.enterNs = 3, 3, 3
	got = weaveMeetings(t, []*seatOfRun{early, late}, 9)
	expect.Slice(t, got.couplings, []couplingRow{{schema.ByCollective, "meeting of communicator 0", late.enterSeq, early.exitSeq}}, "couplings of those that are there")
	// A root of which the trace has nothing.
	early.role, late.role = schema.Takes, schema.Takes
	got = weaveMeetings(t, []*seatOfRun{early, late}, 9)
	expect.Equal(t, len(got.couplings), 0, "couplings without a root")
	expect.Equal(t, got.losses[0].Count, 2, "ends that wait for a root that is not there")
}

// TestNoCouplingOfOneLifeline holds what constraints rely on: no event waits for itself, nor for another one of its lifeline, which orders
// its events by itself. That is no loss. An event of another lifeline that waits for the same does.
func TestNoCouplingOfOneLifeline(t *testing.T) {
	link := func(d schema.Direction) schema.MessageMark {
		return schema.MessageMark{Direction: d, Series: "link", Label: "link", Coupling: schema.ByLink}
	}
	for _, waits := range []struct {
		lifeline string
		later    bool // not the event that is waited for, but the next one
		want     int
	}{{"A", false, 0}, {"A", true, 0}, {"B", true, 1}} {
		var keys schema.Numbering[schema.EventKey]
		var marks schema.Numbering[schema.MessageMark]
		marks.Number(schema.MessageMark{})
		b := new(schema.Block)
		put := func(lifeline string, kind schema.Kind, mark uint32, id int64) {
			key := schema.EventKey{Component: lifeline, Lifeline: lifeline, Function: "f", Kind: kind}
			b.TimeNs, b.Key, b.Mark = append(b.TimeNs, int64(len(b.TimeNs))), append(b.Key, uint32(keys.Number(key))), append(b.Mark, mark)
			b.MessageID, b.Line = append(b.MessageID, id), append(b.Line, 0)
		}
		put("A", schema.Enter, schema.NoMark, schema.NoValue)
		put("A", schema.Message, uint32(marks.Number(link(schema.Opens))), 7)
		if waits.later {
			put(waits.lifeline, map[string]schema.Kind{"A": schema.Exit, "B": schema.Enter}[waits.lifeline], schema.NoMark, schema.NoValue)
		}
		put(waits.lifeline, schema.Message, uint32(marks.Number(link(schema.Waits))), 7)
		got := weaveBlock(b, &keys, &marks, 9)
		expect.Equal(t, len(got.couplings), waits.want, "couplings of %+v", waits)
		for _, l := range got.losses {
			if l.Reason == schema.LooseCoupling.Name {
				t.Errorf("%+v: %d losses: %s", waits, l.Count, l.Reason)
			}
		}
	}
}
