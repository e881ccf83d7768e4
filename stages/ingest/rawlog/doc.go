// Package rawlog reads the log of a program built with -finstrument-functions: a record for each start and end of a
// call, with addresses. It is text or binary:
//
//	text   = { time " " thread " " ("E" | "X") " 0x" function " 0x" callsite LF } and remarks
//	binary = { u64 time, u64 function, u64 callsite, u32 thread, u32 kind }    little-endian, 32 bytes; kind 0 enters,
//	                                                                           1 leaves; no header
//
// A time is nanoseconds of CLOCK_MONOTONIC. A line of text that begins with "#" is a remark, anywhere in it. In a
// binary log remarks follow a record of kind 2: as many bytes as its function says, a multiple of 32, of lines that
// end with the first zero. Two remarks mean something to the reader:
//
//	"# module 0x" start " 0x" end " 0x" bias " " path    what lies between two addresses, and how far from where it was
//	                                                     linked. The first module is the program
//	"# lost " thread " " records                         the tracer dropped records of a thread
//
// What the fields become:
//
//	function   what the Symbols say lies at the address (less the bias, in the program); where they say nothing, the
//	           address less the bias, 0x...
//	component  "unit", the default where Symbols are given: the function's unit, spelled by symbols.Component, which
//	           makes "ext" of what has none, as the text recorded of the same runs does. "module", the default where
//	           they are not: the base name of the module, or "program". A function that the Symbols do not know is
//	           of its module, or of "ext" where the log has no modules
//	lifeline   program/N: the base name of the first module, or "program"; threads are numbered by the times of
//	           their first records
//	messages   none. Call sites are not used
//
// Records of one thread keep their order. Threads are put into the order of time: they took their places in the log
// after they had read the clock, or wrote what they had collected, so between threads times step back. For that the
// records are sorted, in a scratch file when memory does not hold them, by the time of each or the latest before it
// in its thread.
//
// A process that is killed leaves the room that it had not used as zeros; so does a thread that had taken its place
// and not written. Such records are counted as torn. A log that was full dropped its tail and says so nowhere.
package rawlog
