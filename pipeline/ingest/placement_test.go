package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSharedLifelines checks that a lifeline on which several components run gets one bucket, that components so linked get one
// or, where they have too many events for one, buckets of their own, and that the order in which they come does not matter.
func TestSharedLifelines(t *testing.T) {
	var keys []schema.EventKey
	for i := range 40 {
		keys = append(keys, schema.EventKey{Component: fmt.Sprint("c", i), Lifeline: fmt.Sprint("l", i/4)})
	}
	keys = append(keys, schema.EventKey{Component: "c0", Lifeline: "l9"}, schema.EventKey{Component: "c5", Lifeline: "l8"}, schema.EventKey{Component: "c33", Lifeline: "l7"})
	there, back := newWorkload(), newWorkload()
	for i := range keys {
		there.add(keys[i], int64(i+1))
		back.add(keys[len(keys)-1-i], int64(len(keys)-i))
	}
	p, q := place(there, 16, true), place(back, 16, true)
	lifelines, buckets := make(map[string]int), make(map[int]bool)
	for _, k := range keys {
		at, _ := p.of(k.Component, k.Lifeline)
		if other, known := lifelines[k.Lifeline]; known && other != at {
			t.Errorf("lifeline %s is in buckets %d and %d", k.Lifeline, other, at)
		}
		again, _ := q.of(k.Component, k.Lifeline)
		expect.Equal(t, again, at, "bucket of %s in another order", k.Component)
		lifelines[k.Lifeline], buckets[at] = at, true
	}
	// Of the groups {l0, l9}, {l1, l8, l7} and five of one lifeline, two are spread over their lifelines.
	expect.Equal(t, fmt.Sprint(p.groups()), "[[5 6 7] [8 9]]", "buckets of groups")
	expect.Equal(t, len(buckets), 5+3+2, "buckets")
	var total int64
	for _, load := range p.load {
		total += load
	}
	expect.Equal(t, total, int64(len(keys)*(len(keys)+1)/2), "events placed")
}

// TestEqualLoadsGoByName places components and lifelines that all have as many events as the next one: the first by name lies in
// the first bucket, whatever the order in which a map gives them out.
func TestEqualLoadsGoByName(t *testing.T) {
	w := newWorkload()
	for _, i := range []int{7, 2, 5, 0, 3, 6, 1, 4} {
		w.add(schema.EventKey{Component: fmt.Sprint("c", i), Lifeline: fmt.Sprint("c", i)}, 10)
		w.add(schema.EventKey{Component: "large", Lifeline: fmt.Sprint("l", i)}, 30)
	}
	p := place(w, 16, true)
	for i := range 8 {
		at, _ := p.of(fmt.Sprint("c", i), fmt.Sprint("c", i))
		expect.Equal(t, at, i%p.common, "bucket of c%d", i)
		at, _ = p.of("large", fmt.Sprint("l", i))
		expect.Equal(t, at, p.common+i, "bucket of l%d", i)
	}
}

// TestBucketsFollowSize checks the numbers of buckets at the sizes where they change, and what sizes are known.
func TestBucketsFollowSize(t *testing.T) {
	for _, c := range []struct {
		bytes int64
		want  int
	}{{0, 16}, {16 * bucketBytes, 16}, {16*bucketBytes + 1, 32}, {2_586_274_187, 64}, {4 << 30, 64}, {25 << 30, 256}, {256 << 30, 512}, {1 << 62, 4096}} {
		expect.Equal(t, bucketsFor(c.bytes), c.want, "buckets for %d bytes", c.bytes)
	}
	folder := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(folder, name)
		expect.OK(t, os.WriteFile(path, []byte(text), 0o666))
		return path
	}
	places := []located{
		{files: []string{file("plain", "0.1 a > f"), file("empty", "")}},
		{files: []string{file("packed.gz", "\x1f\x8b 10 bytes")}},
		{}, // the standard input
	}
	if got, err := traceBytes(places); err != nil || got != 9+0+11*packedFactor {
		t.Errorf("the trace has %d bytes, want %d: %v", got, 9+11*packedFactor, err)
	}
}
