// Package babeltrace reads the text that babeltrace2 makes of traces in the Common Trace Format.
// The trace itself (package ctf) holds more and is read faster: read the text only where the trace is gone.
//
//	line  = "[" time "] " ["(+" delta ") "] [host " "] [level " "] event ": " group {", " group}
//	      | "timestamp = " time {", " [part " = " text]} ", name = " event {", " scope " = " group}   of --names all
//	time  = seconds "." 9 digits                                  of the epoch (--clock-seconds)
//	      | [date " "] hours ":" minutes ":" seconds "." 9 digits  of a day; with --clock-date of a date
//	group = "{ " [name " = " value {", " name " = " value}] " }"
//	value = number | string | "[" ... "]" | "{" ... "}" | "(" ... ")"
//
// The last group holds the fields, those before it the context. Times are ns of the epoch, or of the day. A time of
// day that steps back by more than half a day is of the next one, which is counted as schema.ClockWrap.
//
// Events, messages and names are those that package ctf makes of the trace: its LineReader takes the lines. Which events there
// are, what is taken how often and which thread ran first on a CPU is found by going through the text beforehand; the standard
// input is copied for that. A text does not say of which domain a trace is: events without a provider are those of a kernel. It is in
// order by the clocks of all its hosts, so these are not compared.
//
// With other words of --names fields have no names, and --clock-cycles tells no time: such texts are not read.
//
// Other lines are schema.BadLine, and schema.TornLine where the text ends in one; so are lines of more than 256 KiB.
// What the tracer lost is not in the text. Exits of the fast variant on an empty stack are dropped as
// schema.UnmatchedExit.
package babeltrace
