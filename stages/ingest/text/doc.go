// Package text reads the two dialects of traces that are a line of text for each event.
//
// The thesis dialect is that of Hilbig 2023 (Fig. 1.3, 3.2 and 4.1):
//
//	line    = time component kind function [message]
//	time    = digits "." digits        seconds
//	        | digits                   nanoseconds since the epoch (section 3.2)
//	kind    = ">" enters | "<" leaves
//	message = ("!" sent | "?" received) id
//
// The tmsctrace dialect is that of TNO's Platform Performance Suite. It names who executes, and an
// event may send and receive several messages:
//
//	line    = time executor component kind function {message}
//	time    = digits ["." digits]      seconds
//	        | ISO 8601 date "T" time with "Z" or an offset
//
// Fields are separated by spaces or tabs, lines end in LF or CRLF. There is no header, no comment and
// no quoting, so a name has no blanks; a function does not begin with "!" or "?". A name is valid UTF-8
// without control characters and at most 4096 bytes long. Times are read to the nanosecond; further
// decimals are cut off.
//
// What the fields become:
//
//	component  EventKey.Component
//	function   EventKey.Function; on both lines of a call it is the callee's
//	lifeline   thesis: the component. tmsctrace: component/executor, or the component where both are the same
//	kind       schema.Enter or schema.Exit; every message of an event after its first is a row of its own
//	           of kind schema.Message, right after the event
//	message    the direction from its mark, the number from the digits at the end of its identifier, the
//	           series from what stands before them: series and decimal number together are the
//	           identifier as written. The dialects have no labels, so the label is the series.
//
// A line that is not of the dialect, an empty one too, is counted in Block.Bad and left out; one whose
// time does not fit 64 bits of nanoseconds in Block.Overflow.
//
// Most lines repeat the text between time and message of a line before. Parse looks this text up as it
// stands, in one step, and splits and checks it only when it is new (lookup.go, fast.go); whatever is
// unusual about a line sends it down the slow and complete path (line.go).
package text
