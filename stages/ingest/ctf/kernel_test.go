package ctf

import (
	"os"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// Traces of Eclipse Trace Compass' own tests, against what babeltrace2 prints of them.
const compass = "../third-party/ctf/tracecompass/"

// tally is what comes of a trace, by function and component.
type tally struct {
	calls, ns map[string]int64 // whole calls and their durations, by COMPONENT FUNCTION
	latencies map[string][]int64
	open      int // ends without the other
}

// count pairs the rows of a reading.
func count(t *testing.T, rows []row) tally {
	t.Helper()
	type call struct{ lifeline, name string }
	out := tally{calls: make(map[string]int64), ns: make(map[string]int64), latencies: make(map[string][]int64)}
	entered, sent := make(map[call][]int64), make(map[int64]int64)
	for _, r := range rows {
		name := r.Key.Component + " " + r.Key.Function
		at := call{r.Key.Lifeline, name}
		switch open := entered[at]; {
		case r.Key.Kind == schema.Enter:
			entered[at] = append(open, r.Ns)
		case r.Key.Kind == schema.Exit && len(open) > 0:
			entered[at] = open[:len(open)-1]
			out.calls[name]++
			out.ns[name] += r.Ns - open[len(open)-1]
		case r.Key.Kind == schema.Exit:
			out.open++
		}
		switch {
		case r.Mark.Direction == schema.Send:
			sent[r.ID] = r.Ns
		case r.Mark.Direction == schema.Receive:
			if ns, ok := sent[r.ID]; ok {
				out.latencies[r.Mark.Label] = append(out.latencies[r.Mark.Label], r.Ns-ns)
			}
		}
	}
	for _, open := range entered {
		out.open += len(open)
	}
	return out
}

// A thread that is made returns from clone, which it did not call, and none returns from exit. What threads were in when the trace
// began or ended stays open, at most one call a thread.
func TestSystemCallsOfThreads(t *testing.T) {
	root := unpacked(t, compass+"many-threads.ctf.tar.zst")
	got := readAll(t, root, "many-threads")
	expect.OK(t, got.err)
	of := count(t, got.rows)
	var clone, exit, exitNs, poll int64
	for k, n := range of.calls {
		_, function, _ := strings.Cut(k, " ")
		switch {
		case function == "syscall_clone":
			clone += n
		case function == "syscall_exit":
			exit, exitNs = exit+n, exitNs+of.ns[k]
		case function == "syscall_poll":
			poll += n
		}
	}
	expect.Equal(t, clone, 8003, "clones")
	expect.Equal(t, exit, 8000, "exits")
	expect.Equal(t, exitNs, 0, "time in exit")
	expect.Equal(t, got.losses["child_return"], 8003, "returns of children")
	expect.Equal(t, len(of.latencies["wakeup"]), 6742, "wakers")
	if of.open > 60 || poll < 120 {
		t.Errorf("%d ends without the other, %d polls", of.open, poll)
	}
}

// Callbacks have the names of their nodes and topics, and what is published is taken: the figures are those of the trace's text,
// by time of the source.
func TestROS2(t *testing.T) {
	root := unpacked(t, compass+"ros2.ctf.tar.zst")
	got := readAll(t, root, "ros2")
	expect.OK(t, got.err)
	of := count(t, got.rows)
	var all, messages int64
	for name, want := range map[string]int64{
		"source source/timer": 2031, "sync_one_to_one sync_one_to_one/topic_a": 1986, "sink sink/topic_b": 2026,
		"source source/parameter_events": 9, "sync_one_to_one sync_one_to_one/parameter_events": 9, "sink sink/parameter_events": 4,
	} {
		expect.Equal(t, of.calls[name], want, "calls of %s", name)
		all += of.ns[name]
	}
	expect.Equal(t, all, 525_403_838, "ns in callbacks")
	for _, latencies := range of.latencies {
		messages += int64(len(latencies))
	}
	expect.Equal(t, messages, 3994, "messages that are published and taken")
	expect.Equal(t, len(of.latencies["/topic_a"])+len(of.latencies["/topic_b"]), 2*1986, "on the way from the timer to the sink")
}

// The clocks of two hosts are apart by what their packets say: 80.43 to 80.70 ms.
func TestClocksOfHosts(t *testing.T) {
	root := unpacked(t, compass+"synctraces.ctf.tar.zst")
	var early [2]int
	for i, mode := range []string{schema.ClocksKeep, schema.ClocksAuto} {
		reading := readertest.Reading(os.DirFS(root), "")
		reading.Options.Clocks.Mode, reading.Traces = mode, nil
		for _, dir := range []string{"synctraces/scp_src", "synctraces/scp_dest"} {
			reading.Traces = append(reading.Traces, schema.Trace{FS: os.DirFS(root), Path: dir})
		}
		r := newReader(reading)
		var read readertest.Result
		expect.OK(t, r.Read(read.Collect(r)))
		bounds, said := r.Clocks()
		latencies := count(t, read.Events).latencies["tcp"]
		early[i] = len(latencies)
		if mode == schema.ClocksKeep {
			expect.Equal(t, len(bounds)+len(said), 0, "clocks that are kept")
			continue
		}
		if len(bounds) != 1 || *bounds[0].OffsetLeastNs < 80_420_000 || *bounds[0].OffsetMostNs > 80_710_000 {
			t.Errorf("%+v, %q", bounds, said)
		}
		for _, ns := range latencies {
			if ns < 0 {
				t.Errorf("a packet arrives %d ns before it is sent", -ns)
			}
		}
	}
	if early[0] >= early[1] || early[1] != 46 {
		t.Errorf("%d packets are sent before they arrive, %d by corrected clocks", early[0], early[1])
	}
}

// perf tells the thread and the CPU of an event in its fields.
func TestPerf(t *testing.T) {
	root := unpacked(t, compass+"perf-taskset2.ctf.tar.zst")
	got := readAll(t, root, "perf-taskset2")
	expect.OK(t, got.err)
	lifelines := make(map[string]int)
	for _, r := range got.rows {
		lifelines[r.Key.Lifeline]++
	}
	if len(lifelines) < 8 || lifelines["perf/1"] == 0 || lifelines["cpu/0"] > 0 {
		t.Errorf("lifelines %v", lifelines)
	}
	expect.Equal(t, len(count(t, got.rows).latencies["wakeup"]), 333, "wakers")
}

// Records of OTF 2 in CTF are read as what they are.
func TestOTFInside(t *testing.T) {
	root := unpacked(t, compass+"mpi_allreduce.ctf.tar.zst")
	got := readAll(t, root, "mpi_allreduce")
	expect.OK(t, got.err)
	of := count(t, got.rows)
	var calls int64
	for _, n := range of.calls {
		calls += n
	}
	expect.Equal(t, calls, 88, "regions entered and left; %v", of.calls)
	expect.Equal(t, of.open, 0, "ends without the other")
}
