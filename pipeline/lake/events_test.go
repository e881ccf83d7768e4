package lake_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// lakeOfEvents makes a lake whose run r has the given number of events, in buckets chosen at random. The events before 0 of
// a bucket have a file of their own.
func lakeOfEvents(t *testing.T, events, buckets, groupRows int) *lake.Lake {
	t.Helper()
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	random := rand.New(rand.NewSource(5))
	tables := make([]*schema.Events, 2*buckets)
	for i := range tables {
		tables[i] = schema.NewEvents()
	}
	deal := 0
	for seq := int64(-3); seq < int64(events-3); seq++ {
		if random.Intn(4) == 0 {
			deal = random.Intn(buckets)
		}
		file := 2 * deal
		if seq >= 0 {
			file++
		}
		addEvent(tables[file], seq)
	}
	s := expect.Value(l.Stage("test", lake.Run("r"), strings.Repeat("0", 64)))(t)
	m := &lake.Manifest{Table: "events", Stage: "test", Fingerprint: strings.Repeat("0", 64)}
	for i, ev := range tables {
		m.Files = append(m.Files, stageEvents(t, s, ev, i, groupRows))
	}
	expect.OK(t, s.Commit(m))
	return l
}

func addEvent(ev *schema.Events, seq int64) {
	name := fmt.Sprint("c", seq%7)
	ev.Seq, ev.TimeNs = append(ev.Seq, seq), append(ev.TimeNs, 10*seq)
	ev.Component = append(ev.Component, ev.Names.Components.Code(name))
	ev.Lifeline = append(ev.Lifeline, ev.Names.Lifelines.Code(name))
	ev.Function = append(ev.Function, ev.Names.Functions.Code(fmt.Sprint("f", seq%5)))
	ev.Kind = append(ev.Kind, schema.Kind(seq&1))
	ev.Message, ev.Series = append(ev.Message, schema.NoCode), append(ev.Series, schema.NoCode)
	ev.MessageID, ev.Direction = append(ev.MessageID, schema.NoValue), append(ev.Direction, schema.NoMessage)
	ev.Peer, ev.ExecutionType = append(ev.Peer, schema.NoCode), append(ev.ExecutionType, schema.NoCode)
	ev.Synthetic = append(ev.Synthetic, seq < 0)
}

func stageEvents(t *testing.T, s *lake.Staging, ev *schema.Events, file, groupRows int) lake.File {
	t.Helper()
	w := expect.Value(s.CreateTable("events", file/2, file%2, ev))(t)
	w.SetGroupRows(groupRows)
	expect.OK(t, w.Finish(ev))
	return w.File
}

// TestReadRestoresTheOrder reads runs of several sizes, buckets and row groups.
func TestReadRestoresTheOrder(t *testing.T) {
	for _, test := range []struct{ events, buckets, groupRows int }{{3, 1, 10}, {50, 3, 7}, {5000, 5, 64}, {200_000, 4, 1 << 14}} {
		l := lakeOfEvents(t, test.events, test.buckets, test.groupRows)
		next := int64(-3)
		ev := schema.NewEvents()
		err := l.ScanEvents(t.Context(), "r", ev, lake.ScanOptions{}, func() error {
			for i, seq := range ev.Seq {
				name := ev.Names.Components.Name(ev.Component[i])
				if seq != next || ev.TimeNs[i] != 10*seq || name != fmt.Sprint("c", seq%7) || ev.Synthetic[i] != (seq < 0) ||
					ev.Names.Functions.Name(ev.Function[i]) != fmt.Sprint("f", seq%5) || ev.Kind[i] != schema.Kind(seq&1) {
					return fmt.Errorf("%+v: event %d is wrong, %d was to come", test, seq, next)
				}
				next++
			}
			return nil
		})
		if err != nil || next != int64(test.events-3) {
			t.Errorf("%+v: %v; events up to %d", test, err, next)
		}
	}
}

func TestReadStops(t *testing.T) {
	l := lakeOfEvents(t, 50, 2, 7)
	enough := errors.New("enough")
	ev := schema.NewEvents()
	if err := l.ScanEvents(t.Context(), "r", ev, lake.ScanOptions{}, func() error { return enough }); !errors.Is(err, enough) {
		t.Errorf("the error is %v", err)
	}
	expect.Refused(t, l.ScanEvents(t.Context(), "x", ev, lake.ScanOptions{}, func() error { return nil }), "no run x", "the error")
}

// TestMergeInOrder puts events from many buckets in the order of the trace, with all that belongs to them, from row groups
// of all sizes. Only some columns are read.
func TestMergeInOrder(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	const events = 50_000
	groups := make([][][]int64, 9)
	for seq := range int64(events) {
		n := rng.Intn(len(groups) - 1) // the last one stays empty
		if len(groups[n]) == 0 || rng.Intn(100) == 0 {
			groups[n] = append(groups[n], nil)
		}
		last := len(groups[n]) - 1
		groups[n][last] = append(groups[n][last], seq)
	}
	l := open(t, t.TempDir())
	s := expect.Value(l.Stage("test", run, strings.Repeat("0", 64)))(t)
	m := &lake.Manifest{Table: "events"}
	for n := range groups {
		m.Files = append(m.Files, stageGroups(t, s, n, groups[n]))
	}
	expect.OK(t, s.Commit(m))
	want := int64(0)
	ev := schema.NewEvents()
	o := lake.ScanOptions{Columns: []string{"component", "function", "kind"}}
	err := l.ScanEvents(t.Context(), "a", ev, o, func() error {
		for i, seq := range ev.Seq {
			if seq != want || ev.Kind[i] != schema.Kind(want%2) || ev.Names.Components.Name(ev.Component[i]) != fmt.Sprint("c", want%7) ||
				ev.Names.Functions.Name(ev.Function[i]) != fmt.Sprint("f", want%5) || len(ev.TimeNs) > 0 {
				t.Fatalf("event %d stands at %d", seq, want)
			}
			want++
		}
		return nil
	})
	if err != nil || want != events {
		t.Error(want, err)
	}
}

