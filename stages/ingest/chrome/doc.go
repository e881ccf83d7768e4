// Package chrome reads the JSON of chrome://tracing and Perfetto (Trace Event Format), which many tracers write.
//
//	trace = "{" ... "traceEvents": array ... "}" | array    "]" may be missing, and a comma may stand before it
//	event = {"ph": phase, "name", "cat", "ts", "dur", "pid", "tid", "id", "id2", "scope", "bp", "args"}
//
// Members stand in any order, and others are ignored. Times are microseconds with decimals, as numbers or strings,
// read digit by digit; what is finer than a nanosecond is cut off after adding a duration to its start. pid and tid
// are numbers or strings, and 1 is "1". Events stand in any order; they are sorted in bounded memory.
//
// # Mapping
//
//	ph       meaning
//	B E      enter and exit of name, on the stack of (pid, tid). E without a name closes the innermost call
//	X        enter at ts, exit at ts+dur
//	i I R    a call that takes no time
//	b n e    enter, call that takes no time, exit; lifelines as below, matched by (cat, id, scope) and pid if the id is local
//	S T p F  the same, as it was written once
//	s t f    message sent, received and sent on, received; exchanges are matched by (cat, id, name)
//	M        process_name and thread_name hold for the whole trace, the last of several; others are ignored
//	others   counters, samples, objects, memory dumps, clocks, contexts (C P O N D V v c and brackets):
//	         schema.SkippedRecord, as are the elements of the member "samples" at the top
//
// The lifeline is process/thread by their names. A process without a name is "process" with the number of its first
// appearance, a thread without one just that number; a pid or tid that is no number is a name itself. A thread called
// like its process has the process for its lifeline. Lifelines of equal names get "#2", "#3". A name that begins with
// its own number, as in "[4711] curl", loses it, so that two runs compare. Asynchronous calls under way at once need
// a lifeline each: "process/async cat", "process/async cat#2", taken again when free.
//
// The component is what ReadingOptions.Component says: "category", "process" or "thread". The default is the process
// where there are several of different names, and otherwise the thread. The function is name, "unnamed" without.
//
// # Order
//
// Events of one time keep the order of the file, X behind the others and the longer X first, as long as with it every
// E closes the innermost call of its thread. Otherwise an E that closes the innermost call goes before a B behind
// which it stands and before an E that closes another call, unless a B of its own name at that time stands before it;
// and an E of a name that is not open waits for the B of its name at that time (a call that takes no time). Up to 256
// events of one time are looked at together. An X ends before what begins at its end.
//
// # Messages
//
// A message belongs to the call around its ts. It is put on the enter or exit of that call, where it stands right
// behind the one or before the other at the same time, and is a row of its own otherwise. An f without "bp":"e"
// belongs to the next call that begins, if one does. Outside all calls it is a call "send", "receive" or "forward"
// that takes no time.
//
// # Faults
//
// X without dur: schema.MissingDuration; with one below 0: schema.NegativeDuration. X that overlaps another X of its
// thread without lying in it: schema.CrossingCall, put on the lifeline "...#2" or the first after it that has room. E
// without a name and without an open call: schema.UnmatchedExit. An event that lacks ph or ts or has one of another
// type: schema.BadRecord. A file cut short: schema.TornRecord, and what came before counts. Anything behind the
// trace: schema.BadRecord, and it is not read. Other bytes that are no JSON stop the reading.
//
// speedscope's importer, whose test files are samples of these faults, differs: it takes tdur for a dur that is
// missing; tells calls apart by their arguments too; drops an E that does not close the innermost call, where here a
// call open deeper is closed; lets a B go before an E of the same name and time, where here f that ends and begins
// again is two calls; has the X of a crossing pair on one stack; and closes what is open at the end, which is left to
// the next room.
//
// # Limits
//
// Exchanges and asynchronous calls that are open at one time are told apart by hashes of 64 bits. Modern flows
// ("bind_id", "flow_in", "flow_out" of a call) are not read, nor stack frames.
package chrome
