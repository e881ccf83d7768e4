package lifetimes

import (
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestCoverByTheMoment counts the lifetimes at every moment of short traces, some of whose times are far from 0.
func TestCoverByTheMoment(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for trial := range 200 {
		origin := []int64{0, -20, 1_700_000_000_000_000_000}[trial%3]
		c, open := new(Cover), make([]int64, 40) // by moment
		for range rng.Intn(30) {
			from := rng.Intn(40)
			to := from + rng.Intn(40-from)
			c.Add(origin+int64(from), origin+int64(to))
			for at := from; at < to; at++ {
				open[at]++
			}
		}
		c.Close()
		for range 50 {
			from := rng.Intn(40)
			to := from + rng.Intn(40-from)
			want := int64(0)
			for _, n := range open[from:to] {
				want += n
			}
			expect.Equal(t, c.Within(origin+int64(from), origin+int64(to)), want, "time within lifetimes")
		}
	}
}

// TestInside follows one lifetime from 100 to 200: task from 90 to 150 calls decode from 110 to 130 and waits in read from 130 to 140; a message is under way
// from 140 to 160 towards late, and another one is received before the lifetime begins.
func TestInside(t *testing.T) {
	x := schema.NewExecutions(new(schema.Names))
	add := func(id, from, to, parent int64, function string, role schema.Role, kind string) {
		x.Execution, x.Parent, x.Role = append(x.Execution, id), append(x.Parent, parent), append(x.Role, role)
		x.StartNs, x.FinishNs = append(x.StartNs, from), append(x.FinishNs, to)
		x.Component, x.Function = append(x.Component, x.Names.Components.Code("app")), append(x.Function, x.Names.Functions.Code(function))
		x.Type = append(x.Type, x.Names.Types.Optional(kind))
	}
	add(2, 110, 130, 1, "decode", schema.Internal, "")
	add(3, 130, 140, 1, "read", schema.BlockingCall, "")
	add(1, 90, 150, schema.NoValue, "task", schema.Internal, "")
	add(4, 100, 200, schema.NoValue, "load", schema.Internal, schema.Lifetime)
	m := schema.NewMessages(new(schema.Names))
	app := m.Names.Components.Code("app")
	m.Receiver, m.SendNs, m.ReceiveNs = []schema.Code{app, app}, []int64{140, 50}, []int64{160, 90}
	m.ReceiverFunction = []schema.Code{m.Names.Functions.Code("late"), m.Names.Functions.Code("early")}

	in := NewInside("app")
	in.Add(100, 200)
	in.Close()
	in.AddExecutions(x)
	in.AddMessages(m)
	expect.Deep(t, in.Ns, map[Part]int64{
		{"app", "decode", false}: 20, {"app", "task", false}: 20, {"app", "late", true}: 20,
	}, "inside the lifetime")

	elsewhere := NewInside("other")
	elsewhere.Add(100, 200)
	elsewhere.Close()
	elsewhere.AddExecutions(x)
	elsewhere.AddMessages(m)
	expect.Equal(t, len(elsewhere.Ns), 0, "parts of another component")
}

// TestBehind asks what is behind a lifetime that takes 10 ns longer.
func TestBehind(t *testing.T) {
	decode, task, queue := Part{"app", "decode", false}, Part{"app", "task", false}, Part{"app", "task", true}
	base := map[Part]float64{decode: 20, task: 5, queue: 3}
	for _, c := range []struct {
		cand map[Part]float64
		want Part
		ns   float64
	}{
		{map[Part]float64{decode: 29, task: 5, queue: 3}, decode, 9},
		{map[Part]float64{decode: 24, task: 5, queue: 12}, queue, 9},
		{map[Part]float64{decode: 28, task: 5, queue: 12}, decode, 8}, // who works comes before who waits
		{map[Part]float64{decode: 10, task: 5, queue: 3}, Part{}, 0},  // another direction
		{map[Part]float64{decode: 25, task: 5, queue: 3}, decode, 5},  // half
		{map[Part]float64{decode: 24, task: 5, queue: 3}, Part{}, 0},  // less than half
		{map[Part]float64{decode: 20, task: 5, queue: 3}, Part{}, 0},
	} {
		part, ns, found := Behind(base, c.cand, 10)
		expect.Equal(t, part, c.want, "behind it")
		expect.Equal(t, ns, c.ns, "ns of it")
		expect.Equal(t, found, c.ns != 0, "found")
	}
	vanished, ns, _ := Behind(base, nil, -20)
	expect.Equal(t, vanished, decode, "what is shorter because a function is not called any more")
	expect.Equal(t, ns, -20, "ns of it")
}

// TestMean takes the mean of three runs: each counts once, whatever the number of its lifetimes, a part that a run lacks is 0 there, and a run without lifetimes says nothing.
func TestMean(t *testing.T) {
	decode, queue := Part{"app", "decode", false}, Part{"app", "decode", true}
	var m Mean
	expect.Equal(t, len(m.Parts()), 0, "parts of no run")
	for _, run := range []struct {
		lifetimes  int64
		decodeNs   int64
		queueingNs int64
	}{{1, 10, 6}, {4, 80, 0}, {0, 0, 0}} {
		in := NewInside("app")
		for k := range run.lifetimes {
			in.Add(100*k, 100*k+50)
		}
		in.Close()
		in.Ns[decode] = run.decodeNs
		if run.queueingNs > 0 {
			in.Ns[queue] = run.queueingNs
		}
		m.Add(in)
	}
	expect.Deep(t, m.Parts(), map[Part]float64{decode: 15, queue: 3}, "parts")
}
