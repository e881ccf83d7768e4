package ingest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestAmend checks that rows which were written long ago still learn their peer when the message arrives, and still
// go when their call stays open and is to be discarded.
func TestAmend(t *testing.T) {
	const calls = 150_000 // more events than wait in a bucket
	var trace strings.Builder
	trace.WriteString("1 open > f\n2 a > f !m1\n3 a < f\n")
	for i := range calls {
		fmt.Fprintf(&trace, "%d a > g\n%d a < g\n", 2*i+4, 2*i+5)
	}
	fmt.Fprintf(&trace, "%d b > f ?m1\n%d b < f\n", 2*calls+4, 2*calls+5)
	path := write(t, "t.txt", trace.String())
	for _, incomplete := range []string{"complete", "discard"} {
		j := job(t, path)
		j.Incomplete = incomplete
		run, _ := ingested(t, j)
		peers, open, rows := readAmended(t, j.Lake)
		wantOpen := map[string]int{"complete": 2, "discard": 0}[incomplete]
		if wantRows := int64(2*calls + 4 + wantOpen); rows != wantRows || run.Events != wantRows || open != wantOpen {
			t.Errorf("%s: %d rows, %d events told, %d of the open call; want %d and %d", incomplete, rows, run.Events, open, wantRows, wantOpen)
		}
		expect.Equal(t, fmt.Sprint(peers), "map[1:b 300003:a]", "%s: peers", incomplete)
	}
}

// readAmended reads the peers by event, and counts the events of the component open and all events.
func readAmended(t *testing.T, l *lake.Lake) (peers map[int64]string, open int, rows int64) {
	t.Helper()
	peers = make(map[int64]string)
	ev := schema.NewEvents()
	expect.OK(t, l.ScanTable(t.Context(), "events", "a", ev, lake.ScanOptions{}, func() error {
		for i, peer := range ev.Peer {
			if peer != schema.NoCode {
				peers[ev.Seq[i]] = ev.Names.Components.Name(peer)
			}
			if ev.Names.Components.Name(ev.Component[i]) == "open" {
				open++
			}
		}
		rows += int64(len(ev.Seq))
		return nil
	}))
	return peers, open, rows
}
