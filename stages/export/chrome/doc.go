// Package chrome writes the events of a run as JSON for Perfetto and speedscope (Trace Event Format).
//
//	{"displayTimeUnit":"ns","traceEvents":[
//	{"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"lib_multi_c"}},
//	{"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"1"}},
//	{"ph":"B","pid":1,"tid":1,"ts":0.250,"name":"Curl_poll"},
//	{"ph":"s","pid":1,"tid":1,"ts":0.250,"cat":"m","id":"m:7","name":"request"},
//	{"ph":"E","pid":1,"tid":1,"ts":1.000,"name":"Curl_poll"}
//	]}
//
// A component is a process, and each of its lifelines a thread of it, called like the lifeline without the component
// and the slash before it. Both are numbered as they come, and are named before their first event. Times are
// microseconds with three decimals, which is every nanosecond. Lines are in the order of the events.
//
// An execution is a B and an E; X is not written, since an X that overlaps another on its thread is drawn wrong.
// Every E closes the innermost open B of its thread, which it also names:
//
//   - An exit that closes a call below others splits these: they end there and begin again.
//   - An exit without a call, which a run that was made well-formed does not have, is a call that takes no time.
//   - A time before the last one of the same thread is written as that one.
//   - What is still open in the end is closed at the latest time of all.
//
// A message sent is a flow event s, one received an f that is bound to the call around it ("bp":"e"). They stand
// right behind the B of an enter, before the E of an exit, and by themselves where they are rows of kind
// schema.Message; rows of that kind behind an exit are further messages of it. Both ends of an exchange have the same
// id, series and number, and the same cat, the series; viewers want the name, the label, to be the same as well.
//
// Ends that were invented at the end of a trace are left out, and so are calls that were invented for messages: what is
// written is the message. Invented starts are written. Execution types are not.
package chrome
