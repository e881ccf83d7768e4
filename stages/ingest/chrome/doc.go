// Package chrome reads the JSON of chrome://tracing and Perfetto (Trace Event Format), which many tracers write.
//
//	trace = "{" ... "traceEvents": array ... "}" | array | event {[","] event}
//	event = {"ph": phase, "name", "cat", "ts", "dur", "pid", "tid", "id", "id2", "scope", "bp", "args"}
//
// The "]" of the array may be missing, a comma may stand before it, and the commas between its events may be missing.
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
//	B X      with flow_out or flow_in also the same at their start, matched by bind_id
//	M        process_name, thread_name and process_labels hold for the whole trace, the last of several; others are ignored
//	P        Profile and ProfileChunk of V8: calls made of samples (package sampled), on the thread "THREAD samples" beside the
//	         one that was sampled, and of the execution type "sampled"
//	C        a value of each signal PROCESS/NAME.ARGUMENT whose argument is a number, until the next one
//	others   counters without a number, samples, objects, memory dumps, clocks, contexts (C P O N D V v c and brackets):
//	         schema.SkippedRecord by these kinds, as are the elements of the member "samples" at the top
//
// The calls "Total NAME" with the arguments count and "avg ms", which clang writes behind its trace, say how long all calls of a kind took. They
// are no calls, and their threads are numbered by rank of time: each is a signal PROCESS/Total NAME, in ns, and one PROCESS/Total NAME.count. Where several traces are one
// run, which has no signals, both are left out and counted. Clang keeps no calls that are shorter than its granularity: how many the totals count
// beyond those that are there is schema.ShortCall.
//
// The lifeline is process/thread by their names. A process without a name is "process" with its place in the
// order of pids, a thread without one just its place in that of tids; a pid or tid that is no number is a name itself. A thread called
// like its process has the process for its lifeline. Lifelines of equal names get "#2", "#3". A name that begins with
// its own number, as in "[4711] curl" or "thread 4711 (curl)", loses it, so that two runs compare. Asynchronous calls under way at once need
// a lifeline each: "process/async cat", "process/async cat#2", taken again when free. They are no work of a thread: their execution type is
// schema.Lifetime, as is that of the window in which PyTorch recorded (category Trace of the process Spans).
//
// The component is what ReadingOptions.Component says: "category", "process" or "thread". The default is the process,
// whatever else a trace holds: runs of a comparison must agree, of which one may have a process more than another, and
// threads of pools and tracks of totals are named by their places, which differ from run to run. The function is
// name, "unnamed" without.
//
// Arguments are in no table: schema.SkippedAttribute counts them by name, the most frequent ones in rows of their own. Those that
// ReadingOptions.NameArgs asks for are part of the name of a call, as f(value); they are looked for in args and in objects right
// in it. An end finds its call by the name that both have.
//
// Where other traces belong to the run (Reading.IsPart), a flow of which this trace has only one end is of the series
// schema.BetweenTraces, unless it is one of a profiler of devices, which counts in each process anew.
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
// A message belongs to the innermost call around its ts, ends included, as viewers draw a flow: to the call that begins
// at this time, else for an s to the one that has ended at it, unless the E of another one stands behind the s, else to the
// one that is open. It is put on the enter or exit
// of that call where that has the time of the message. In the middle of a call an event is missing that it could be put on: a
// call of the same function, which takes no time, is invented for it (schema.MessageInside). An f without "bp":"e"
// belongs to the next call that begins, if one does. Outside all calls it is put on an instant event of its time, or a
// call "send", "receive" or "forward" that takes no time is invented (schema.MessageOutside). What is invented is synthetic.
//
// A flow may have one s and several f: each f ends an exchange of its own. At one time, an f may stand before its s, and at any
// times where the flow has one s and one f: the clocks of its processes may be apart.
//
// # Devices
//
// Calls with args.correlation are those of a profiler of a device such as a GPU (PyTorch's Kineto). A call on a thread of the
// device has args.stream; it is tied to the call of the host with its correlation, also where no flow ac2g shows that. The
// pid of a device is called like it, by process_labels, such as "GPU 0". What waits for a device receives a message, "synchronisation",
// from the end of the work that it waited for: cudaDeviceSynchronize, cudaStreamSynchronize, cudaEventSynchronize and cudaMemcpy at their ends,
// and work in a stream that cudaStreamWaitEvent let wait at its start; likewise hip and cu. Records of the category
// cuda_sync say which stream or event was meant; sweep says what is taken where there are none. They and gpu_user_annotation
// have threads of their own, as they overlap the work on the thread where they stand. A wait for work that is not done when it ends:
// schema.UnprovenWait.
//
// Where other traces belong to the run, kernels whose arguments name a collective and its group ("Collective name", "Process Group Name", "Process Group
// Ranks") exchange messages "collective" between all ranks of the group, from the start on one to the end on every other; see meetings.
//
// # Faults
//
// X without dur: schema.MissingDuration; with one below 0: schema.NegativeDuration. X that overlaps another X of its
// thread without lying in it: schema.CrossingCall, put on the lifeline "...#2" or the first after it that has room. E
// without a name and without an open call: schema.UnmatchedExit. An event that lacks ph or ts or has one of another
// type: schema.BadRecord. An e without a b is a call on a lifeline of its own, which began with the trace. A name over 4,096
// bytes is cut: schema.CutName. A file cut short: schema.TornRecord, and what came before counts. Anything behind the
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
// Exchanges and asynchronous calls that are open at one time are told apart by hashes of 64 bits. Stack frames are not read.
package chrome
