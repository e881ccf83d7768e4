package otf2

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// exchange is two ranks. Rank 0 (location 0) sends twice, rank 1 receives. Location 1 has identifiers of its own,
// by a dense table of regions and a sparse one of communicators, and its clock is 10 behind at 1100, 30 at 1300.
func exchange(big bool) map[string][]byte {
	sender := newPen(big, testChunk).header(1, 8)
	sender.time(1100).call(evEnter, 0).call(evEnter, 1)
	sender.time(1120).record(evMpiSend, 1, 0, 7, 64)
	sender.record(evAttributes, 1, 0, byte(4), 5) // belongs to the next
	sender.record(evMpiIsend, 1, 0, 7, 64, 1)
	sender.time(1130).call(evLeave, 1)
	sender.record(evMpiSend, 0, 1, 9, 1) // to itself, which nobody receives
	sender.call(evLeave, 0)
	sender.call(evIsendComplete, 1)

	local := newPen(big, testChunk).header(1, 0)
	local.record(defMapping, byte(mapRegions), 2, byte(0), 2, 1)   // 0 is work, 1 is MPI_Send
	local.record(defMapping, byte(mapComms), 1, byte(1), 3, 0)     // 3 is world
	local.record(defOffset, local.word(1300), 30, [8]byte{})       // in any order
	local.record(defOffset, local.word(1100), 10, [8]byte{}, 1, 2) // of a later version
	receiver := newPen(big, testChunk).header(1, 5)
	receiver.time(1100).call(evEnter, 0)
	receiver.time(1200).record(evMpiRecv, 0, 3, 7, 64)
	receiver.time(1250).call(evLeave, 0)
	receiver.record(evMpiRecv, 0, 3, 7, 64)
	receiver.time(1500).record(83, 0, 0)
	return map[string][]byte{
		"0.evt": sender.raw(endOfFile).bytes, "1.evt": receiver.raw(endOfFile).bytes, "1.def": local.raw(endOfFile).bytes,
	}
}

// The times of location 1: 1100 + 10 - 1000 = 110, 1200 + 20 - 1000 = 220, 1250 + 25 - 1000 = 275.
var exchanged = strings.Split(`100 rank 0/thread enter main.c.main
100 rank 0/thread enter MPI.MPI_Send
110 rank 1/thread enter rank 1.work
120 rank 0/thread message MPI.MPI_Send send m0 world/7
120 rank 0/thread message MPI.MPI_Send send m1 world/7
130 rank 0/thread exit MPI.MPI_Send
130 rank 0/thread message main.c.main send m2 communicator 1/9
130 rank 0/thread exit main.c.main
220 rank 1/thread message rank 1.work receive m0 world/7
275 rank 1/thread exit rank 1.work
275 rank 1/thread enter rank 1.receive receive m1 world/7
275 rank 1/thread exit rank 1.receive`, "\n")

func TestExchange(t *testing.T) {
	for _, big := range []bool{false, true} {
		got := listen(archive(big, global(big).raw(endOfFile).bytes, exchange(big)), "a.otf2", schema.ReadingOptions{}, true)
		if got.Err != nil {
			t.Fatal(got.Err)
		}
		same(t, "event", got.lines(), exchanged)
		same(t, "loss", got.losses(), []string{"skipped_record 3 a/0.evt@0x32: record of type 6"})
	}
}

// TestComponents: the regions of global have files main.c, MPI and none, and paradigms 1, 4 and 1, of which only
// 4 has a name.
func TestComponents(t *testing.T) {
	for option, want := range map[string]string{
		"": "main.c MPI rank 1", "file": "main.c MPI rank 1", "process": "rank 0 rank 0 rank 1", "paradigm": "paradigm 1 MPI paradigm 1",
	} {
		got := listen(archive(false, global(false).raw(endOfFile).bytes, exchange(false)), "a.otf2", schema.ReadingOptions{Component: option}, true)
		components := map[string]string{}
		for _, k := range got.Keys {
			components[k.Function] = k.Component
		}
		expect.Equal(t, components["main"]+" "+components["MPI_Send"]+" "+components["work"], want, "component %q", option)
	}
	expect.Refused(t, Format().CheckComponent("unit"), `"unit": one of file process paradigm`, "component unit")
}

