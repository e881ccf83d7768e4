// Package spans makes events of spans: what the readers of OTLP, Jaeger, Zipkin and tables of spans share. A span is one call, with its
// start and its end, in a trace, which here is one request on its way through services. The readers hand in spans in
// any order; events come out in the order of time.
//
// # Mapping
//
//	component   the service; option Component "instance" takes the service's instance (host, pod, process) instead. Behind
//	            either word may stand a rule, as service=^(.*)-[0-9a-f]+-[a-z0-9]+$, whose first group is the component then;
//	            a service that the rule shortens is an instance of it
//	function    the name of the span
//	enter, exit its start and its end
//	lifeline    service/1, service/2, ...: of every service the lowest number that is free when a trace first
//	            enters it, free again when the trace last leaves it; so names hold from one run to the next
//	annotation  status = error, of the enter event of a span that says that it ended with an error
//	message     series m, numbered, and labelled request, reply, trigger or inferred
//
// A span whose parent is in another service, or in another instance of its own, got a message:
//
//	parent CLIENT             sent at its start, received at the child's start; the reply at the child's end, received
//	                          at the parent's end. Label inferred if the child is no SERVER.
//	parent PRODUCER           the same without a reply: a trigger. So it is wherever the child is a CONSUMER or the
//	                          trace says that the parent did not wait (FOLLOWS_FROM), and where it failed and the child took
//	                          longer than it: the caller gave up, as after a timeout.
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
// # Clocks
//
// Before that, clocks that cannot agree are corrected (package alignment): all traces are gone through once to see what calls say about the
// clocks of their hosts, and, where some are apart, once more with corrected times, so that calls lie in their callers
// and on the lifelines that they have without. A host is what a resource names as such, or else the instance of the service, or else
// the service. Where clocks may agree all is as if there were one.
//
// # Slices
//
// A trace may be dealt out to several runs (schema.SplitReader), each with lifelines, numbers of messages and losses of its own. A request
// goes as a whole with the slice in which its root starts, after clocks were corrected, which are those of all slices.
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
//
// # Links
//
// A span with links starts after the spans that it is linked to, in whichever trace, have ended, or have started where they are
// still under way (schema.Couplings): so a consumer waits for the producers of all messages that it takes. A link to a span that
// the files lack is counted.
//
// A span with several parents is a call of one of them, and has links to the others: the parents that further records of the same span
// name, and, of a client and a server that share an id as in Zipkin, the parent of the server where that is no ancestor of the client.
package spans
