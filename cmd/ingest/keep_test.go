package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestRoomOfSeries sees that recordings of a series go, the oldest first, before what is to be written would be too much; neither the one at hand
// nor the one of which a run is made, which is to have as much room as its recording. Nothing is due to a second that went by.
func TestRoomOfSeries(t *testing.T) {
	const keep = 64 << 20
	l := expect.Value(lake.Open(t.TempDir(), true))(t)
	record := func(run string, n int64) string {
		r := expect.Value(live.Open(l, run, "trace"))(t)
		expect.OK(t, r.Close())
		expect.OK(t, os.Truncate(r.Trace, n))
		return r.Trace
	}
	s := &series{f: &flags{stderr: new(bytes.Buffer), keep: console.Bytes(keep)}, ctx: t.Context(), lake: l, name: "x", atHand: "x-0005", ended: []string{"x-0002", "x-0003", "x-0004"}}
	for _, run := range []string{"x-0001", "x-0002", "x-0003", "x-0004"} {
		record(run, 10<<20)
	}
	s.r = expect.Value(live.Open(l, "x-0005", "trace"))(t)
	s.show = expect.Value(s.r.Show(live.Reading{}))(t)
	defer s.show.Close()
	append := func(n int, runs ...string) {
		t.Helper()
		s.room(int64(n))
		expect.OK(t, s.r.Append(make([]byte, n), time.Now()))
		expect.Slice(t, expect.Value(live.Unfinished(l))(t), runs, "after %d MB", s.r.Length()>>20)
		s.space.at = time.Now()
	}
	const mb = 1 << 20
	append(10*mb, "x-0001", "x-0002", "x-0003", "x-0004", "x-0005") // 40 and twice 10 for the block and its view, and one to spare
	append(6*mb, "x-0001", "x-0002", "x-0003", "x-0004", "x-0005")
	append(4*mb, "x-0002", "x-0003", "x-0004", "x-0005")

	// x-0002 becomes a run, and takes 10 MB and half an MB more than before.
	s.sealing = "x-0002"
	s.space.stale.Store(true)
	append(mb, "x-0002", "x-0003", "x-0004", "x-0005")
	append(2*mb, "x-0002", "x-0004", "x-0005")
	expect.Slice(t, s.ended, []string{"x-0002", "x-0004"}, "of what runs are to be made")

	// The run is written, and is larger than its recording.
	s.space.stale.Store(true)
	staged := filepath.Join(l.Dir, "_work", "run=x-0002", "ingest")
	expect.OK(t, os.MkdirAll(staged, 0o777))
	file := filepath.Join(staged, "table")
	expect.OK(t, os.WriteFile(file, nil, 0o666))
	expect.OK(t, os.Truncate(file, 21*mb))
	append(mb, "x-0002", "x-0005")
	if s.space.total > keep || !slices.Contains(s.ended, "x-0002") {
		t.Errorf("the series takes %d bytes, and runs will be made of %v", s.space.total, s.ended)
	}
}
