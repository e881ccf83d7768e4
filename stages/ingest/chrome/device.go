package chrome

import "strings"

// launchFlow is the category of flows from calls to the work that they launch: asynchronous CPU to GPU.
const launchFlow = "ac2g"

// The categories of what a profiler draws on the thread of work of a device: records of who waits for it, and what the host
// called it. They overlap that work and call none of it, so they get threads of their own.
const (
	syncRecords = "cuda_sync"
	annotations = "gpu_user_annotation"
)

// deviceArgs are the arguments of a call that tie it to the work of a device.
type deviceArgs struct {
	correlation int64 // of what the host asked for, and of what came of it
	stream      int64 // a queue of the device, in which one thing is done after the other; none for calls of the host
	waits       int64 // the stream that is waited for
	record      int64 // the correlation of the call that put the awaited event behind the work of that stream

	collective, group, ranks word // of a kernel in which ranks meet: what they do, and who they are
}

// none stands for a number that a call does not have. Profilers write -1 for those that they do not know.
const none = -1 << 63

var noDevice = deviceArgs{correlation: none, stream: none, waits: none, record: none}

// wholeNumber reads an identifier that is a number of up to 18 digits.
func wholeNumber(s []byte) (v int64, ok bool) {
	if len(s) == 0 || len(s) > maxDigits {
		return 0, false
	}
	for _, c := range s {
		if c-'0' > 9 {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	return v, true
}

// deviceEvent is a call with a correlation, or an end of a flow between such calls.
type deviceEvent struct {
	correlation int64
	timeNs      int64 // of its start
	more        int64 // of a call its duration, of a flow its hash
	stream      int64
	waits       int64
	record      int64
	site        uint32
	what        what // complete, or what end of a flow it is
	role        deviceRole
}

// deviceRole is the part that a call plays between host and device.
type deviceRole uint8

const (
	asking  deviceRole = iota // a call of the host, which may have asked for work, or waits for some
	working                   // work of the device
	waiting                   // a record of what a call of the host waits for, or lets a stream wait for
	wanted                    // a record's need to know what stood in a stream when an event was put into it
	flowing                   // an end of a flow from a call to work
)

// byCorrelation sorts events by correlation, those of one in the order of the file.
func byCorrelation(a, b *deviceEvent) int {
	switch {
	case a.correlation < b.correlation:
		return -1
	case a.correlation > b.correlation:
		return 1
	}
	return 0
}

// hostCall is what a call of the host means for devices, by its name.
type hostCall uint8

const (
	unasked     hostCall = iota + 1 // none of the below
	awaitDevice                     // it returns when all streams of a device are done
	awaitStream                     // when one of them is
	awaitEvent                      // when what stands in a stream before an event is done
	recordEvent                     // puts an event into a stream
	streamWaits                     // lets a stream wait for an event
	copies                          // copies memory and returns when that is done
)

// hostCallOf knows the calls of CUDA and HIP, in the runtime and the driver, by their names. All others ask for work or
// have nothing to do with a device.
func hostCallOf(name string) hostCall {
	for _, prefix := range []string{"cuda", "cu", "hip"} {
		rest, found := strings.CutPrefix(name, prefix)
		if !found {
			continue
		}
		rest, _, _ = strings.Cut(rest, "_") // of versions, as in cuEventRecord_v2 and of threads, as in _ptsz
		switch {
		case rest == "DeviceSynchronize" || rest == "CtxSynchronize":
			return awaitDevice
		case rest == "StreamSynchronize":
			return awaitStream
		case rest == "EventSynchronize":
			return awaitEvent
		case rest == "EventRecord" || rest == "EventRecordWithFlags":
			return recordEvent
		case rest == "StreamWaitEvent":
			return streamWaits
		case strings.HasPrefix(rest, "Memcpy") && !strings.Contains(rest, "Async"):
			return copies
		}
	}
	return unasked
}

// takeCall gives a call with a correlation to those that are coupled when all are known. Of a record of a wait it also notes
// which event it wants to know about.
func (d *devices) takeCall(rec *record, args *deviceArgs, cat string) error {
	of := deviceEvent{args.correlation, rec.timeNs, rec.more, args.stream, args.waits, args.record, rec.site, complete, asking}
	switch {
	case args.waits != none || cat == syncRecords:
		of.role = waiting
		if args.record >= 0 && args.waits >= 0 {
			want := of
			want.correlation, want.role = args.record, wanted
			if err := d.calls.Add(want); err != nil {
				return err
			}
		}
	case args.stream != none:
		of.role = working
	}
	d.isUsed = true
	return d.calls.Add(of)
}