// TestPosted: after a receive of tag 9 that blocks and one that is posted and never ends, three receives are posted,
// the second for another tag; they end in the order 3, 1, 2. The third was posted behind the first, so it gets the
// second message of tag 7. Two more end in the order in which they were posted.
func TestPosted(t *testing.T) {
	sender := newPen(false, testChunk).header(1, 8)
	sender.time(2000).call(evEnter, 0)
	for _, tag := range []int{9, 7, 7, 8, 7, 7} { // m0 to m5
		sender.record(evMpiIsend, 1, 0, tag, 64, 1)
	}
	sender.call(evLeave, 0)
	receiver := newPen(false, testChunk).header(1, 17)
	receiver.time(3000).call(evEnter, 0).record(evMpiRecv, 0, 0, 9, 64)
	for _, request := range []uint64{4, 1, 2, 3, 5} {
		receiver.call(evIrecvRequest, request)
	}
	receiver.call(evRequestCancel, 5)
	receiver.record(evMpiIrecv, 0, 0, 7, 64, 3)
	receiver.record(evMpiIrecv, 0, 0, 7, 64, 1)
	receiver.record(evMpiIrecv, 0, 0, 8, 64, 2)
	receiver.call(evIrecvRequest, 6).call(evIrecvRequest, 7)
	receiver.record(evMpiIrecv, 0, 0, 7, 64, 6)
	receiver.record(evMpiIrecv, 0, 0, 7, 64, 7)
	receiver.call(evIsendComplete, 1)
	receiver.call(evLeave, 0)
	got := listen(archive(false, global(false).raw(endOfFile).bytes, map[string][]byte{
		"0.evt": sender.raw(endOfFile).bytes, "1.evt": receiver.raw(endOfFile).bytes,
	}), "a.otf2", schema.ReadingOptions{}, true)
	if got.Err != nil {
		t.Fatal(got.Err)
	}
	var received []string
	for _, line := range got.lines() {
		if _, word, ok := strings.Cut(line, " receive "); ok {
			received = append(received, word)
		}
	}
	same(t, "receive", received, []string{"m0 world/9", "m2 world/7", "m1 world/7", "m3 world/8", "m4 world/7", "m5 world/7"})
}

// TestThreads: a thread is created, begins, ends and is waited for; one without a name and one that nobody created
// send nothing.
func TestThreads(t *testing.T) {
	main := newPen(false, testChunk).header(1, 4)
	main.time(1100).call(evEnter, 0).record(evThreadCreate, 0, 1)
	main.time(1200).record(evThreadWait, 0, 1).call(evLeave, 0)
	other := newPen(false, testChunk).header(1, 5)
	other.time(1110).record(evThreadBegin, 0, 1).record(evThreadBegin, 0, 2).record(evThreadBegin, undefined, 1).record(evThreadBegin, 0, 1)
	other.time(1120).record(evThreadEnd, 0, 1)
	got := listen(archive(false, global(false).raw(endOfFile).bytes, map[string][]byte{
		"0.evt": main.raw(endOfFile).bytes, "1.evt": other.raw(endOfFile).bytes,
	}), "a.otf2", schema.ReadingOptions{Component: "process"}, true)
	same(t, "event", got.lines(), []string{
		"100 rank 0/thread enter rank 0.main",
		"100 rank 0/thread message rank 0.main send t0 create",
		"110 rank 1/thread enter rank 1.receive receive t0 create",
		"110 rank 1/thread exit rank 1.receive",
		"120 rank 1/thread enter rank 1.send send t1 join",
		"120 rank 1/thread exit rank 1.send",
		"200 rank 0/thread message rank 0.main receive t1 join",
		"200 rank 0/thread exit rank 0.main",
	})
	same(t, "loss", got.losses(), []string{"skipped_record 3 a/1.evt@0x20: record of type 63"})
	for _, e := range got.Events {
		expect.Equal(t, e.Mark.Coupling == schema.ByWakeup, e.Mark.Direction != schema.NoMessage, "%+v starts or joins a thread", e.Mark)
	}
}

// TestContexts: sampled traces name calling contexts, which name regions.
func TestContexts(t *testing.T) {
	g := global(false)
	g.record(defCallingContext, 4, 2, undefined, undefined).record(defCallingContext, 4, 1, undefined, undefined)
	p := newPen(false, testChunk).header(1, 4)
	p.time(1001).record(evContextEnter, 4, 1).record(68, 4, 1, 0).record(evContextLeave, 4).record(evContextLeave, 9)
	got := listen(archive(false, g.raw(endOfFile).bytes, map[string][]byte{"0.evt": p.raw(endOfFile).bytes}), "a.otf2", schema.ReadingOptions{}, true)
	same(t, "event", got.lines(), []string{
		"1 rank 0/thread enter MPI.MPI_Send", "1 rank 0/thread exit MPI.MPI_Send", "1 rank 0/thread exit rank 0.region -1",
	})
	same(t, "loss", got.losses(), []string{
		"duplicate_definition 1 a.def@0x11c: definition 4 of type 34",
		"skipped_record 1 a/0.evt@0x21: record of type 68", "undefined_token 2 a.def: no calling context 9",
	})
}

