// Package ctf reads traces in the Common Trace Format 1.8 and 2, as LTTng, barectf and other tracers write them.
//
// # Bytes
//
// A trace is a folder with a file metadata and, beside it, a file for each stream (for LTTng: for each CPU). The
// metadata is text in the language TSDL, either plain or in packets:
//
//	packet = magic:u32 (75D11D57) uuid[16] checksum:u32 content:u32 packet:u32 (both in bits)
//	         compression:u8 encryption:u8 checksumscheme:u8 major:u8 minor:u8 text padding
//
// In CTF 2 (CTF2-SPEC-2.0) it is a sequence of JSON objects, each behind a byte 1e or none. Its field classes become the
// types of TSDL, to which they add integers of variable length and optional fields; fields have roles there, which stand
// for the names that CTF 1.8 gives a meaning (fieldclass.go).
//
// It says how everything in the streams lies. A stream is packets, one after the other:
//
//	packet = trace.packet.header stream.packet.context {event} padding
//	event  = stream.event.header stream.event.context event.context event.fields
//
// Sizes are in bits. Every type is aligned from the start of its packet. Bit fields fill a byte from its low end
// in little-endian and from its high end in big-endian. For each event the metadata is compiled into a program
// of small steps (compile.go); where all of an event lies at distances that are known beforehand, as LTTng's
// function events and most of its kernel's do, into a handful of loads (flat.go).
//
// # Time
//
// A header often holds the low bits of the clock only (27 or 32); the high ones come from the event before, or
// from timestamp_begin of the packet, and go up by one where the low ones go down. Times are ns of the epoch:
// floor(cycles 10⁹ / freq) + floor(offset 10⁹ / freq) + offset_s 10⁹, both quotients as babeltrace2 has them (time.go). An offset that does not fit is left out and counted, and
// the times are then those of the clock.
//
// All streams of all traces that are given become one run, merged by time. What a stream has out of order stays
// as the stream has it.
//
// # Events
//
//	lttng_ust_cyg_profile:func_entry, func_exit       enter and exit of the function at field addr
//	lttng_ust_cyg_profile_fast:func_entry, func_exit  the same, but the exit has no address: it ends the
//	                                                  innermost open call of its thread
//	X_entry and X_exit, X_enter and X_exit,           where the metadata have both: enter and exit of X; the
//	X_begin and X_end, X_start and X_stop or X_end,   words may stand inside (syscall_entry_X, syscall_exit_X),
//	                                                  and ".", "-" or "/" in the place of "_"
//	sys_X and exit_syscall                            the same of old kernels, the exit nameless
//	lttng_ust_statedump:bin_info, lttng_ust_lib:load, what module lies at which addresses of a process
//	lttng_ust_dl:dlopen
//	lttng_ust_statedump:procname                      the name of a process
//	ros2:callback_start, callback_end                 enter and exit of a callback of ROS 2
//	Event_Enter, Event_Leave                          enter and exit of a region of OTF 2, whose records converters
//	                                                  write as events (GlobalDef_Region and the like)
//	sched_switch                                      which thread runs on a CPU
//	sched_process_fork, lttng_statedump_process_state which thread is of which process
//	sched_process_exit                                ends the calls of a thread
//
// Pairs that overlap are no calls in calls. A field of both ends says which belong together: that of ReadingOptions.PairKey, or
// else one whose values are unique to the pairs that are open, which a reading beforehand finds where both ends of pairs have fields
// in common (keys.go). Pairs that overlap on a thread have lifelines beside it, prog/1#2. An end that could be that of two open
// pairs ends the latest, which is schema.AmbiguousPair. ReadingOptions.Pairs gives further pairs.
//
// All other events have no place among enters and exits and are counted as schema.SkippedRecord, kind by kind, the rarest
// together. In a trace in which none of the above enters or exits anything, whatever its metadata describe, every event is an
// execution that takes no time, named after it.
//
// Of the system calls of a kernel, exit and exit_group never return and end at once, and a new thread returns from the clone or
// fork that made it without having called it: that exit is left out (schema.ChildReturn). Interrupts (irq_handler, softirq,
// hrtimer_expire and the like) run in the place of whatever thread is on the CPU, so they are calls of the CPU's own lifeline.
//
// # Messages
//
//	dds:write, ros2:rmw_take                     what is published to a topic and taken from it, by the time of its source;
//	ros2:rmw_publish                             the same as dds:write, where it tells that time and no dds:write is recorded;
//	ros2_caret:dds_bind_addr_to_stamp            the same where neither is recorded, with the topic of the ros2:rcl_publish of its address;
//	ros2:dispatch_subscription_callback          the same as rmw_take, where none is recorded;
//	                                             one that n subscribers take is n messages
//	sched_waking or sched_wakeup, sched_switch   from who wakes a thread to the thread, when it runs again
//	net_dev_queue, netif_receive_skb and         segments of TCP, by sequence, acknowledgement, flags and ports; one that is
//	inet_sock_local_out, inet_sock_local_in      sent again is received once
//
// A message within a call is the call's; the chart makes one outside of calls an execution of no time. A wait for
// a lock, a pipe or a packet is thus no name of a call alone: the message that ends it leads to who ended it.
//
// # Clocks
//
// Traces of several hosts have several clocks. Segments and messages of ROS 2 that leave one host once and arrive at another once
// say how far these are apart, which package alignment finds and corrects before the streams are merged (clocks.go). Hosts that
// have no name are known by the uuid of the clock; --clock-of file gives each trace a clock of its own.
//
// # Names
//
// The lifeline is a thread: (vpid, vtid), (pid, tid) or (perf_pid, perf_tid), the thread that sched_switch put on the
// CPU, or else the CPU. It is called by the name of the process (context procname, statedump, env.procname) and
// counted by first appearance: curl/1, curl/2. A CPU is cpu/0. Ids are in no name. In a run of several hosts the host stands
// before the name.
//
// The component of a function is the unit of its address (ReadingOptions.Symbols), spelled by symbols.Component, else the file name of its
// module, else the process; the function is its symbol, else its address as 0x hexadecimal digits. Symbols are
// those of the program, so libraries (.so) are not looked up. Addresses of position independent modules, also
// those in names, are from the start of their module. Other executions have as component the provider, which
// stands before the colon, or else env.domain; those of a kernel have their process, by the name of its first thread, and
// interrupts "kernel". The function is the rest of the name.
//
// A callback of ROS 2 belongs to its node and is called NODE/TOPIC, NODE/SERVICE or NODE/timer, or, where the trace began after the
// node was made, by its C++ symbol in its process.
//
// ReadingOptions.Component takes unit (the default, as above), module (never the unit) or process.
//
// # Attributes
//
// ReadingOptions.Attributes may ask for fields of the contexts and the payload of events that begin or end calls: numbers, names of enumerations,
// texts and arrays of at most 256 bytes, 24 of an event. Those of a begin are of the execution, those of an end of that event.
//
// # Losses
//
// What a tracer says that it dropped (events_discarded of the packets, which counts up; a packet missing in
// packet_seq_num counts as one) is schema.LostByTracer. As the exits of open calls may be among them, the reader
// keeps the stacks in order from there on: an exit ends the calls that lie above its own, with its own time,
// each counted as schema.UnclosedCall; an exit without an open call is dropped as schema.UnmatchedExit. Without a
// loss the events are passed on as they are.
//
// A packet whose magic or sizes cannot be, or an event without a description, ends what can be read: of
// the packet, or of the stream where its end is not known either (schema.BadRecord, schema.UnknownRecord). What
// a file or packet ends in the middle of is schema.TornRecord. A description given twice is
// schema.DuplicateDef. UUIDs of packets are not compared with that of the metadata.
//
// # Limits
//
// An event is at most 16 MiB long, an integer 64 bits, a metadata file 64 MiB. Modules count from the time at which the
// trace tells of them. Without vpid all processes share their modules.
package ctf
