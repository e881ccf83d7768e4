package babeltrace

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/ctf"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

type row = readertest.Event

// read reads a trace of a format.
func read(f schema.Format, fsys fs.FS, path string, symbols schema.Symbols) ([]row, *schema.Ledger, error) {
	reading := readertest.Reading(fsys, path)
	reading.Options.Symbols = symbols
	r := readertest.Read(f, reading)
	return r.Events, r.Ledger, r.Err
}

func readText(text string, symbols schema.Symbols) ([]row, *schema.Ledger, error) {
	return read(Format(), fstest.MapFS{"t.txt": {Data: []byte(text)}}, "t.txt", symbols)
}

type oneSymbol struct{}

func (oneSymbol) Lookup(address uint64) (string, string, bool) {
	return "main", "main.c", address == 0x1000
}

const story = `[23:59:59.000000001] (+?.?????????) vm lttng_ust_statedump:bin_info: { cpu_id = 1 }, { vtid = 6, vpid = 5, procname = "prog-ust" }, { baddr = 0x7F0000000000, memsz = 65536, path = "/opt/li, b}/libx.so.1", is_pic = 1 }
[23:59:59.000000002] (+0.000000001) vm lttng_ust_cyg_profile:func_entry: { cpu_id = 1 }, { vtid = 5, vpid = 5, procname = "prog" }, { addr = 0x1000, call_site = 0x7F13 }
[00:00:00.000000003] (+0.000000001) vm lttng_ust_cyg_profile:func_entry: { cpu_id = 1 }, { vtid = 5, vpid = 5, procname = "prog" }, { addr = 0x7F0000000010, call_site = 0x7F13 }
[00:00:00.000000004] (+0.000000001) vm app:other: { cpu_id = 1 }, { vtid = 5 }, { a = [ [0] = 1, [1] = -2 ], b = "x\" }", c = { d = ( "e" : container = 1 ) }, f = 1.5 }
no line
[00:00:00.000000005] (+0.000000001) vm lttng_ust_cyg_profile_fast:func_entry: { cpu_id = 1 }, { vtid = 9, vpid = 5, procname = "prog" }, { addr = 0x20 }
[00:00:00.000000006] (+0.000000001) vm lttng_ust_cyg_profile_fast:func_exit: { cpu_id = 1 }, { vtid = 9, vpid = 5, procname = "prog" }, { }
[00:00:00.000000006] vm lttng_ust_cyg_profile_fast:func_exit: { cpu_id = 1 }, { vtid = 9, vpid = 5, procname = "prog" }, { }
[00:00:00.000000007] lttng_ust_cyg_profile:func_exit: { cpu_id = 3 }, { addr = 0x30, call_site = 0x7F13 }
[00:00:00.000000007] (+0.000000001) vm lttng_ust_cyg_profile:func_exit: { cpu_id = 1 }, { vtid = 5, vpid = 5, procname = "prog" }, { addr = 0x7F0000000010, call_site = 0x7F13 }
[00:00:00.000000008] (+0.000000001) vm lttng_ust_cyg_profile:func_exit: { cpu_id = 1 }, { vtid = 5, vpid = 5, procname = "prog" }, { addr = 0x1000, call_site = 0x7F13 }
[00:00:00.000000009] (+0.0000`

const told = `86399000000002 prog/1 main_c > main
86400000000003 prog/1 libx.so.1 > 0x10
86400000000005 prog/2 prog > 0x20
86400000000006 prog/2 prog < 0x20
86400000000007 cpu/3 cpu < 0x30
86400000000007 prog/1 libx.so.1 < 0x10
86400000000008 prog/1 main_c < main
bad_line 1 t.txt:5:1: expected [time]
clock_wrap 1 t.txt:3
skipped_record 1 t.txt:4:1: event app:other
torn_line 1 t.txt:12:22: expected the name of an event and {
unmatched_exit 1 t.txt:8
`

func TestStory(t *testing.T) {
	for _, text := range []string{story, strings.ReplaceAll(story, "\n", "\r\n")} {
		rows, ledger, err := readText(text, oneSymbol{})
		var out strings.Builder
		for _, r := range rows {
			fmt.Fprintln(&out, r)
		}
		for _, l := range ledger.Losses("") {
			fmt.Fprintln(&out, l.Reason, l.Count, l.FirstPosition)
		}
		if err != nil || out.String() != told {
			t.Errorf("%v, got\n%s", err, out.String())
		}
	}
}

