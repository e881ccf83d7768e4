package chrome

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// exchanges are the messages of a trace, as "label: who sends at the start or end, ns, to who receives", sorted.
func exchanges(r result) []string {
	sent, all, last := map[int64]string{}, map[string]bool{}, map[string]schema.Kind{}
	for _, e := range r.events {
		if e.Kind != schema.Message { // further messages belong to the row before
			last[e.Lifeline] = e.Kind
		}
		at := fmt.Sprintf("%s %c %d", e.Function, "><"[last[e.Lifeline]], e.TimeNs)
		if e.Direction == schema.Receive && sent[e.ID] != "" {
			all[e.Label+": "+sent[e.ID]+" to "+at] = true
		}
		if e.Direction == schema.Send {
			sent[e.ID] = at
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// hosted is a program that asks a device for work in random order, and what it waits for.
type hosted struct {
	*rand.Rand
	now      int64 // us of the host
	calls    int64 // correlations so far
	records  bool  // the trace says which stream or event a call means
	flows    bool  // it has flows from calls to work
	lines    []string
	want     []string
	ends     map[string]int64 // of kernels, in us
	streams  [3]string        // the last kernel in each
	free     [3]int64         // the time at which a stream is done
	before   [3][]string      // kernels that a stream waits for
	events   map[int64]int    // streams of events by the calls that recorded them
	standing map[int64]string // the kernels before them
	awaited  [3]bool
}

// line writes a call.
func (h *hosted) line(cat, name string, pid, tid, from, until int64, args string) {
	h.lines = append(h.lines, fmt.Sprintf(`{"ph":"X","cat":%q,"name":%q,"pid":%d,"tid":%d,"ts":%d,"dur":%d,"args":{"correlation":%d%s}}`,
		cat, name, pid, tid, from, until-from, h.calls, args))
}

// host writes a call of the host, which waits for a kernel unless that is "".
func (h *hosted) host(name string, kernels ...string) {
	from := h.now
	h.now++
	for _, k := range kernels {
		h.now = max(h.now, h.ends[k]+h.Int64N(2))
	}
	for _, k := range kernels {
		if k != "" {
			h.want = append(h.want, fmt.Sprintf("synchronisation: %s < %d to %s < %d", k, h.ends[k]*1000, name, h.now*1000))
		}
	}
	h.line("cuda_runtime", name, 900, 1, from, h.now, "")
	h.now += 1 + h.Int64N(3)
}

// sync writes the record of a wait.
func (h *hosted) sync(name string, tid int64, args string) {
	if h.records {
		h.line("cuda_sync", name, 0, tid, h.now-1, h.now, args)
	}
}

// launch puts a kernel into a stream.
func (h *hosted) launch(s int) {
	name, from := fmt.Sprint("k", h.calls), h.now
	h.host("cudaLaunchKernel")
	start := max(from+1+h.Int64N(3), h.free[s])
	for _, k := range h.before[s] {
		start = max(start, h.ends[k])
	}
	for _, k := range h.before[s] {
		h.want = append(h.want, fmt.Sprintf("synchronisation: %s < %d to %s > %d", k, h.ends[k]*1000, name, start*1000))
	}
	h.ends[name], h.before[s], h.streams[s], h.awaited[s] = start+1+h.Int64N(9), nil, name, false
	h.free[s] = h.ends[name]
	h.line("kernel", name, 0, int64(s), start, h.ends[name], fmt.Sprintf(`,"stream":%d`, s))
	if h.want = append(h.want, fmt.Sprintf("ac2g: cudaLaunchKernel > %d to %s > %d", from*1000, name, start*1000)); h.flows {
		for _, end := range []struct {
			phase         string
			pid, tid, now int64
		}{{`s`, 900, 1, from}, {`f","bp":"e`, 0, int64(s), start}} {
			h.lines = append(h.lines, fmt.Sprintf(`{"ph":"%s","cat":"ac2g","name":"ac2g","id":%d,"pid":%d,"tid":%d,"ts":%d}`, end.phase, h.calls, end.pid, end.tid, end.now))
		}
	}
}

// step does something at random. Without records only what can be told without them.
func (h *hosted) step() {
	h.calls++
	s := h.IntN(3)
	event := int64(-1)
	if all := slices.Sorted(maps.Keys(h.events)); len(all) > 0 {
		event = all[h.IntN(len(all))]
	}
	switch h.IntN(8) {
	case 0:
		h.host("cudaEventRecord")
		if h.records {
			h.events[h.calls], h.standing[h.calls] = s, h.streams[s]
		}
	case 1:
		if k := h.standing[event]; k != "" {
			h.host("cudaEventSynchronize", k)
			h.sync("Event Sync", -1, fmt.Sprintf(`,"stream":-1,"wait_on_stream":%d,"wait_on_cuda_event_record_corr_id":%d`, h.events[event], event))
		}
	case 2:
		if k := h.standing[event]; k != "" {
			h.host("cudaStreamWaitEvent")
			h.sync("Stream Wait Event", int64(s), fmt.Sprintf(`,"stream":%d,"wait_on_stream":%d,"wait_on_cuda_event_record_corr_id":%d`, s, h.events[event], event))
			h.before[s] = append(h.before[s], k)
		}
	case 3:
		if h.records && !h.awaited[s] {
			h.awaited[s] = true
			h.host("cudaStreamSynchronize", h.streams[s])
			h.sync("Stream Sync", int64(s), fmt.Sprintf(`,"stream":%d`, s))
		}
	case 4:
		var kernels []string
		for s, k := range h.streams {
			if !h.awaited[s] {
				kernels = append(kernels, k)
			}
			h.awaited[s] = true
		}
		h.host("cudaDeviceSynchronize", kernels...)
		h.sync("Context Sync", -1, `,"stream":-1`)
	default:
		h.launch(s)
	}
}

// What a program waited for is found in its trace, in any order of lines, with little memory, with flows and without,
// and with records of the waits and, as far as it goes, without.
func TestDevices(t *testing.T) {
	for seed := range uint64(60) {
		h := &hosted{Rand: rand.New(rand.NewPCG(seed, 21)), ends: map[string]int64{}, events: map[int64]int{}, standing: map[int64]string{},
			records: seed%3 > 0, flows: seed%2 > 0}
		for range 5 + seed {
			h.step()
		}
		h.Shuffle(len(h.lines), func(i, j int) { h.lines[i], h.lines[j] = h.lines[j], h.lines[i] })
		slices.Sort(h.want)
		want := slices.Compact(h.want) // a stream may be told twice to wait for an event
		for _, memory := range []int64{1, 1 << 30} {
			r := read("["+strings.Join(h.lines, ",\n")+"]", options{memory: memory})
			if got := exchanges(r); !slices.Equal(got, want) || r.err != nil || len(r.faults()) > 0 {
				t.Fatalf("seed %d, memory %d: %v %v\ngot  %s\nwant %s\n%s", seed, memory, r.err, r.losses, strings.Join(got, "\n     "), strings.Join(want, "\n     "), r)
			}
		}
	}
}

// The waits of real profiles: a thread waits for an event, a stream for one of another stream, and a device for all.
func TestDevicesRecorded(t *testing.T) {
	for path, want := range map[string][]string{
		"cuda_event_sync": {
			"Memcpy DtoH (Device -> Pageable) < to cudaStreamSynchronize <",
			"at::cuda::(anonymous namespace)::spin_kernel(long) < to cudaDeviceSynchronize <",
			"at::cuda::(anonymous namespace)::spin_kernel(long) < to cudaEventSynchronize <",
		},
		"cuda_event_sync_multi_stream": {
			"ampere_sgemm_128x64_nn < to Memset (Device) >", // on stream 24, behind stream 20
			"ampere_sgemm_128x64_nn < to cudaDeviceSynchronize <",
			"ampere_sgemm_128x64_nn < to cudaDeviceSynchronize <",
			"ampere_sgemm_128x64_nn < to cudaDeviceSynchronize <",
		},
	} {
		var got []string
		for _, m := range exchanges(read(unpacked(t, filepath.Join(readertest.ThirdParty(t, "kineto"), path+".json.gz")), options{})) {
			if rest, found := strings.CutPrefix(m, awaitedLabel+": "); found {
				from, to, _ := strings.Cut(rest, " to ")
				got = append(got, from[:strings.LastIndexByte(from, ' ')]+" to "+to[:strings.LastIndexByte(to, ' ')])
			}
		}
		slices.Sort(got)
		expect.Equal(t, strings.Join(got, "\n"), strings.Join(want, "\n"), "%s", path)
	}
}

// A call may wait for work that has ended only behind it, by its clock: nothing is made of that, and it is counted.
func TestUnprovenWait(t *testing.T) {
	r := read(`[{"ph":"X","name":"cudaLaunchKernel","ts":1,"dur":1,"pid":1,"tid":1,"args":{"correlation":1}},
		{"ph":"X","name":"k","ts":2,"dur":9,"pid":0,"tid":7,"args":{"correlation":1,"stream":7}},
		{"ph":"X","name":"cudaStreamSynchronize","ts":3,"dur":2,"pid":1,"tid":1,"args":{"correlation":2}},
		{"ph":"X","cat":"cuda_sync","name":"Stream Sync","ts":3,"dur":2,"pid":0,"tid":7,"args":{"correlation":2,"stream":7}}]`, options{})
	expect.Equal(t, len(r.faults()), 1, "losses")
	expect.Equal(t, r.faults()[0].Reason, schema.UnprovenWait.Name, "reason")
	expect.Equal(t, strings.Join(exchanges(r), "\n"), "ac2g: cudaLaunchKernel > 1000 to k > 2000", "messages")
}
