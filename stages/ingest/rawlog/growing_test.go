package rawlog

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestGrowing cuts logs anywhere, as they come while they are written: each thread has the events that the reader finds in the whole log.
func TestGrowing(t *testing.T) {
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 5))
		log := []byte("# module 0x1000 0x900000 0x0 /bin/prog\n" + random(rng, 300, 7))
		if seed%2 == 0 {
			log = toBinary(string(log))
		}
		p := newGrowing(schema.ReadingOptions{})
		var got []event
		for at := 0; at < len(log); {
			end := min(at+1+rng.IntN(200), len(log))
			var b schema.Block
			p.Parse(log[at:end], &b)
			got = append(got, readertest.Events(&b, p.Keys(), make([]schema.MessageMark, 1))...)
			at = end
		}
		expect.Deep(t, byThread(got), byThread(expect.Value(collect(readingOf(log)))(t)), "seed %d", seed)
	}
}

// byThread lists what each thread does; threads are in the order of that, as their numbers depend on who comes first.
func byThread(events []event) [][]string {
	threads := make(map[string][]string)
	for _, e := range events {
		lane := e.Key.Lifeline
		e.Line, e.Key.Lifeline = 0, ""
		threads[lane] = append(threads[lane], e.String())
	}
	var all [][]string
	for _, t := range threads {
		all = append(all, t)
	}
	slices.SortFunc(all, slices.Compare[[]string])
	return all
}