func TestTimes(t *testing.T) {
	for text, want := range map[string]int64{
		"1795189163.894686291": 1795189163894686291, "0.000000001": 1, "10:00:00.000000000": 36000e9,
		"2026-11-20 15:39:20.497271781": 1795189160497271781,
		"1.5":                           -1, "25:00:00.000000000": -1, "9223372036.000000000": -1, "x.000000000": -1, "2026-13-20 15:39:20.497271781": -1, "00001234": -1,
	} {
		var l line
		ok := l.time([]byte(text))
		if ok != (want >= 0) || ok && l.ns != want {
			t.Errorf("%s: %d %v", text, l.ns, ok)
		}
	}
}

func TestDetect(t *testing.T) {
	if !Detect([]byte(story[:600])) || !Detect([]byte(story[strings.Index(story, "\n")+1:][:320])) {
		t.Error("not detected")
	}
	for _, text := range []string{"", story[:100], "no line\n" + story, "[1] a\n", "0.1 a > b\n", "{\"a\": [1]}\n", "[10:00:00.000000000] started: ok\n"} {
		if Detect([]byte(text)) {
			t.Errorf("%.50q detected", text)
		}
	}
}

// A text without anything that enters or exits has executions of no time; pairs, system calls and who wakes whom are those of the
// trace.
func TestRules(t *testing.T) {
	const kernel = `[1.000000001] vm sched_switch: { cpu_id = 0 }, { prev_comm = "a", prev_tid = 7, next_comm = "b", next_tid = 8 }
[1.000000002] vm syscall_entry_read: { cpu_id = 0 }, { fd = 3 }
[1.000000003] vm sched_wakeup: { cpu_id = 0 }, { comm = "a", tid = 7 }
[1.000000004] vm sched_switch: { cpu_id = 0 }, { prev_comm = "b", prev_tid = 8, next_comm = "a", next_tid = 7 }
[1.000000005] vm syscall_entry_exit: { cpu_id = 0 }, { status = 0 }
[1.000000006] vm sched_switch: { cpu_id = 0 }, { prev_comm = "a", prev_tid = 7, next_comm = "b", next_tid = 8 }
[1.000000007] vm syscall_exit_read: { cpu_id = 0 }, { ret = 3 }
`
	for text, want := range map[string]string{
		"[0.000000001] a: { }\n": "1 cpu/0 kernel > a\n1 cpu/0 kernel < a\n",
		"[0.000000001] p:x_begin: { cpu_id = 2 }, { a = 1 }\n[0.000000002] p:x_end: { cpu_id = 2 }, { }\n": "1 cpu/2 p > x\n2 cpu/2 p < x\n",
		kernel: `1000000002 b/1 b > syscall_read
1000000003 b/1 b = syscall_read !wakeup0 (wakeup)
1000000004 a/1 a = message ?wakeup0 (wakeup)
1000000005 a/1 a > syscall_exit
1000000005 a/1 a < syscall_exit
1000000007 b/1 b < syscall_read
`,
	} {
		rows, _, err := readText(text, nil)
		var out strings.Builder
		for _, r := range rows {
			fmt.Fprintln(&out, r)
		}
		if err != nil || out.String() != want {
			t.Errorf("%v, got\n%s", err, out.String())
		}
	}
	if _, _, err := readText("nothing\n", nil); err == nil {
		t.Error("a text without events")
	}
}

