// Package kieker reads the monitoring logs of Kieker: a folder with a map, kieker.map (tpmon.map before 1.0), and
// files of records, as text or as bytes.
//
//	map  = { "$" number "=" value LF }              classes of records; in binary logs all strings too
//	.dat = { "$" number ";" logged { ";" field } LF }
//	.bin = { i32 number, i64 logged, fields }       big-endian; a string is the i32 of its number in the map,
//	                                                a truth value one byte
//
// Kieker's TCP writers send their registry and the records, of which SingleSocketTcpWriter makes one stream:
//
//	stream = { entry | i32 number, i64 logged, fields }
//	entry  = i32 -1, i32 number, i32 length, text   before the first record that has the number
//
// A text is UTF-8, and its length, as all these writers have it in every release from 1.8 to 2.0.3, that of a string of Java:
// in units of UTF-16. A stream of several writers gives numbers anew. DualSocketTcpWriter, and TCPWriter up to 1.13, send the
// entries, without -1, to a second port; Relay joins the two, and the streams of several programs, into one.
//
// In text a backslash takes away the meaning of the character after it; there is no other quoting. A semicolon that
// lost its backslash, as those of the writers of 1.13 and 1.14 do, makes a line of too many fields: they belong to
// the signature, or to the cause of a failure. Files may be compressed: gzip and xz are known by their first bytes,
// zip and deflate (.zip; .df, .deflate, .zlib) by their names. The time of logging is never used.
//
// # Records
//
//	KiekerMetadataRecord      version; controller; host; experiment; debug; offset; time unit; records
//	TraceMetadata             trace; thread; session; host; parent trace; parent order
//	OperationExecutionRecord  signature; session; trace; start; end; host; eoi; ess
//	{Before|After}{Operation|Constructor}[Failed][Object][Interface]Event
//	                          time; trace; order; signature; class [; cause] [; object] [; interface]
//	Call{Operation|Constructor}[Object][Interface]Event
//	                          time; trace; order; signature; class; callee; class [; object; object] [; interface]
//	ConstructionEvent         time; trace; order; class; object
//	BeforeSentRemoteEvent     time; trace; order; technology
//	BeforeReceivedRemoteEvent time; trace and order of the sender; trace; order
//	{BeforeIn|Before|AfterOut|After}CompOperation[Failed]Event
//	                          time; trace; order; signature; class [; cause]; component
//
// The last are the component records of Tavares de Sousa (Live Visualization of the Execution Behavior of
// Components, 2016, Listing 5.1): those of operations with the number of a component behind. Where his text and his
// listing call them differently, both names are read. A class is known by its last word, whatever its package.
//
// # What they become
//
// A trace is one flow of control, with a stack of its own. Its Before and After events, in the order of their order
// index, enter and leave functions. An OperationExecutionRecord is a whole call and is written at its end; its
// place follows from eoi (the order of starts) and ess (the height of the stack). Where indexes are unknown (-1)
// calls are nested by their times, and one that overlaps another without lying in it goes to a lifeline of its own
// (schema.CrossingCall). The end of a component's execution has the signature of an outgoing interface, so it is
// matched by the number of the component and leaves the function that was entered: the incoming interface. A call
// without an end stays open. An end without a call is passed on.
//
//	function   the signature
//	component  the class of the signature, or what ReadingOptions.Component says: "class", "package", "component"
//	           (component-1, of component records; the class where there is none) or "host"
//	lifeline   host/thread, of TraceMetadata; else host/trace-1, host/trace-2, ...: a trace takes the first that no
//	           other trace is on. A trace that meets one that never ended goes to a further lifeline, host/thread-2. A trace over
//	           several hosts has the lifeline of its first call.
//	message    the remote events, told apart by trace and order of the sender: series "remote", the technology for
//	           label. One that is received just before the first call of a trace is received by that call; otherwise
//	           it is a row of its own in the innermost open call, or a call "send" or "receive" where none is open.
//
// A call between classes within a trace is no message. A call event whose callee is not traced itself is counted
// (schema.MissingDuration). Parents of traces are not used. The end of a failed operation has the note "failed" with
// the cause.
//
// Times are whole numbers of the unit in the metadata record. Where that is missing nanoseconds are assumed, and the
// note "time_unit" of the trace says so.
//
// ReadingOptions.Attributes may ask for "trace", the number of a call's trace, and "session", which TraceMetadata and OperationExecutionRecord have.
//
// # Both kinds for the same calls
//
// Two probes on one method log each of its calls twice, under two trace numbers. If a signature has both events and
// executions anywhere in a log, its executions are left out (schema.DuplicateCall), and so are all executions of
// a trace that has events of calls. If a log has events of components and of operations, those of components hold
// for the option "component", those of operations otherwise.
//
// # Limits
//
// Records are sorted by trace and order, then events by time, in Reading.Memory and scratch files.
// What grows with a log in memory: distinct signatures, hosts, threads and causes, open calls, messages under way.
package kieker
