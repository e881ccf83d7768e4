// Package ingest lists the formats of traces that are read: bytes come in, blocks of events go out.
//
// Each format is a folder. It holds the format's description (schema.Format, in format.go: its name, what it knows as
// components, how a trace of it is found), its reader, and its grammar and losses in the package comment. A reader
// turns a trace into blocks (schema.Block): times in nanoseconds, and positions in tables of what events have in common
// (component, lifeline, function, kind) and of what messages have in common. It counts in a ledger whatever it drops or
// repairs, with the first place, and stops only where nothing more can be made of a trace.
//
// Two kinds of formats differ in how they are read. Texts in the order of time are cut into pieces that several parsers
// read at once: text, table and tmsct. All others have a reader that sees the whole trace, as their events stand in
// several files, in an order of their own, or depend on what came before.
//
// The readers stand on tools, which know no format: textfield (numbers, times and names in texts), jsontext (a reader
// of JSON that keeps nothing), extsort (sorting and merging within bounded memory), symbols (addresses to names),
// callkeys (the keys of calls), sampled (calls of sampled stacks), and spans (the events of distributed spans, for otlp, jaeger, zipkin and spantable).
//
// What comes out of a reader need not be a well-formed trace: enters and exits may be unmatched, and messages may have
// one end. Package stages/chart/wellformed makes it one, the next chapter.
package ingest