// TestROS2 reads a message that two callbacks take, as three recorders tell of it: the transport, ROS 2 from Jazzy on, and CARET, which tells
// of no take but of what is called back. What several tell counts once. What CARET tells of the transport's own messages has no topic.
func TestROS2(t *testing.T) {
	const setUp = `ros2:rcl_node_init: { node_handle = 0x1, node_name = "eye", namespace = "/" }
ros2:rcl_subscription_init: { subscription_handle = 0x10, node_handle = 0x1, rmw_subscription_handle = 0x11, topic_name = "/seen" }
ros2:rclcpp_subscription_init: { subscription_handle = 0x10, subscription = 0x12 }
ros2:rclcpp_subscription_callback_added: { subscription = 0x12, callback = 0x13 }
ros2:rcl_publisher_init: { publisher_handle = 0x20, node_handle = 0x1, rmw_publisher_handle = 0x21, topic_name = "/seen" }
dds:create_writer: { writer = 0x30, topic_name = "rt/seen" }
`
	const (
		dds    = "dds:write: { writer = 0x30, data = 0x5, timestamp = 77 }\n"
		caret  = "ros2:rcl_publish: { publisher_handle = 0x20, message = 0x5 }\nros2_caret:dds_bind_addr_to_stamp: { addr = 0x5, source_stamp = 77 }\n"
		own    = "ros2_caret:dds_bind_addr_to_stamp: { addr = 0x6, source_stamp = 78 }\n"
		jazzy  = "ros2:rmw_publish: { rmw_publisher_handle = 0x21, message = 0x5, timestamp = 77 }\n"
		humble = "ros2:rmw_publish: { message = 0x5 }\n"
		taken  = "ros2:rmw_take: { rmw_subscription_handle = 0x11, message = 0x7, source_timestamp = 77, taken = 1 }\n"
		called = "ros2:dispatch_subscription_callback: { message = 0x7, callback = 0x13, source_timestamp = 77, message_timestamp = 0 }\n"
		run    = "ros2:callback_start: { callback = 0x13, is_intra_process = 0 }\nros2:callback_end: { callback = 0x13 }\n"
	)
	for events, want := range map[string]string{
		dds + taken + run + taken + run:                                           "/seen2",
		jazzy + taken + run + taken + run:                                         "/seen2",
		humble + caret + called + run + called + run:                              "/seen2",
		caret + own + called + run:                                                "/seen1 ros21",
		caret + dds + own + jazzy + taken + called + run + taken + called + run:   "/seen2",
		caret + jazzy + own + taken + called + run + taken + called + run + taken: "/seen3",
	} {
		var text strings.Builder
		for line := range strings.Lines(setUp + events) {
			name, fields, _ := strings.Cut(line, " ")
			fmt.Fprintf(&text, "[1.%09d] robot %s { cpu_id = 0 }, { vpid = 1, procname = \"eye\", vtid = 1 }, %s", text.Len(), name, fields)
		}
		rows, _, err := readText(text.String(), nil)
		sent, received := make(map[string]int), make(map[string]int)
		for _, r := range rows {
			switch label := r.Mark.Label; r.Mark.Direction {
			case schema.Send:
				sent[label]++
			case schema.Receive:
				received[label]++
			}
		}
		var got []string
		for _, label := range slices.Sorted(maps.Keys(sent)) {
			got = append(got, fmt.Sprint(label, sent[label]))
		}
		if err != nil || strings.Join(got, " ") != want || received["/seen"] != sent["/seen"] {
			t.Errorf("%s%v: sent %q, want %s, received %v", events, err, got, want, received)
		}
	}
}

// The text that babeltrace2 makes of a trace gives what the trace gives, also where it can be read once only. Events of one time
// on two CPUs may stand in either order, so identifiers of messages are not compared.
func TestTextIsTrace(t *testing.T) {
	program, err := exec.LookPath("babeltrace2")
	if err != nil {
		t.Skip("babeltrace2 is not installed")
	}
	for _, name := range []string{"ros2", "perf-taskset2"} {
		folder := readertest.FolderOf(t, readertest.Unpack(t, readertest.ThirdParty(t, "ctf", "tracecompass", name+".ctf.tar.zst")), "metadata")
		text := expect.Value(exec.Command(program, "--clock-seconds", folder).Output())(t)
		reading := readertest.Reading(fstest.MapFS{"t.txt": {Data: text}}, "t.txt")
		reading.Traces[0].Once = true
		got := readertest.Read(Format(), reading)
		expect.OK(t, got.Err)
		want, ledger, err := read(ctf.Format(), os.DirFS(folder), ".", nil)
		expect.OK(t, err)
		expect.Slice(t, unordered(got.Events), unordered(want), "%s: rows", name)
		expect.Equal(t, got.Ledger.Count(schema.SkippedRecord), ledger.Count(schema.SkippedRecord), "%s: skipped records", name)
	}
}

// unordered returns rows as sorted texts without identifiers.
func unordered(rows []row) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		r.ID = 0
		out[i] = r.String()
	}
	slices.Sort(out)
	return out
}

// TestLongLines passes over lines that are too long.
func TestLongLines(t *testing.T) {
	lines := strings.SplitAfter(story, "\n")
	rows, ledger, err := readText(lines[1]+strings.Repeat("x", 3*maxLine)+"\n"+lines[1], nil)
	if err != nil || len(rows) != 2 || ledger.Count(schema.BadLine) != 1 {
		t.Errorf("%d rows, %v", len(rows), err)
	}
}

