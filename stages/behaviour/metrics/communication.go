package metrics

import (
	"maps"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// typeRole says what an execution type (Hilbig 2023, section 2.4; the names are those of MIDS) means for
// the metrics.
type typeRole uint8

const (
	untyped typeRole = iota
	noMetric
	blockingCall
	waitCall
	fcnCall
	fcnCallback
	syncHandler
	triggerHandler
	eventHandler
	asyncHandler
	asyncResult
)

// typeRoles maps the names of execution types to their meanings.
var typeRoles = map[string]typeRole{
	"blk": blockingCall, "call": blockingCall, "sync": syncHandler, "handler": syncHandler,
	"req": noMetric, "wait": waitCall, "fcn": fcnCall, "fcncb": fcnCallback,
	"trig": noMetric, "trigh": triggerHandler,
	"evt": noMetric, "evtsub": noMetric, "evtunsub": noMetric,
	"evtcb": eventHandler, "evtsubh": eventHandler, "evtunsubh": eventHandler,
	"async": asyncHandler, "arslt": asyncResult, "lib": noMetric,
}

// metricOf says the metric of executions whose duration is a sample of it.
var metricOf = [...]schema.Metric{
	blockingCall: schema.Blocked, waitCall: schema.Waited, syncHandler: schema.SyncHandling,
	triggerHandler: schema.TriggerHandling, eventHandler: schema.EventHandling,
}

// roleType says what a role means where executions have no type.
var roleType = [...]typeRole{
	schema.Internal: noMetric, schema.BlockingCall: blockingCall, schema.Request: noMetric, schema.Wait: waitCall,
	schema.SyncHandler: syncHandler, schema.TriggerHandle: triggerHandler,
}

// pendingKey identifies the calls that wait for a callback or reply.
type pendingKey struct {
	component, function schema.Code
	of                  typeRole
}

// addCommunication takes an execution that communicates.
func (b *Builder) addCommunication(f *fragmentMetrics, ex *schema.Executions, i int) {
	t := untyped
	if code := ex.Type[i]; code != schema.NoCode {
		t = b.types[code]
	}
	if t == untyped {
		t = roleType[ex.Role[i]]
	}
	key := pendingKey{ex.Component[i], ex.Function[i], t}
	switch t {
	case noMetric:
	case fcnCall, asyncHandler:
		b.pending[key] = append(b.pending[key], ex.StartNs[i])
	case fcnCallback:
		b.callbacks = true
		b.endOldestCall(f, key, fcnCall, schema.FcnWait, ex.StartNs[i])
	case asyncResult:
		b.endOldestCall(f, key, asyncHandler, schema.AsyncHandling, ex.StartNs[i])
	default:
		f.addSample(metricOf[t], ex.StartNs[i], ex.DurationNs[i])
	}
}

// endOldestCall ends the oldest waiting call of a type under the same component and function, and adds
// its duration as a sample.
func (b *Builder) endOldestCall(f *fragmentMetrics, key pendingKey, call typeRole, m schema.Metric, end int64) {
	key.of = call
	waiting := b.pending[key]
	if len(waiting) == 0 {
		return
	}
	f.addSample(m, waiting[0], end-waiting[0])
	b.pending[key] = waiting[1:]
}

// callback is a request whose reply starts an execution.
type callback struct {
	sendNs, roundTripNs int64
	fragment            schema.Code // in which the request was sent; NoCode until its execution was seen
}

// AddMessages takes the next messages: a call with a callback is a sample of the time until its callback starts, unless the
// trace types its callbacks. Like every communication it belongs to the fragment of the execution that sends the request.
func (b *Builder) AddMessages(m *schema.Messages) {
	for i, pattern := range m.Pattern {
		if pattern == schema.Callback && m.RoundTripNs[i] != schema.NoValue {
			b.requests[m.SendSeq[i]] = &callback{m.SendNs[i], m.RoundTripNs[i], schema.NoCode}
		}
	}
}

// noteRequest notes the fragment of the request that an execution sends at an event, if it does.
func (b *Builder) noteRequest(seq int64, fragment schema.Code) {
	if request := b.requests[seq]; request != nil {
		request.fragment = fragment
	}
}

// addCallbacks makes samples of the requests, in the order in which they were sent.
func (b *Builder) addCallbacks() {
	if b.callbacks {
		return
	}
	for _, seq := range slices.Sorted(maps.Keys(b.requests)) {
		if r := b.requests[seq]; r.fragment != schema.NoCode {
			b.fragments[r.fragment].addSample(schema.FcnWait, r.sendNs, r.roundTripNs)
		}
	}
	clear(b.requests)
}
