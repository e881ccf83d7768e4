package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// longRun analyzes a run of several row groups: one execution from its start to its end, calls within it, and calls
// that take turns on two other components.
func longRun(t *testing.T) (*lake.Lake, *runs.Run) {
	t.Helper()
	t.Chdir(t.TempDir())
	var trace strings.Builder
	trace.WriteString("0 boss > all\n")
	const calls = 80_000
	for i := range calls {
		fmt.Fprintf(&trace, "%d.000000000 boss > ask !q%d\n%d.000000100 %c > work ?q%d\n%d.000000200 boss < ask\n", i+1, i, i+1, 'a'+i%2, i, i+1)
		fmt.Fprintf(&trace, "%d.500000000 %c < work\n", i+1, 'a'+i%2)
	}
	fmt.Fprintf(&trace, "%d boss < all\n", calls+1)
	expect.OK(t, os.WriteFile("long.txt", []byte(trace.String()), 0o666))
	var said bytes.Buffer
	if err := load(t.Context(), []string{"long.txt"}, nil, io.Discard, &said); err != nil {
		t.Fatal(err, said.String())
	}
	if err := run(t.Context(), []string{"run", "--quiet"}, nil, io.Discard, &said); err != nil {
		t.Fatal(err, said.String())
	}
	l := expect.Value(lake.Open("lake", false))(t)
	r := expect.Value(runs.Open(l, "long"))(t)
	return l, r
}

// TestReadWindow compares windows, read by the statistics of row groups, with all rows that are looked at one by one.
func TestReadWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("several row groups take a trace of 320,000 lines")
	}
	l, r := longRun(t)
	x, m := schema.NewExecutions(new(schema.Names)), schema.NewMessages(new(schema.Names))
	const second = 1_000_000_000
	for _, window := range [][2]int64{{0, second / 2}, {70_000 * second, 70_003 * second}, {1, 79_999 * second}, {80_000*second + 600_000_000, 80_001 * second}} {
		w := expect.Value(r.Window(t.Context(), window[0], window[1], nil, 1<<30))(t)
		var executions, messages []int64
		expect.OK(t, eachGroup(l, "executions", x, func() {
			for i, id := range x.Execution {
				if x.StartNs[i] <= w.ToNs && x.FinishNs[i] >= w.FromNs {
					executions = append(executions, id)
				}
			}
		}, "execution", "start_ns", "finish_ns"))
		expect.Slice(t, w.Executions.Execution, executions, "executions of %v", window)
		expect.OK(t, eachGroup(l, "messages", m, func() {
			for i, seq := range m.SendSeq {
				if m.SendNs[i] <= w.ToNs && m.ReceiveNs[i] >= w.FromNs {
					messages = append(messages, seq)
				}
			}
		}, "send_seq", "send_ns", "receive_ns"))
		expect.Slice(t, w.Messages.SendSeq, messages, "messages of %v", window)
	}
	testChosen(t, r)
}

// testChosen checks that components can be chosen, and that what does not fit into memory is refused.
func testChosen(t *testing.T, r *runs.Run) {
	w := expect.Value(r.Window(t.Context(), 5_000_000_000, 8_900_000_000, []string{"[xa]"}, 1<<30))(t)
	if n, of := len(w.Executions.Execution), len(w.Messages.SendSeq); n != 2 || of != 2 {
		t.Errorf("%d executions and %d messages of a, want 2 and 2", n, of)
	}
	_, err := r.Window(t.Context(), 5_000_000_000, 8_900_000_000, nil, 3*runs.WindowRowBytes)
	expect.Refused(t, err, "more than 3 executions", "a window larger than memory")
	if _, err := r.Window(t.Context(), 0, 1<<62, nil, 1000*runs.WindowRowBytes); err == nil {
		t.Error("a run larger than memory is read")
	}
}

// eachGroup reads all row groups of a table of the run, whatever their statistics say.
func eachGroup(l *lake.Lake, table string, into schema.Columns, f func(), columns ...string) error {
	return l.ScanTable(context.Background(), table, "long", into, lake.ScanOptions{Columns: columns}, func() error {
		f()
		return nil
	})
}