// TestRecorded compares texts with the traces that they were made of: the rows must be the same, but that a text
// without dates has the time of day.
func TestRecorded(t *testing.T) {
	for trace, text := range map[string]string{
		"curl-8.14.1-http-fast-run1.ctf.tar.zst":     "curl-8.14.1-http-fast-run1.babeltrace2.txt.zst",
		"curl-8.14.1-http-slow20ms-run1.ctf.tar.zst": "curl-8.14.1-http-slow20ms-run1.babeltrace2-clockseconds.txt.zst",
	} {
		folder := filepath.Join(readertest.Recordings(t), "ctf")
		data := readertest.Load(t, filepath.Join(folder, text))
		if !Detect(data[:64<<10]) {
			t.Errorf("%s is not detected", text)
		}
		got, _, err := readText(string(data), oneSymbol{})
		want, _, err2 := read(ctf.Format(), os.DirFS(readertest.FolderOf(t, readertest.Unpack(t, filepath.Join(folder, trace)), "metadata")), ".", oneSymbol{})
		if err != nil || err2 != nil || len(got) != len(want) || len(got) < 12000 {
			t.Fatalf("%s: %d rows and %d, %v, %v", text, len(got), len(want), err, err2)
		}
		for i := range got {
			if got[i].Ns < day {
				want[i].Ns %= day
			}
			expect.Equal(expect.Must(t), got[i], want[i], "%s: row %d", text, i)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(story)
	f.Add("[1.000000001] a: { x = \"\\\" }\n[1.000000001] lttng_ust_cyg_profile:func_exit: { }, { addr = -5 }")
	f.Fuzz(func(t *testing.T, text string) {
		rows, ledger, _ := readText(text, nil)
		for _, r := range rows {
			if r.Key.Component == "" || r.Key.Lifeline == "" || r.Key.Function == "" {
				t.Errorf("empty names: %+v", r)
			}
		}
		lines := int64(strings.Count(text, "\n") + 1)
		// An execution of no time that has a message is three rows.
		if int64(len(rows))/3+ledger.Count(schema.BadLine)+ledger.Count(schema.SkippedRecord) > lines {
			t.Errorf("%d rows of %d lines", len(rows), lines)
		}
	})
}

func BenchmarkRead(b *testing.B) {
	lines := strings.SplitAfter(story, "\n")
	text := []byte(strings.Repeat(lines[1]+lines[10], 100_000))
	files := fstest.MapFS{"t.txt": {Data: text}}
	b.SetBytes(int64(len(text)))
	readertest.Benchmark(b, Format(), func() *schema.Reading { return readertest.Reading(files, "t.txt") }, 200_000)
}

// TestNames reads the same events as they are printed with other options: with names of all parts, and with the level of events.
func TestNames(t *testing.T) {
	events := func(lines string) string {
		rows, ledger, err := readText(lines, nil)
		expect.OK(t, err)
		var out strings.Builder
		for _, r := range rows {
			fmt.Fprintln(&out, r)
		}
		for _, l := range ledger.Losses("") {
			fmt.Fprintln(&out, l.Reason, l.Kind(), l.Count)
		}
		expect.Equal(t, Detect([]byte(lines)), true, "%s", lines)
		return out.String()
	}
	want := events(`[1700000000.000000001] (+?.?????????) vm app:f_begin: { cpu_id = 0 }, { vtid = 5, procname = "prog" }, { what = "a, { name = b }", n = 1 }
[1700000000.000000002] (+0.000000001) vm app:other: { cpu_id = 0 }, { vtid = 5, procname = "prog" }, { }
[1700000000.000000009] (+0.000000007) vm app:f_end: { cpu_id = 0 }, { vtid = 5, procname = "prog" }, { }
`)
	if strings.Count(want, "\n") < 3 {
		t.Fatalf("no event in\n%s", want)
	}
	expect.Equal(t, events(`timestamp = 1700000000.000000001, delta = +?.?????????, trace = vm, , trace:hostname = vm, trace:domain = ust, loglevel = TRACE_DEBUG (14), name = app:f_begin, stream.packet.context = { cpu_id = 0 }, stream.event.context = { vtid = 5, procname = "prog" }, event.fields = { what = "a, { name = b }", n = 1 }
timestamp = 1700000000.000000002, trace:hostname = vm, name = app:other, stream.packet.context = { cpu_id = 0 }, stream.event.context = { vtid = 5, procname = "prog" }, event.fields = { }
timestamp = 1700000000.000000009, trace:hostname = vm, name = app:f_end, stream.packet.context = { cpu_id = 0 }, stream.event.context = { vtid = 5, procname = "prog" }, event.fields = { }
`), want, "with all names")
	expect.Equal(t, events(`[1700000000.000000001] vm TRACE_DEBUG (14) app:f_begin: { cpu_id = 0 }, { vtid = 5, procname = "prog" }, { what = "a, { name = b }", n = 1 }
[1700000000.000000002] vm TRACE_INFO (6) app:other: { cpu_id = 0 }, { vtid = 5, procname = "prog" }, { }
[1700000000.000000009] vm TRACE_DEBUG (14) app:f_end: { cpu_id = 0 }, { vtid = 5, procname = "prog" }, { }
`), want, "with levels")
}
