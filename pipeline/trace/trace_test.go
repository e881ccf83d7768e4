package trace_test

import (
	"errors"
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/pipeline/trace"
	"github.com/tracelake/tracelake/schema"
)

// fill makes a lake whose run r has so many events, dealt to buckets at random, the first ones of a bucket in a file of
// their own.
func fill(t *testing.T, events, buckets, groupRows int) *lake.Lake {
	t.Helper()
	l, err := lake.Open(t.TempDir(), true)
	if err != nil {
		t.Fatal(err)
	}
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
		add(tables[file], seq)
	}
	s, err := l.Stage("test", lake.Run("r"), strings.Repeat("0", 64))
	if err != nil {
		t.Fatal(err)
	}
	m := &lake.Manifest{Table: "events", Partition: lake.Run("r").String(), Stage: "test", Fingerprint: strings.Repeat("0", 64)}
	for i, ev := range tables {
		m.Files = append(m.Files, write(t, s, ev, i, groupRows))
	}
	if err := s.Commit(m); err != nil {
		t.Fatal(err)
	}
	return l
}

func add(ev *schema.Events, seq int64) {
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

func write(t *testing.T, s *lake.Staging, ev *schema.Events, file, groupRows int) lake.File {
	t.Helper()
	w, err := s.Create("events", file/2, file%2)
	if err != nil {
		t.Fatal(err)
	}
	out := parquet.NewWriter(w, ev)
	out.GroupRows = groupRows
	rows := int64(len(ev.Seq))
	if _, err := out.Close(ev); err != nil {
		t.Fatal(err)
	}
	f, err := w.Finish(rows)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestReadRestoresTheOrder reads runs of several sizes, buckets and row groups.
func TestReadRestoresTheOrder(t *testing.T) {
	for _, test := range []struct{ events, buckets, groupRows int }{{3, 1, 10}, {50, 3, 7}, {5000, 5, 64}, {200_000, 4, 1 << 14}} {
		l := fill(t, test.events, test.buckets, test.groupRows)
		next := int64(-3)
		err := trace.Read(l, "r", func(ev *schema.Events) error {
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
	l := fill(t, 50, 2, 7)
	enough := errors.New("enough")
	if err := trace.Read(l, "r", func(*schema.Events) error { return enough }); !errors.Is(err, enough) {
		t.Errorf("the error is %v", err)
	}
	if err := trace.Read(l, "x", func(*schema.Events) error { return nil }); err == nil || !strings.Contains(err.Error(), "no run x") {
		t.Errorf("the error is %v", err)
	}
}
