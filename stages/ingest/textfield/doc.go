// Package textfield holds the fields that text formats have in common: times, names and identifiers of
// messages. The formats differ in how a line is cut into fields, which is their own affair.
//
//	time        digits ["." digits]     a number, in the unit that the format says
//	            | ISO 8601 date "T" time with "Z" or an offset
//	name        valid UTF-8 without control characters, at most MaxName bytes
//	identifier  a series and, where it ends in digits, a number
//
// Times are nanoseconds in 64 bits, read digit by digit and never through a float; what is finer than a
// nanosecond is cut off. Nothing here allocates, except for what goes into an error message.
package textfield