// TestWindows reads through windows of every size, and gets the same.
func TestWindows(t *testing.T) {
	fsys := archive(true, global(true).raw(endOfFile).bytes, exchange(true))
	for size := 1; size < 100; size++ {
		r := &reader{reading: &schema.Reading{Ledger: new(schema.Ledger)}}
		r.anchor = anchor{testChunk, testChunk}
		file := expect.Value(fsys.Open("a/0.evt"))(t)
		c := newChunks(file, "a/0.evt", testChunk, size)
		var kinds []byte
		for {
			kind, err := c.record()
			if err == errCount { // nobody counts here
				break
			}
			if err != nil {
				t.Fatal(size, err)
			}
			kinds = append(kinds, kind)
			if kind == evTime {
				err = c.need(8)
				c.at += 8
			} else if single[kind] {
				_, err = c.single()
			} else {
				_, err = c.body()
			}
			if err != nil {
				t.Fatal(size, err)
			}
		}
		if want := []byte{5, 12, 12, 5, 14, 6, 15, 5, 13, 14, 13, 16}; !slices.Equal(kinds, want) {
			t.Fatal(size, kinds)
		}
	}
}

// TestGlobalMembers: members of a group may be locations themselves, whatever its type.
func TestGlobalMembers(t *testing.T) {
	g := global(false).record(defGroup, 3, 0, byte(0), 2, 0, 1, byte(groupComm), byte(4), globalMembers).record(defComm, 2, 9, 3, undefined, 0)
	from, to := newPen(false, testChunk).header(1, 1), newPen(false, testChunk).header(1, 1)
	from.time(1000).record(evMpiSend, 1, 2, 1, 1)
	to.time(1001).record(evMpiRecv, 0, 2, 1, 1)
	got := listen(archive(false, g.raw(endOfFile).bytes, map[string][]byte{"0.evt": from.raw(endOfFile).bytes, "1.evt": to.raw(endOfFile).bytes}),
		"a.otf2", schema.ReadingOptions{}, true)
	same(t, "event", got.lines(), []string{
		"0 rank 0/thread enter rank 0.send send m0 work/1", "0 rank 0/thread exit rank 0.send",
		"1 rank 1/thread enter rank 1.receive receive m0 work/1", "1 rank 1/thread exit rank 1.receive",
	})
}

// TestOneProcess: two ranks are threads of one process, of one name; what they send each other is not mixed up. A
// third thread has no rank. Names are longer than a byte can tell.
func TestOneProcess(t *testing.T) {
	long := strings.Repeat("x", 300)
	g := global(false).record(defString, 20, long).record(defLocation, 1, 7, byte(1), 2, 0).record(defRegion, 3, 20, 0, byte(0), 0xffffffff, 0, 0)
	one, two := newPen(false, testChunk).header(1, 4), newPen(false, testChunk).header(1, 2)
	one.time(1000).call(evEnter, 3).record(evMpiSend, 1, 0, 1, 1).time(1002).record(evMpiRecv, 1, 0, 1, 1).call(evLeave, 3)
	two.time(1001).record(evMpiSend, 0, 0, 1, 1).time(1003).record(evMpiRecv, 0, 0, 1, 1)
	got := listen(archive(false, g.raw(endOfFile).bytes, map[string][]byte{"0.evt": one.raw(endOfFile).bytes, "1.evt": two.raw(endOfFile).bytes}),
		"a.otf2", schema.ReadingOptions{}, true)
	same(t, "event", got.lines(), []string{
		"0 rank 0/thread enter rank 0." + long, "0 rank 0/thread message rank 0." + long + " send m0 world/1",
		"1 rank 0/thread#2 enter rank 0.send send m1 world/1", "1 rank 0/thread#2 exit rank 0.send",
		"2 rank 0/thread message rank 0." + long + " receive m1 world/1", "2 rank 0/thread exit rank 0." + long,
		"3 rank 0/thread#2 enter rank 0.receive receive m0 world/1", "3 rank 0/thread#2 exit rank 0.receive",
	})
}

// TestCrossing: a leave that is not of the innermost call is passed on; messages are of what is left.
func TestCrossing(t *testing.T) {
	p := newPen(false, testChunk).header(1, 5)
	p.time(1000).call(evEnter, 0).call(evEnter, 1).call(evLeave, 0).record(evMpiSend, 1, 0, 1, 1).call(evLeave, 2)
	got := listen(archive(false, global(false).raw(endOfFile).bytes, map[string][]byte{"0.evt": p.raw(endOfFile).bytes}), "a.otf2", schema.ReadingOptions{}, true)
	same(t, "event", got.lines(), []string{
		"0 rank 0/thread enter main.c.main", "0 rank 0/thread enter MPI.MPI_Send", "0 rank 0/thread exit main.c.main",
		"0 rank 0/thread message MPI.MPI_Send send m0 world/1", "0 rank 0/thread exit rank 0.work",
	})
}

