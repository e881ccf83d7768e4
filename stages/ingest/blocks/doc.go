// Package blocks hands the events of a schema.Reader on, a block at a time.
//
// A reader asks its caller for a first block, fills it to schema.BlockEvents rows, gives it back for an empty one, and
// gives the last one back at its end. The caller owns every block that was given back, so a reader keeps no pointer
// into it. Output does that for readers of messages, Calls for readers of formats that have none.
package blocks
