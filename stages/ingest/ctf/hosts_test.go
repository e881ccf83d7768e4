package ctf

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// apart are the traces of two hosts, the clock of the second of which is 5000 ns ahead. Segments take 100 ns in either direction. One is sent
// twice and arrives after its second departure, one arrives twice, one is not of TCP on its way, and one goes from a host to itself.
const apart = `host a kernel
1000 0 net_dev_queue | seq=1 ack_seq=1
1900 0 netif_receive_skb | seq=2 ack_seq=1
2000 0 net_dev_queue | seq=3 ack_seq=1
2001 0 net_dev_queue | seq=3 ack_seq=1
2500 0 net_dev_queue | seq=4 ack_seq=1
3000 0 net_dev_queue | seq=5 ack_seq=1
3001 0 netif_receive_skb | seq=5 ack_seq=1
host b kernel
6100 0 netif_receive_skb | seq=1 ack_seq=1
6800 0 net_dev_queue | seq=2 ack_seq=1
7001 0 netif_receive_skb | seq=3 ack_seq=1
7501 0 netif_receive_skb | seq=4 ack_seq=1
7502 0 netif_receive_skb | seq=4 ack_seq=1
`

// readHosts reads a script with options of clocks, and returns its messages by their ends, what is known of the clocks, and what is said.
func readHosts(t *testing.T, text string, clocks schema.Clocks) (events []string, bounds []schema.ClockBound, said []string) {
	t.Helper()
	fsys, folders := parseScript(t, text).traces(t, false)
	reading := readertest.Reading(fsys, "")
	reading.Options.Clocks, reading.Traces = clocks, nil
	for _, dir := range folders {
		reading.Traces = append(reading.Traces, schema.Trace{FS: fsys, Path: dir})
	}
	r := newReader(reading)
	var read readertest.Result
	expect.OK(t, r.Read(read.Collect(r)))
	for _, e := range read.Events {
		if e.Mark.Direction != 0 {
			events = append(events, fmt.Sprint(e.Ns, " ", e.Key.Lifeline))
		}
	}
	bounds, said = r.Clocks()
	return events, bounds, said
}

// TestClocksOfSegments relates the clocks of two hosts by what left one once and arrived at the other once: the offset lies between 4900 and 5100 ns.
func TestClocksOfSegments(t *testing.T) {
	_, bounds, _ := readHosts(t, apart, schema.Clocks{Mode: schema.ClocksAuto})
	if len(bounds) != 1 {
		t.Fatalf("bounds %+v", bounds)
	}
	expect.Equal(t, *bounds[0].OffsetLeastNs, -5100, "at least")
	expect.Equal(t, *bounds[0].OffsetMostNs, -4900, "at most")
	events, _, _ := readHosts(t, apart, schema.Clocks{Mode: schema.ClocksAuto})
	expect.Slice(t, events, []string{
		"1000 a/cpu/0", "1100 b/cpu/0", "1800 b/cpu/0", "1900 a/cpu/0", "2000 a/cpu/0", "2001 b/cpu/0", "2500 a/cpu/0", "2501 b/cpu/0", "2502 b/cpu/0", "3000 a/cpu/0", "3001 a/cpu/0",
	}, "events by one clock")
	for _, mode := range []string{"", schema.ClocksKeep} {
		events, bounds, said := readHosts(t, apart, schema.Clocks{Mode: mode})
		expect.Equal(t, len(bounds)+len(said), 0, "%q: what is known of clocks that are kept", mode)
		expect.Equal(t, events[len(events)-1], "7502 b/cpu/0", "%q: the last event", mode)
	}
}

// TestClocksThatAreKnown takes off what the user says that a clock is ahead, and says which clocks there are where one has another name.
func TestClocksThatAreKnown(t *testing.T) {
	events, _, said := readHosts(t, apart, schema.Clocks{Mode: schema.ClocksKeep, AheadNs: map[string]int64{"b": 5000, "c": 1}})
	expect.Equal(t, events[1], "1100 b/cpu/0", "an event of the clock that is ahead")
	expect.Slice(t, said, []string{"no clock is called c: the clocks of this trace are a, b"}, "what is said")
	events, _, _ = readHosts(t, apart, schema.Clocks{Mode: schema.ClocksKeep, Of: "file", AheadNs: map[string]int64{"t1": 5000}})
	expect.Equal(t, events[1], "1100 b/cpu/0", "clocks of files")
	events, _, _ = readHosts(t, apart, schema.Clocks{Mode: schema.ClocksAuto, AheadNs: map[string]int64{"b": 4990}})
	expect.Equal(t, events[1], "1110 b/cpu/0", "clocks that agree once what is known is taken off")
}

// TestClocksOfTopics relates clocks by messages of ROS 2 that one host takes; one that two hosts take says nothing.
func TestClocksOfTopics(t *testing.T) {
	_, bounds, _ := readHosts(t, `host a ust
1000 0 dds:write vpid=1 vtid=1 | writer=1 timestamp=1
1900 0 ros2:rmw_take vpid=1 vtid=1 | rmw_subscription_handle=1 source_timestamp=2 taken=1
2000 0 dds:write vpid=1 vtid=1 | writer=1 timestamp=3
2100 0 ros2:rmw_take vpid=1 vtid=1 | rmw_subscription_handle=1 source_timestamp=3 taken=1
3000 0 dds:write vpid=1 vtid=1 | writer=1 timestamp=4
host b ust
6100 0 ros2:rmw_take vpid=1 vtid=1 | rmw_subscription_handle=1 source_timestamp=1 taken=1
6800 0 dds:write vpid=1 vtid=1 | writer=1 timestamp=2
7001 0 ros2:rmw_take vpid=1 vtid=1 | rmw_subscription_handle=1 source_timestamp=3 taken=1
7900 0 ros2:rmw_take vpid=1 vtid=1 | rmw_subscription_handle=1 source_timestamp=4 taken=0
`, schema.Clocks{Mode: schema.ClocksAuto})
	if len(bounds) != 1 || *bounds[0].OffsetLeastNs != -5100 || *bounds[0].OffsetMostNs != -4900 {
		t.Errorf("bounds %+v", bounds)
	}
}

// TestClocksWithoutHosts tells the clocks of traces apart that name no host: by what the clocks say of themselves.
func TestClocksWithoutHosts(t *testing.T) {
	clocksOf := func(host, uuid string) string {
		s := parseScript(t, "host H ust\n1 0 app:x_begin\n2 0 app:x_end\n")
		text := strings.Replace(string(s[0].metadata()), `hostname = "H"; `, host, 1)
		text = strings.Replace(text, "clock { name = c;", "clock { name = c; "+uuid, 1)
		fsys := fstest.MapFS{"t/metadata": {Data: []byte(text)}, "t/s": {Data: s[0].streams()[0]}}
		reading := readertest.Reading(fsys, "t")
		reading.Options.Clocks.AheadNs = map[string]int64{"?": 1}
		r := newReader(reading)
		var read readertest.Result
		expect.OK(t, r.Read(read.Collect(r)))
		_, said := r.Clocks()
		_, list, _ := strings.Cut(strings.Join(said, "\n"), "are ")
		return list
	}
	const uuid = `uuid = "12";`
	expect.Equal(t, clocksOf("", uuid), "clock 12", "no host")
	expect.Equal(t, clocksOf(`hostname = "h"; `, uuid), "h", "a host")
	expect.Equal(t, clocksOf("", ""), "", "neither")
}
