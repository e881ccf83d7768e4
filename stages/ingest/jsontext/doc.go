// Package jsontext reads JSON (RFC 8259) of any length from a stream, piece by piece and in bounded memory.
// It knows no format: the readers of traces in JSON are built on it.
//
//	text   = [byte order mark] {value}
//	value  = object | array | string | number | "true" | "false" | "null"
//	object = "{" [string ":" value {"," string ":" value}] "}"
//	array  = "[" [value {"," value}] "]"
//
// Values may follow each other, with line ends between them or nothing (NDJSON). A value is pulled: Kind says
// what is next, and one of Object, Array, String, Int, Bool and Skip takes it. Object and Array call back for
// what they hold; a value that the callback leaves is skipped. What is skipped is checked like what is read.
//
// What traces mostly consist of has quick ways: Members takes an object whose names are known, SmallString a text of a few bytes
// as one number, FixedPoint a decimal number as an integer. The last two may decline, and then String takes the value.
//
// Strings come without their quotes and escapes, numbers as they are written. The escape of half a surrogate
// pair becomes U+FFFD, as in encoding/json; bytes that are no UTF-8 stay as they are, which is for the
// reader of the name to mend.
//
// # Faults
//
// What is no JSON ends the reading: it is the error of every later call, a *schema.SyntaxError with line and
// column, and Kind is Bad. Where the text ends inside a value the error is io.ErrUnexpectedEOF as well. A value of
// another kind than was asked for is an error that says so and no more: it can be skipped, and Err is still nil.
//
// Control characters in strings are a fault, and so are commas before a bracket and objects in an array without a comma
// between them, unless Reader.Lenient is set.
//
// # Limits
//
// Values lie in each other at most MaxDepth deep. A string or number that is not skipped has at most MaxToken
// bytes, which with those read ahead (4 KiB at first, then 256 KiB) is all that is held in memory.
package jsontext
