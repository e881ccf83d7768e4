package chrome

import (
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

// devices find what couples calls of the host and work of devices, as Holistic Trace Analysis needs it for critical paths: a
// call launches work, a call returns when work is done, and a stream waits for another one. All calls with correlations go
// through a sorter, which brings those of one correlation together; what they mean goes through another one, in the order in
// which the host asked for it: of two things in one stream, that order decides which comes first. The messages that are
// found become records like any other. Memory grows with streams, and with events that are recorded and waited for.
type devices struct {
	*reader
	calls  *extsort.Sorter[deviceEvent]
	isUsed bool

	group []deviceEvent // those of one correlation
	names map[word]hostCall
	steps *extsort.Sorter[hostStep]
	sweep sweep
	last  int64 // messages of waits so far
}

// hostStep is something that the host asked for.
type hostStep struct {
	timeNs      int64 // at which it did
	correlation int64
	stream      stream
	call        hostCall // unasked: the work in span is put into the stream
	thread      uint32   // of the host; noThread where that is not known
	span        span     // the work, or the call that waits
	waits       int64    // the stream that is waited for, of the same device
	record      int64    // the event that is waited for; none where the trace does not say
}

// span is a call by its place in the trace.
type span struct {
	from, more int64 // ns: start and duration
	site       uint32
}

func (s span) until() int64 { return s.from + s.more }

// stream is a queue of a device.
type stream struct {
	device word // the pid under which the device is drawn; noWord stands for all
	number int64
}

// anyStream stands for a stream that the trace does not name.
var anyStream = stream{noWord, none}

// noThread is the thread of work of which the trace does not have the call.
const noThread = ^uint32(0)

// inHostOrder sorts steps by time, and those of one time by correlation, which counts calls.
func inHostOrder(a, b *hostStep) int {
	switch {
	case a.timeNs != b.timeNs:
		if a.timeNs < b.timeNs {
			return -1
		}
		return 1
	case a.correlation < b.correlation:
		return -1
	case a.correlation > b.correlation:
		return 1
	}
	return 0
}

// takeFlow takes an end of a flow that a profiler draws from a call to the work of its correlation. They go the same way
// as the calls, since some of them are missing and some lead to what is drawn apart.
func (d *devices) takeFlow(rec *record, number int64) error {
	return d.calls.Add(deviceEvent{correlation: number, timeNs: rec.timeNs, more: rec.more, site: rec.site, what: rec.what, role: flowing})
}

// couple gives all messages between calls and work to the sorter of the records.
func (d *devices) couple(memory int64) error {
	d.steps = extsort.NewSorter(inHostOrder, memory, d.reading.Scratch)
	defer d.steps.Close()
	d.names = make(map[word]hostCall)
	if err := d.calls.Each(func(e *deviceEvent) error {
		if len(d.group) > 0 && d.group[0].correlation != e.correlation {
			if err := d.settleGroup(); err != nil {
				return err
			}
		}
		d.group = append(d.group, *e)
		return nil
	}); err != nil {
		return err
	}
	if len(d.group) == 0 {
		return nil
	}
	if err := d.settleGroup(); err != nil || !d.isUsed {
		return err
	}
	d.sweep = sweep{devices: d, queues: make(map[stream]*queue), launched: make(map[uint32]stream), recorded: make(map[uint32]span), events: make(map[putEvent]span)}
	return d.steps.Each(d.sweep.take)
}

// settleGroup looks at the calls of one correlation. (1) Its flows become messages, (2) those that are missing between the call
// and its work are added, (3) and the steps that follow from it are noted.
func (d *devices) settleGroup() error {
	host := -1
	for i := range d.group {
		if d.group[i].role == asking {
			if host >= 0 { // two processes share the number, and nothing tells what belongs to which
				host = -1
				break
			}
			host = i
		}
	}
	sent, received := false, 0
	for i := range d.group {
		e := &d.group[i]
		if e.role != flowing {
			continue
		}
		sent = sent || e.what == send
		if e.what != send && d.receives(e) {
			received++
		}
		if err := d.sort(record{timeNs: e.timeNs, more: e.more, site: e.site, what: e.what}); err != nil {
			return err
		}
	}
	if host >= 0 {
		if err := d.launch(&d.group[host], sent); err != nil {
			return err
		}
	}
	err := d.note(host)
	d.group = d.group[:0]
	return err
}

// receives finds the call of the device that an end of a flow belongs to: what begins at its time. It is noted there, and an
// end that belongs to what is drawn apart goes to its thread.
func (d *devices) receives(end *deviceEvent) bool {
	for i := range d.group {
		e := &d.group[i]
		if (e.role == working || e.role == waiting) && e.timeNs == end.timeNs && e.what == complete {
			e.what = receive // it has its message
			at, of := d.sites.tracks[d.sites.list[e.site].track], d.sites.list[end.site]
			end.site = d.sites.of(spot{at.pid, at.tid, of.name, of.cat, of.name, 0})
			return true
		}
	}
	return false
}

// launch adds the messages from a call to its work that no flow shows.
func (d *devices) launch(host *deviceEvent, sent bool) error {
	flow := d.words.of([]byte(launchFlow))
	id := int64(mix(mix(uint64(host.correlation), launched), uint64(flow)))
	for i := range d.group {
		if e := &d.group[i]; e.role == flowing && e.what == send {
			id, flow = e.more, d.sites.list[e.site].name
		}
	}
	at := func(e *deviceEvent) uint32 {
		t := d.sites.tracks[d.sites.list[e.site].track]
		return d.sites.of(spot{t.pid, t.tid, flow, flow, flow, 0})
	}
	for i := range d.group {
		e := &d.group[i]
		if e.role != working || e.what != complete {
			continue
		}
		if !sent {
			sent = true
			if err := d.sort(record{timeNs: host.timeNs, more: id, site: at(host), what: send}); err != nil {
				return err
			}
		}
		if err := d.sort(record{timeNs: e.timeNs, more: id, site: at(e), what: receive}); err != nil {
			return err
		}
	}
	return nil
}

// launched sets the identifiers of messages that no flow shows apart from those of flows.
const launched = 1 << 41

// note gives the steps of a correlation to their sorter. host is the position of the call of the host, -1 where there is none.
func (d *devices) note(host int) error {
	step := hostStep{correlation: d.group[0].correlation, thread: noThread}
	call, from := unasked, int64(0)
	if host >= 0 {
		h := &d.group[host]
		call, from = d.callOf(h.site), h.timeNs
		step.thread, step.timeNs, step.span, step.call = d.sites.list[h.site].track, from, h.span(), call
	}
	isSaid := false // which stream or event the call means
	for i := range d.group {
		e := &d.group[i]
		s := step
		s.stream = stream{d.sites.tracks[d.sites.list[e.site].track].pid, e.stream}
		switch {
		case e.role == working:
			if s.span, s.call = e.span(), unasked; host < 0 {
				s.timeNs = e.timeNs
			}
			if call == copies && e.span().until() <= step.span.until() {
				if err := d.await(e.span(), step.span); err != nil {
					return err
				}
			}
		case e.role == waiting && (call == awaitDevice || call == awaitStream || call == awaitEvent || call == streamWaits):
			isSaid = true
			s.waits, s.record = e.waits, e.record
		case e.role == wanted && call == recordEvent:
			s.stream.number = e.waits
		default:
			continue
		}
		if err := d.steps.Add(s); err != nil {
			return err
		}
	}
	if host < 0 || call == unasked || call == copies || isSaid {
		return nil
	}
	step.stream, step.record = anyStream, none
	return d.steps.Add(step)
}

func (e *deviceEvent) span() span { return span{e.timeNs, e.more, e.site} }

// callOf is what the name of a site means.
func (d *devices) callOf(site uint32) hostCall {
	name := d.sites.list[site].name
	if d.names[name] == 0 {
		d.names[name] = hostCallOf(d.words.texts[name])
	}
	return d.names[name]
}
