package lake_test

import (
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
