// Package spans makes events of spans: what the readers of OTLP, Jaeger and Zipkin share. A span is one call, with its
// start and its end, in a trace, which here is one request on its way through services. The readers hand in spans in
// any order; events come out in the order of time.
//
// # Mapping
//
//	component   the service; option Component "instance" takes the service's instance (host, pod, process) instead
//	function    the name of the span
//	enter, exit its start and its end
//	lifeline    service/1, service/2, ...: of every service the lowest number that is free when a trace first
//	            enters it, free again when the trace last leaves it; so names hold from one run to the next
//	message     series m, numbered, and labelled request, reply, trigger or inferred
//
// A span whose parent is in another service, or in another instance of its own, got a message:
//
//	parent CLIENT             sent at its start, received at the child's start; the reply at the child's end, received
//	                          at the parent's end. Label inferred if the child is no SERVER.
//	parent PRODUCER           the same without a reply: a trigger. So it is wherever the child is a CONSUMER or the
//	                          trace says that the parent did not wait (FOLLOWS_FROM).
//	any other parent          made many calls, it may be; which one is not recorded. Sent when the child starts, as a
//	                          message of its own within the parent (at the parent's end if the child starts later),
//	                          and, if the child ends within the parent, replied to when it ends. Label inferred.
//
// A child in its parent's service is a call within the parent's, on the same lifeline, if it lies within it and
// nothing else of that lifeline is open. If not, it and whatever else overlaps without being a call within a call
// goes to a lifeline of its own (schema.CrossingCall), and if it started within its parent it got an inferred message.
//
// # Order
//
// Spans of several machines have several clocks. An event keeps its time, but comes after what causes it: a start
// after the message that it receives was sent, the end of a call after the replies that it waited for. Where
// clocks disagree, times step back there, and the message has a negative latency, which the next room counts. Only what a
// parent sends at its end, to a child that starts later, is not sent if its end was put off beyond that start.
//
// # Defects
//
// The same span twice is one (schema.DuplicateCall); where one record of a span lacks start or end, the other fills it
// in. Client and server may share one id. A span without start or end is left out (schema.MissingDuration) and its
// children are its parent's. A parent that is not there, or that is its own descendant, is none (schema.MissingParent).
// A span that ends before it starts takes no time (schema.NegativeDuration). An id that is neither hexadecimal nor
// base64 of its length is known by its hash.
//
// # Memory
//
// All spans are sorted by trace, each trace is taken alone, and its events are sorted by time: both in the memory of the
// reading and, beyond it, in scratch files. One trace has to fit into memory, at some 300 bytes a span.
// Links between traces are ignored.
package spans
