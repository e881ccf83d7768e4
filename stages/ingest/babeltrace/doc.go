// Package babeltrace reads function events from the text that babeltrace2 makes of traces in the Common Trace Format.
// The trace itself (package ctf) holds more and is read faster: read the text only where the trace is gone.
//
//	line  = "[" time "] " ["(+" delta ") "] [host " "] event ": " group {", " group}
//	time  = seconds "." 9 digits                                  of the epoch (--clock-seconds)
//	      | [date " "] hours ":" minutes ":" seconds "." 9 digits  of a day; with --clock-date of a date
//	group = "{ " [name " = " value {", " name " = " value}] " }"
//	value = number | string | "[" ... "]" | "{" ... "}" | "(" ... ")"
//
// The last group holds the fields, those before it the context. Times are ns of the epoch, or of the day. A time of
// day that steps back by more than half a day is of the next one, which is counted as schema.ClockWrap.
//
// Component, function, lifeline and events are those that package ctf makes of lttng_ust_cyg_profile's func_entry and
// func_exit, of the fast variant, whose exits have no address and end the innermost call of their thread, and of the
// modules that lttng_ust_statedump:bin_info tells. ReadingOptions are used as there. Events of other names are counted
// as schema.SkippedRecord, also those that package ctf pairs: a line does not show whether its event has another end. A text without function events is an error.
//
// Other lines are schema.BadLine, and schema.TornLine where the text ends in one; so are lines of more than 256 KiB.
// What the tracer lost is not in the text. Exits of the fast variant on an empty stack are dropped as
// schema.UnmatchedExit.
package babeltrace
