// Package live records a trace that is still being written, so that it becomes a run when it ends, whatever happens to its writer or to the
// recorder meanwhile.
//
// A recording is a folder _live/run=NAME of a lake. It has the bytes of the trace as they came, in one file, and beside them a list of blocks:
// where each ends, when it came, and its checksum. Blocks are written at the latest 40 ms after their first byte came and are on disk within
// a second. After a crash the blocks that are whole stay; the torn end is dropped. As the bytes are those of the trace, the run that an ingest
// makes of them is the one that it makes of the trace.
package live