// TestOneFile: components are processes where all regions that have a file have the same.
func TestOneFile(t *testing.T) {
	n := &names{definitions: newDefinitions()}
	n.strings[1], n.strings[2], n.strings[3] = "a.c", "", "b.c"
	for id, file := range []uint64{2, 1, 2, 1, undefined, 1, 2} {
		n.regions[uint64(id)] = region{file: file}
	}
	for _, want := range []string{byProcess, byFile} {
		if n.choose(""); n.component != want {
			t.Errorf("%q, want %q", n.component, want)
		}
		n.regions[99] = region{file: 3}
	}
}

// TestMerge: events of four locations at times of few ticks come by time, equal times by location, and those of one
// location as they stand.
func TestMerge(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		files := map[string][]byte{}
		type event struct {
			at       uint64
			location int
		}
		var want []event
		for location := range 2 + random.IntN(3) {
			n, at := random.IntN(10), uint64(1000)
			p := newPen(random.IntN(2) == 0, testChunk).header(1, uint64(n))
			for range n {
				at += uint64(random.IntN(3))
				p.time(at).call(evEnter, uint64(random.IntN(3)))
				want = append(want, event{at, location})
			}
			files[fmt.Sprint(location, ".evt")] = p.raw(endOfFile).bytes
		}
		slices.SortStableFunc(want, func(a, b event) int { return cmp.Compare(a.at, b.at) })
		got := listen(archive(false, global(false).raw(endOfFile).bytes, files), "a.otf2", schema.ReadingOptions{}, false)
		names := []string{"rank 0/thread", "rank 1/thread", "process -1/location 2", "process -1/location 3"}
		for i, w := range want {
			if i >= len(got.Events) || got.Events[i].Ns != int64(w.at)-1000 || got.Events[i].Key.Lifeline != names[w.location] {
				t.Fatalf("event %d of %q, want %v", i, got.lines(), want)
			}
		}
	}
}

// TestCollectives: a broadcast from rank 0, in the location's own numbers of a communicator in rank 1, within calls of MPI; a scan; an
// operation of a communicator of one process, one of an unknown number and one outside all calls.
func TestCollectives(t *testing.T) {
	for _, big := range []bool{false, true} {
		root := newPen(big, testChunk).header(1, 12)
		root.time(1100).call(evEnter, 0).call(evEnter, 1).record(evMpiCollBegin)
		root.time(1120).record(evMpiCollEnd, byte(1), 0, 0, 8, 0)
		root.call(evLeave, 1).call(evEnter, 1)
		root.time(1130).record(evMpiCollEnd, byte(15), 0, undefined, 8, 8, 1) // of a later version
		root.record(evMpiCollEnd, byte(0), 1, undefined, 0, 0)                // alone
		root.record(evMpiCollEnd, byte(99), 0, undefined, 0, 0)
		root.call(evLeave, 1).call(evLeave, 0)
		root.record(evMpiCollEnd, byte(0), 0, undefined, 0, 0)
		local := newPen(big, testChunk).header(1, 0)
		local.record(defMapping, byte(mapComms), 1, byte(1), 3, 0) // 3 is world
		other := newPen(big, testChunk).header(1, 4)
		other.time(1110).call(evEnter, 1).record(evMpiCollBegin)
		other.time(1140).record(evMpiCollEnd, byte(1), 3, 0, 0, 8)
		other.call(evLeave, 1)
		files := map[string][]byte{
			"0.evt": root.raw(endOfFile).bytes, "1.evt": other.raw(endOfFile).bytes, "1.def": local.raw(endOfFile).bytes,
		}
		got := listen(archive(big, global(big).raw(endOfFile).bytes, files), "a.otf2", schema.ReadingOptions{}, true)
		if got.Err != nil {
			t.Fatal(got.Err)
		}
		same(t, "event", got.lines(), strings.Split(`100 rank 0/thread enter main.c.main
100 rank 0/thread enter MPI.MPI_Send
110 rank 1/thread enter MPI.MPI_Send
120 rank 0/thread exit MPI.MPI_Send
120 rank 0/thread message MPI.MPI_Send gives bcast of world rank 0 of 2
120 rank 0/thread enter MPI.MPI_Send
130 rank 0/thread exit MPI.MPI_Send
130 rank 0/thread message MPI.MPI_Send scans scan of world rank 0 of 2
130 rank 0/thread exit main.c.main
140 rank 1/thread exit MPI.MPI_Send
140 rank 1/thread message MPI.MPI_Send takes bcast of world rank 1 of 2`, "\n"))
		expect.Equal(t, got.Ledger.Count(schema.SkippedRecord), 2, "records skipped")
	}
}
