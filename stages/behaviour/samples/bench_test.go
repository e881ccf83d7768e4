package samples_test

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/chart/callstack"
)

// synthetic makes a trace of n events on 50 interleaved lifelines. Each has a stock of words, random call
// trees of 11 events on average, and repeats them in random order.
func synthetic(n, stock int) *schema.Events {
	names, rng := new(schema.Names), rand.New(rand.NewSource(1))
	for i := range 50 {
		names.Components.Code(fmt.Sprint("component", i))
		names.Lifelines.Code(fmt.Sprint("component", i))
		names.Functions.Code(fmt.Sprint("function", i))
	}
	var words [50][][]callstack.Symbol
	for c := range words {
		for range stock {
			words[c] = append(words[c], callTree(rng))
		}
	}
	ev := &schema.Events{Names: names}
	var rest [50][]callstack.Symbol
	for i := range n {
		c := rng.Intn(50)
		if len(rest[c]) == 0 {
			rest[c] = words[c][rng.Intn(stock)]
		}
		ev.Seq = append(ev.Seq, int64(i))
		ev.TimeNs = append(ev.TimeNs, int64(i)*100+rng.Int63n(100))
		ev.Component = append(ev.Component, schema.Code(c))
		ev.Lifeline = append(ev.Lifeline, schema.Code(c))
		ev.Function = append(ev.Function, rest[c][0].Function())
		ev.Kind = append(ev.Kind, rest[c][0].Kind())
		ev.Direction = append(ev.Direction, schema.NoMessage)
		ev.Peer = append(ev.Peer, schema.NoCode)
		rest[c] = rest[c][1:]
	}
	return ev
}

func callTree(rng *rand.Rand) (word []callstack.Symbol) {
	var open []schema.Code
	for len(word) == 0 || len(open) > 0 {
		kind, d := schema.Enter, len(open)
		if d > 0 && (d == 12 || rng.Intn(100) >= 45) {
			kind, d = schema.Exit, d-1
		} else {
			open = append(open, schema.Code(rng.Intn(4)+3*d))
		}
		word = append(word, callstack.SymbolOf(open[d], kind, schema.NoMessage, schema.NoCode))
		if kind == schema.Exit {
			open = open[:d]
		}
	}
	return word
}

func BenchmarkReplayer(b *testing.B) {
	for _, stock := range []int{10, 100, 1000, 10_000} {
		ev := synthetic(2_000_000, stock)
		m := learn(ev)
		b.Run(fmt.Sprintf("words=%d", stock), func(b *testing.B) {
			for b.Loop() {
				r, err := samples.NewReplayer(ev.Names, m.Transitions)
				if err != nil {
					b.Fatal(err)
				}
				r.Start(r.Ranges(0)[0])
				if err := r.Add(ev); err != nil {
					b.Fatal(err)
				}
				if _, err := r.Finish(); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(len(ev.Seq)*b.N)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
