// Package otf1 reads traces of the Open Trace Format, version 1 (OTF): text files of short records, as VampirTrace
// writes them and otfmerge, otfcompress and otfaux rewrite them.
//
//	STUB.otf          master: a line "stream:process,process,..." for every stream, all numbers hexadecimal
//	STUB.0.def        definitions, in any order
//	STUB.<id>.events  events of a stream; id in lower-case hexadecimal
//	STUB.<id>.def     further definitions, which hold for what STUB.0.def does not define
//
// Any file but the master may be called .z: a zlib stream, usually never finished (open.go). Snapshots, statistics and
// markers are files of their own, which are not read.
//
//	events  = { time | process | record } ; one a line
//	time    = HEX                         ; ticks, hold until the next time
//	process = "*" HEX                     ; holds until the next process
//	record  = KEYWORD { HEX | STRING | KEYWORD }
//
// Numbers are lower-case hexadecimal, keywords upper-case letters, short (E39) or long (ENTER 39), mixed at will,
// with blanks or without.
//
// # Mapping
//
//	lifeline   the process; where processes share a name each has a number behind it, in the order of their tokens
//	function   the name of the function; E enters it. L leaves the innermost open call of its process, or
//	           the function that it names
//	component  ReadingOptions.Component: "group": the function's group; "file": the source file of the function's
//	           definition, below the folder that all source files outside /usr have in common; "process": the
//	           process, for a thread that to which it belongs. Functions of group VT_API are the tracer's own and
//	           keep that component. Without the option it is the group, unless the groups say nothing: at
//	           most one group is the program's, the others the tracer's and those of libraries that it wraps.
//	           Then it is the process where there are several (an MPI run), else the file where functions
//	           have several, else the group
//	time       nanoseconds since the earliest of the range that DTRG tells and the first times of all streams
//	message    S and R are matched first in, first out by sender, receiver, communicator and tag, and both get one
//	           number, in the order in which the trace shows the first of the two. The label is communicator/tag,
//	           or the communicator where this project's own writer made the trace
//
// A send or receive right after an enter, with no time or process line between, is a message of that enter; one right
// before a leave a message of that leave; so those of MPI functions sit on their enter and exit. Any other is a row
// of its own of kind schema.Message in the innermost open call, or of a call of function send or receive, without
// duration, where none is open. Unmatched messages have numbers of their own.
//
// The end of a collective operation makes the call that it lies in wait, at its leave, for the last start of such a call in
// its communicator (schema.Couplings): in every process where the operation is a barrier or goes from all to all, for that of the
// root where it goes from one to all, in the root alone where it goes from all to one, and for those of lower ranks where
// it is MPI_Scan or MPI_Exscan. The operations of a communicator are counted by rank, which is the place among its members.
//
// # Losses
//
// Counters, collective operations outside calls or of unknown kinds or communicators, file and one-sided operations and comments are counted as skipped records.
// Snapshots repeat what was told, and key-values belong to other records: both are left out uncounted, as are the
// begin and end of processes. A comment by which the library says that it gave up is counted as lost by the
// tracer. A record that names an undefined function or process is counted, and carries "function 7".
//
// # Limits
//
// A leave without a function on an empty stack is dropped. Local traces before vtunify (STUB.uctl) and forwarded ones
// (a master with an "i" line) are refused. Records longer than 16 MiB are cut. Every stream keeps its file open.
package otf1
