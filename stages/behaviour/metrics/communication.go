package metrics

import "github.com/tracelake/tracelake/schema"

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

// AddMessages takes the next messages: a call with a callback is a sample of the time until its callback
// starts, unless the trace types its callbacks. Such a sample belongs to the fragment, without peer,
// that is named after the calling function.
func (b *Builder) AddMessages(m *schema.Messages) {
	if b.callbacks {
		return
	}
	for i, pattern := range m.Pattern {
		if pattern != schema.Callback || m.RoundTripNs[i] == schema.NoValue {
			continue
		}
		name := schema.FragmentName(b.names.Components.Name(m.Sender[i]), b.names.Functions.Name(m.SenderFunction[i]), schema.NoMessage, "")
		code := b.names.Fragments.Code(name)
		b.fragments = schema.GrowTo(b.fragments, int(code)+1)
		b.fragments[code].component = m.Sender[i]
		b.fragments[code].addSample(schema.FcnWait, m.SendNs[i], m.RoundTripNs[i])
	}
}
