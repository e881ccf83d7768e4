package ingest

import (
	"fmt"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// TestSharedLifelines checks that components that run on one lifeline, or are linked by others that do, get one
// bucket, and that the order in which they come does not matter.
func TestSharedLifelines(t *testing.T) {
	var keys []schema.EventKey
	for i := range 40 {
		keys = append(keys, schema.EventKey{Component: fmt.Sprint("c", i), Lifeline: fmt.Sprint("l", i/4)})
	}
	keys = append(keys, schema.EventKey{Component: "c0", Lifeline: "l9"}, schema.EventKey{Component: "c5", Lifeline: "l8"}, schema.EventKey{Component: "c33", Lifeline: "l7"})
	there, back := newWorkload(), newWorkload()
	for i := range keys {
		there.add(&keys[i], int64(i+1))
		back.add(&keys[len(keys)-1-i], int64(len(keys)-i))
	}
	p, q := place(there, 16), place(back, 16)
	lifelines, buckets := make(map[string]int), make(map[int]bool)
	for _, k := range keys {
		at := p.of(k.Component)
		if other, known := lifelines[k.Lifeline]; known && other != at {
			t.Errorf("lifeline %s is in buckets %d and %d", k.Lifeline, other, at)
		}
		if q.of(k.Component) != at {
			t.Errorf("%s is in bucket %d, and in %d when it comes in another order", k.Component, at, q.of(k.Component))
		}
		lifelines[k.Lifeline], buckets[at] = at, true
	}
	if len(buckets) != 7 { // {l0, l9}, {l1, l8, l7} and five others
		t.Errorf("%d buckets, want 7", len(buckets))
	}
	var total int64
	for _, load := range p.load {
		total += load
	}
	if want := int64(len(keys) * (len(keys) + 1) / 2); total != want {
		t.Errorf("%d events are placed, want %d", total, want)
	}
}
