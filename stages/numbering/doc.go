// Package numbering gives keys consecutive numbers, so that what is collected by key stands in a slice. Several analyses look
// up a key for every row of a table; a map of Go takes four times as long there. Keys of a few codes come in, packed into 64
// bits, and the numbers 0, 1, 2 and so on go out, in the order in which keys are first seen.
package numbering
