package wellformed

import "github.com/tracelake/tracelake/schema"

// A further message is of the event right before it: on the same lifeline and at the same time. Traces also have messages
// that are sent or received in the middle of a call, at a time when nothing starts or ends. Such a message stands by
// itself, and analyses need an event for it: it becomes a call that takes no time, named after what it does.
var standing = [...]string{schema.Send: "send", schema.Receive: "receive"}

// stands says whether a row is a message that stands by itself.
func (w *Weaver) stands(ev *event) bool {
	k := &w.codes.keys[ev.code]
	return k.kind == schema.Message && ev.mark != schema.NoMark && !w.behind(k.lifeline, ev.timeNs)
}

// behind says whether a row of a lifeline at a time comes right behind an event of it.
func (w *Weaver) behind(lifeline uint32, timeNs int64) bool {
	return w.before == lifeline && w.beforeNs == timeNs
}

// stand weaves a message that stands by itself.
func (w *Weaver) stand(ev *event) {
	k := w.codes.keys[ev.code]
	k.function, k.kind = w.codes.names.Functions.Code(standing[w.codes.marks[ev.mark].direction]), schema.Enter
	ev.code = w.codes.internKey(k)
	w.clock(ev)
	w.weave(ev)
	k.kind = schema.Exit
	exit := event{code: w.codes.internKey(k), timeNs: ev.timeNs, id: schema.NoValue, line: ev.line}
	w.clock(&exit)
	w.weave(&exit)
}
