package spans

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// splitStory reads the slices of a story.
func splitStory(t testing.TB, text string, by schema.Split, memory int64) (all []schema.Slice, parts []collected) {
	t.Helper()
	reading := &schema.Reading{
		Traces: []schema.Trace{{FS: fstest.MapFS{"story": {Data: []byte(text)}}, Path: "story"}}, Ledger: new(schema.Ledger), Memory: memory,
		Scratch: func() (schema.Scratch, error) { return new(readertest.Memory), nil },
	}
	err := NewReader(reading, parseLines).(schema.SplitReader).Slices(by, func(of schema.Slice, r schema.Reader, lost *schema.Ledger) error {
		var out collected
		block := new(schema.Block)
		err := r.Read(func(full *schema.Block) (*schema.Block, error) {
			if full != nil {
				for i, k := range full.Key {
					out.events = append(out.events, got{full.TimeNs[i], r.Keys().At(k), r.Marks()[full.Mark[i]], full.MessageID[i]})
				}
			}
			block.Reset()
			return block, nil
		})
		out.losses = lost.Losses("")
		all, parts = append(all, of), append(parts, out)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, parts
}

// manyTraces makes traces of random spans, each at a time of its own.
func manyTraces(rng *rand.Rand) (lines []string) {
	for trace := range 1 + rng.IntN(9) {
		offset := int64(rng.IntN(3000))
		for _, line := range randomSpans(rng, 1+rng.IntN(9), false) {
			f := strings.Fields(line)
			f[0] = fmt.Sprint(trace + 1)
			for _, k := range []int{6, 7} {
				if f[k] != "?" {
					f[k] = fmt.Sprint(instant(f[k]) + offset)
				}
			}
			lines = append(lines, strings.Join(f, " "))
		}
	}
	return lines
}

// TestSlices checks that a slice is what a file with its requests alone is, that every request is in one slice, and that slices are those of the
// starts of requests. The order of lines and the memory do not matter.
func TestSlices(t *testing.T) {
	for seed := range uint64(80) {
		rng := rand.New(rand.NewPCG(seed, 5))
		lines := manyTraces(rng)
		whole := story(t, strings.Join(lines, "\n"))
		for _, by := range []schema.Split{{EveryNs: 1 + int64(rng.IntN(1500))}, {Parts: 2 + rng.IntN(4)}, {ByTrace: true}} {
			all, parts := splitStory(t, strings.Join(lines, "\n"), by, 0)
			events, requests := 0, 0
			for i, of := range all {
				events, requests = events+len(parts[i].events), requests+of.Requests
				if i > 0 && (of.FromNs < all[i-1].FromNs || of.Number <= all[i-1].Number) {
					t.Fatalf("%d, %+v: slices %+v", seed, by, all)
				}
				if by.EveryNs > 0 && int64(of.Number) != (of.FromNs-all[0].FromNs)/by.EveryNs {
					t.Fatalf("%d, %+v: slice %+v behind %d", seed, by, of, all[0].FromNs)
				}
				if by.ByTrace {
					own := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
						id := uint64(0)
						fmt.Sscanf(of.Name, "%x", &id)
						return number(strings.Fields(line)[0]) != id
					})
					ids := map[string]bool{}
					for _, line := range own {
						ids[strings.Fields(line)[1]] = true
					}
					if len(ids) < len(own) {
						continue // of two spans with one id the first is met first
					}
					alone := story(t, strings.Join(own, "\n"))
					expect.Deep(t, parts[i].events, alone.events, "%d: request %s", seed, of.Name)
				}
			}
			traces := map[string]bool{}
			for _, line := range lines {
				traces[strings.Fields(line)[0]] = true
			}
			if events != len(whole.events) || requests != len(traces) {
				t.Fatalf("%d, %+v: %d events of %d, %d requests of %d", seed, by, events, len(whole.events), requests, len(traces))
			}
			if seed%8 == 0 {
				again, small := splitStory(t, strings.Join(lines, "\n"), by, 2000)
				expect.Deep(t, again, all, "%d: slices with less memory", seed)
				expect.Deep(t, small, parts, "%d: events with less memory", seed)
			}
		}
	}
}

// TestSlicesOfTexts names the slices of single traces by their ids: by a text, where that may end the name of a run, and else by its hash.
func TestSlicesOfTexts(t *testing.T) {
	c := &Collector{codes: make(map[string]uint32)}
	c.keepTraceIDs()
	for _, id := range []struct{ text, want string }{
		{"req.17-b", "req.17-b"}, {"order 9", hashed([]byte("order 9")).String()}, {"00000000000000ff", "00000000000000ff"}, {"AAAAAAAAAAAAAAAAAAAAAQ==", "0000000000000001"},
	} {
		expect.Equal(t, c.sliceName(c.TraceID([]byte(id.text))), id.want, "the slice of %q", id.text)
	}
}

// TestSlicesLose checks that what is lost is lost once: in its slice, and what is lost of files in the first.
func TestSlicesLose(t *testing.T) {
	const text = "1 1 - - a f 0 9\n2 - - - a f 5 9\n3 1 7 - a f 100 90\n4 1 - - a f ? ?\n"
	all, parts := splitStory(t, text, schema.Split{EveryNs: 50}, 0)
	var lost []string
	for i, of := range all {
		for _, l := range parts[i].losses {
			lost = append(lost, fmt.Sprintf("%s: %d %s", of.Name, l.Count, l.Reason))
		}
	}
	expect.Equal(t, strings.Join(lost, "; "), "1: 1 bad_record; 1: 1 missing_duration; 3: 1 missing_parent; 3: 1 negative_duration", "losses")
}