// stageGroups stages the events of a bucket in the given row groups.
func stageGroups(t *testing.T, s *lake.Staging, bucket int, groups [][]int64) lake.File {
	t.Helper()
	ev := schema.NewEvents()
	w := expect.Value(s.CreateTable("events", bucket, 0, ev))(t)
	for _, group := range groups {
		for _, seq := range group {
			addEvent(ev, seq)
		}
		w.SetGroupRows(len(group))
		expect.OK(t, w.WriteFull(ev))
	}
	expect.OK(t, w.Finish(ev))
	return w.File
}

// TestScanWindows goes through all events of three buckets in windows: each has the events of its sequence numbers, and no more of them than are asked for.
func TestScanWindows(t *testing.T) {
	const events, most = 1000, 37
	l := lakeOfEvents(t, events, 3, 64)
	files := expect.Value(l.Table("events", lake.Run("r")))(t).Files
	names := schema.NewEvents().Names
	var meter rowMeter
	next, seen := int64(-3), make(map[int64]string)
	scan := func(ctx context.Context) error {
		return l.ScanWindows(ctx, files, names, most, lake.ScanOptions{Meter: &meter}, func(lo, hi int64, parts []lake.Part) error {
			if lo != next || hi <= lo || hi > lo+most {
				t.Fatalf("a window from %d to %d behind %d", lo, hi, next)
			}
			next = hi
			for _, p := range parts {
				for i := p.From; i < p.To; i++ {
					seq := p.Rows.Seq[i]
					if seq < lo || seq >= hi || seen[seq] != "" {
						t.Fatalf("event %d in the window from %d to %d", seq, lo, hi)
					}
					seen[seq] = names.Components.Name(p.Rows.Component[i])
				}
			}
			return nil
		})
	}
	expect.OK(t, scan(t.Context()))
	expect.Equal(t, next, int64(events-3), "the end of the last window")
	expect.Equal(t, int64(meter), int64(events), "rows that are counted")
	for seq := int64(-3); seq < events-3; seq++ {
		expect.Equal(t, seen[seq], fmt.Sprint("c", seq%7), "the component of event %d", seq)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	expect.Equal(t, errors.Is(scan(ended), context.Canceled), true, "a scan that was called off")
}

// TestSpill reads back stretches of what a task keeps, in memory that is used again where it has room.
func TestSpill(t *testing.T) {
	l := open(t, t.TempDir())
	s := expect.Value(l.Stage("test", run, strings.Repeat("0", 64)))(t)
	w := expect.Value(s.Spill("kept"))(t)
	w.WriteString("what a task keeps")
	f := expect.Value(w.Finish(1))(t)
	memory := make([]byte, 0, 8)
	some := expect.Value(s.ReadSpill(f, 5, 6, memory))(t)
	expect.Equal(t, string(some), "a task", "a stretch")
	expect.Equal(t, &some[0] == &memory[:1][0], true, "the memory is used")
	expect.Equal(t, string(expect.Value(s.ReadSpill(f, 0, 17, memory))(t)), "what a task keeps", "all of it")
	if _, err := s.ReadSpill(f, 12, 6, nil); err == nil {
		t.Error("a stretch beyond the end is no error")
	}
}

// TestFilesOfBuckets takes the files of buckets: those without a bucket belong to all, and the first bucket of a group stands for the group.
func TestFilesOfBuckets(t *testing.T) {
	m := &lake.Manifest{Groups: [][]int{{1, 3}, {2, 5, 6}}}
	for _, bucket := range []int{lake.NoBucket, 0, 1, 2, 3, 4, 5, 6} {
		m.Files = append(m.Files, lake.File{Bucket: bucket})
	}
	of := func(files []lake.File) (buckets []int) {
		for _, f := range files {
			buckets = append(buckets, f.Bucket)
		}
		return buckets
	}
	expect.Slice(t, of(m.InBucket(3)), []int{-1, 3}, "one bucket alone")
	expect.Slice(t, of(m.InBucket(1)), []int{-1, 1}, "the first of a group alone")
	expect.Slice(t, of(m.InBuckets(1)), []int{-1, 1, 3}, "a group")
	expect.Slice(t, of(m.InBuckets(0, 2)), []int{-1, 0, 2, 5, 6}, "a bucket and a group")
	expect.Slice(t, of(m.InBuckets(5)), []int{-1, 5}, "a bucket of a group that is not the first")
	expect.Slice(t, of(m.InBuckets(lake.NoBucket)), of(m.Files), "all")
	for bucket, home := range map[int]int{0: 0, 1: 1, 3: 1, 5: 2, 6: 2, 4: 4} {
		expect.Equal(t, lake.HomeOf(m.Groups, bucket), home, "the home of bucket %d", bucket)
	}
}
