// Package otf2 reads OTF2 archives, the traces of Score-P, EZTrace, TAU and others: an anchor file NAME.otf2, the
// global definitions NAME.def, and for every location (thread) its local definitions NAME/<id>.def and its events
// NAME/<id>.evt. It knows formats 1 to 3 and both orders of bytes.
//
//	anchor   = 03 order "OTF2" 00 u8 u8 u8 u8 u8 u64 eventchunk u64 definitionchunk u8 substrate u8 compression ...
//	order    = 42 (least significant byte first) | 23
//	file     = { chunk }                 chunk k begins at k times the chunk size; the last one may be short
//	chunk    = 03 order u64 firstevent u64 lastevent { record | 01 } ( 00 padding | 02 )
//	record   = type attributes
//	event    = 05 u64 time               holds for the events behind it; the first record of a chunk
//	         | single number             enter, leave, requests, tasks
//	         | other length attributes   length is u8, or FF and u64
//	number   = u8 n, n bytes             n = 0 is 0; FF without more is undefined
//
// 02 is the end of a file, 00 that of a chunk. A length lets every record be skipped, and attributes that later
// versions append.
//
// # Definitions
//
// Definitions may stand in any order and the last of an identifier holds; where it differs from those before it
// is a duplicate_definition. Numbers in events are local: tables of the location's own definitions, dense or
// sparse, give the global ones, and what no table has is global already.
//
// # Time
//
// Times are ns since the start of the trace that the definitions give (global offset), rounded down. The offsets of
// a location's clock are interpolated between two records and continued before the first and after the last; a
// single one is ignored, as in OTF2's own library. Locations are merged by true time, in ticks.
//
// # Names
//
// A lifeline is process/location by name: LOCATION_GROUP and LOCATION; equal names get #2, #3. A function is a
// REGION by name. ReadingOptions.Component says what a component is:
//
//	file      the source file of the region, and the process where it has none
//	process   the location group
//	paradigm  the region's paradigm, such as MPI or COMPILER, by the name that the trace gives it
//
// By default it is the file, unless all regions have the same one or none, as EZTrace's have: then the process.
//
// # Events
//
// Enter and Leave, CallingContextEnter and -Leave are enters and exits. MpiSend, MpiIsend, MpiRecv and MpiIrecv are
// messages of the innermost open call of their location, at their own time; where no call is open, a call "send" or
// "receive" of no length carries them. Ranks are resolved through COMM and GROUP. Messages are matched in order for
// every sender, receiver, communicator and tag, of which a location stands for its whole process where that has one
// rank. Receives without blocking are matched in the order in which they were posted (receivescan.go). The series is m,
// the label communicator/tag; with more than 65,536 such pairs, the communicator.
//
// ThreadCreate and ThreadBegin are a message of series t with label create, ThreadEnd and ThreadWait one with label
// join, where the thread has a name and its cause comes first in the trace.
//
// MpiCollectiveEnd makes the end of the innermost open call wait for the last start of such a call in its communicator
// (schema.Couplings): in every rank after barriers, allreduce, alltoall and the like; for that of the root after bcast and
// scatter; in the root alone after gather and reduce; for those of lower ranks after scan and exscan. The operations of a
// communicator are counted by rank. One that ends outside all calls is skipped.
//
// A METRIC gives each of its values to the signal LIFELINE/METRIC, from its time until the next one: what hardware and software counters show. Their times are those of the location's clock, also where clocks are aligned. Of several
// traces that are one run they are counted as skipped. ReadingOptions.Attributes may ask for "bytes", the length of a message, which both of its ends have.
//
// All else is counted as a skipped_record: attribute lists, parameters, I/O, collective operations that do not
// block (of which a later call says that they ended), locks, tasks, one-sided operations (which have no record at the
// other end), flushes of the tracer's buffer. MeasurementOff is lost_by_tracer.
//
// # Defects
//
// A damaged record costs the rest of its chunk, which is counted once, and reading goes on with the next, which
// restates the time. So does a chunk that has not as many events as it says. The end of a file in the middle of a
// record, or without the mark 02, is a torn_record. A location without events although its definition promises some
// is counted as missing_record, as is one that has fewer than these in a file without damage: one that was cut and closed looks whole.
//
// # Limits
//
// Archives packed by SIONlib and compressed ones are refused. Inter-communicators are not resolved: their messages
// stay unmatched. Frames between the calling contexts of samples are not invented. Snapshots, thumbnails, markers
// and the properties in the anchor file are not read. All event files are open at once.
package otf2
