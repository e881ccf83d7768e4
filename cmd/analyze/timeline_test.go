package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/parquet"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/timeline"
)

// longRun analyzes a run of several row groups: one execution from its start to its end, calls within it, and calls
// that take turns on two other components.
func longRun(t *testing.T) *tracedRun {
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
	if err := os.WriteFile("long.txt", []byte(trace.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	if err := load(t.Context(), []string{"long.txt"}, nil, io.Discard, &said); err != nil {
		t.Fatal(err, said.String())
	}
	if err := run(t.Context(), []string{"run", "--quiet"}, nil, io.Discard, &said); err != nil {
		t.Fatal(err, said.String())
	}
	l, err := lake.Open("lake", false)
	if err != nil {
		t.Fatal(err)
	}
	r, err := openRun(l, "long")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestReadWindow compares windows, read by the statistics of row groups, with all rows that are looked at one by one.
func TestReadWindow(t *testing.T) {
	r := longRun(t)
	x, m := schema.NewExecutions(new(schema.Names)), schema.NewMessages(new(schema.Names))
	const second = 1_000_000_000
	for _, window := range [][2]int64{{0, second / 2}, {70_000 * second, 70_003 * second}, {1, 79_999 * second}, {80_000*second + 600_000_000, 80_001 * second}} {
		w := &timeline.Window{FromNs: window[0], ToNs: window[1]}
		if err := r.read(w, nil, 1<<30); err != nil {
			t.Fatal(err)
		}
		var executions, messages []int64
		all := func(parquet.Stats) bool { return false }
		err := r.scan(r.executions, x, all, func() error {
			for i, id := range x.Execution {
				if x.StartNs[i] <= w.ToNs && x.FinishNs[i] >= w.FromNs {
					executions = append(executions, id)
				}
			}
			return nil
		}, "execution", "start_ns", "finish_ns")
		if err != nil || !slices.Equal(w.Executions.Execution, executions) {
			t.Errorf("%v: %d executions, want %d, %v", window, len(w.Executions.Execution), len(executions), err)
		}
		err = r.scan(r.messages, m, all, func() error {
			for i, seq := range m.SendSeq {
				if m.SendNs[i] <= w.ToNs && m.ReceiveNs[i] >= w.FromNs {
					messages = append(messages, seq)
				}
			}
			return nil
		}, "send_seq", "send_ns", "receive_ns")
		if err != nil || !slices.Equal(w.Messages.SendSeq, messages) {
			t.Errorf("%v: %d messages, want %d, %v", window, len(w.Messages.SendSeq), len(messages), err)
		}
	}
	testChosen(t, r)
}

// testChosen sees that components can be chosen, and that what does not fit into memory is refused.
func testChosen(t *testing.T, r *tracedRun) {
	w := &timeline.Window{FromNs: 5_000_000_000, ToNs: 8_900_000_000}
	if err := r.read(w, []string{"[xa]"}, 1<<30); err != nil {
		t.Fatal(err)
	}
	if n, of := len(w.Executions.Execution), len(w.Messages.SendSeq); n != 2 || of != 2 {
		t.Errorf("%d executions and %d messages of a, want 2 and 2", n, of)
	}
	if err := r.read(w, nil, 3*rowBytes); err == nil || !strings.Contains(err.Error(), "more than 3 executions") {
		t.Errorf("a window larger than memory: %v", err)
	}
	all := &timeline.Window{FromNs: 0, ToNs: 1 << 62}
	if err := r.read(all, nil, 1000*rowBytes); err == nil {
		t.Error("a run larger than memory is read")
	}
}
