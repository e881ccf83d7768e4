// Package live records a trace that is still being written, so that it becomes a run when it ends, whatever happens to its writer or to the
// recorder meanwhile, and shows what was recorded while it comes.
//
// A recording is a folder _live/run=NAME of a lake. It has the bytes of the trace as they came, in one file, and beside them a list of blocks:
// where each ends, when it came, and its checksum. Blocks are written at the latest 40 ms after their first byte came and are on disk within
// a second. After a crash the blocks that are whole stay; the torn end is dropped. As the bytes are those of the trace, the run that an ingest
// makes of them is the one that it makes of the trace.
//
// The folder _view in it has what pages show: columns of calls, in blocks with length and checksum, and about every second of the trace the state
// of all lanes and components, from which any moment is reached. It is made of the bytes, and made anew by a recorder that goes on.
//
//	recording.go  the bytes of the trace and their blocks
//	follow.go     a source is recorded until it ends; series.go: in several recordings, one after the other
//	file.go       a file that grows; stream.go: a pipe, connections; otlp.go: OTLP over HTTP, otlpcalls.go: over gRPC; kieker.go: Kieker's TCP writers;
//	              uftrace.go: uftrace record --host;
//	              refusals.go: what is not taken
//	decode.go     events of the bytes as they come, of spans when their traces are whole; chart.go: rows of these
//	view.go       rows are written; segment.go: pieces with length and checksum
//	look.go       rows are read while they are written; frame.go: what a page shows of them; stored.go: of a run of the lake; critical.go: its critical paths
//	baseline.go   what a stored run did; against.go: a window beside it; likewise.go: windows of the baseline that are as long; strikes.go: since when functions strike
package live
