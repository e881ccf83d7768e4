package signals

import (
	"errors"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/signals"
	"github.com/tracelake/tracelake/testdata/expect"
)

// lakeOfMessages makes a lake whose run has messages in several buckets, of which a row group has few. Some take very long.
func lakeOfMessages(t *testing.T, r *rand.Rand, messages int) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	fingerprint := strings.Repeat("0", 64)
	s := expect.Value(l.Stage("test", lake.Run("r"), fingerprint))(t)
	m := &lake.Manifest{Table: "messages", Stage: "test", Fingerprint: fingerprint}
	for bucket := range 3 {
		rows := schema.NewMessages(new(schema.Names))
		at := int64(-50)
		for range messages {
			at += r.Int64N(4)
			length := r.Int64N(20)
			if r.IntN(50) == 0 {
				length = r.Int64N(1 + at + 50)
			}
			rows.SendNs, rows.ReceiveNs = append(rows.SendNs, at-length), append(rows.ReceiveNs, at)
		}
		for _, c := range rows.Columns() {
			fill(c, messages)
		}
		w := expect.Value(s.CreateTable("messages", bucket, 0, rows))(t)
		w.SetGroupRows(16)
		expect.OK(t, w.Finish(rows))
		m.Files = append(m.Files, w.File)
	}
	expect.OK(t, s.Commit(m))
	return l
}

// fill brings a column that is not set to a length.
func fill(c schema.Column, rows int) {
	switch {
	case c.Ints != nil && len(*c.Ints) == 0:
		*c.Ints = make([]int64, rows)
	case c.Codes != nil:
		*c.Codes = slices.Repeat([]schema.Code{c.Dict.Code("a")}, rows)
	case c.Enum != nil:
		*c.Enum = make([]uint8, rows)
	case c.Bools != nil:
		*c.Bools = make([]bool, rows)
	}
}

// TestPasses reads messages in one pass and in many, and sees that each comes once, in the order of beginnings.
func TestPasses(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 26))
		l := lakeOfMessages(t, r, 1+r.IntN(200))
		var of [2]map[signals.Interval]int
		for i, memory := range []int64{0, itemBytes * (1 + r.Int64N(60))} {
			open, err := (Job{Lake: l, Run: "r", By: ByMessage, Memory: memory}).items(t.Context())
			expect.OK(t, err)
			of[i] = make(map[signals.Interval]int)
			for range 2 { // opened again, they are the same
				next := expect.Value(open())(t)
				last := int64(math.MinInt64)
				for {
					item, err := next()
					if errors.Is(err, io.EOF) {
						break
					}
					expect.OK(t, err)
					if item.FromNs < last {
						t.Fatalf("seed %d, %d bytes: an item of %d follows one of %d", seed, memory, item.FromNs, last)
					}
					last = item.FromNs
					of[i][item]++
				}
			}
		}
		expect.Equal(t, maps.Equal(of[1], of[0]), true, "whether many passes read the items of seed %d as one does", seed)
	}
}
