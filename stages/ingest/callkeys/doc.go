// Package callkeys numbers the keys of calls, as the readers of traces put them into schema.Block.Key.
//
// Most readers learn what is called where (component, lifeline, function) once, at the first enter, and meet the exit
// much later, when only a call stack remembers the call. So the keys of a call lie in a row, in the order of
// schema.Kind: a stack keeps the number of the enter alone, and that of the exit is enter + schema.Exit. Readers of
// formats whose messages stand between calls ask for three keys in a row, and find that of a message at
// enter + schema.Message.
//
// The table is a map behind an append-only list, for names that come in any order. Readers that see the same call
// millions of times keep the number of the enter beside what the call is in their trace (an address, a token), and
// come here only for what is new; the table is no fast path of its own.
package callkeys
