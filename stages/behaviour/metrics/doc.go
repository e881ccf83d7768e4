// Package metrics derives the timing metrics of Hilbig 2023, section 3.4, from executions and messages.
//
//	runtime           of a service fragment: from the start to the finish of its root execution
//	downtime          of a service fragment: a span between two occurrences in which none was under way
//	component_up      a longest span in which some root execution of the component was under way
//	component_down    the span between two of these
//	blocked           the duration of an execution that makes a blocking call
//	waited            the duration of an execution that waits for the reply to an earlier request
//	fcn_wait          from sending a request to the callback that receives its reply
//	sync_handling     the duration of an execution that receives a request and replies to it
//	trigger_handling  the duration of an execution that receives a message and does not reply
//	event_handling    the same for an event
//	async_handling    from receiving an asynchronous call to replying to it
//
// Where the trace carries execution types (section 2.4) these decide; else the messages at the start and
// the finish of an execution do, which distinguish neither an event from a trigger nor an asynchronous call
// from a trigger. An asynchronous call is tied to the next reply (arslt) of the same function on the
// same component, an fcn call to the next fcncb, first in, first out.
//
// Metrics of fragments carry the fragment; the metrics of a communication belong to the fragment in
// which the execution ran.
package metrics
