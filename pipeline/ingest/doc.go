// Package ingest drives an ingest: it reads a trace, lets parsers turn pieces of it into blocks on all
// cores, makes the chart of the blocks in trace order (package wellformed), and writes the events of each bucket
// as Parquet while the trace is still being read. A file of a format whose parts bear on each other is one piece.
//
//	file -> decompress -> pieces of whole lines -> parse (parallel) -> chart (in order)
//	     -> rows of a bucket -> encode (parallel over buckets) -> part files -> commit
//
// A trace of several files, of binary records, or in an order of its own is read by the Reader of its format, beside the
// pairing. It may lie in a folder or be packed in one file, and is found there by what its format knows of folders. A
// run may also be made of other runs (Derive), by a task of a stage that commits it.
//
//	folder, archive, file -> Reader -> blocks in the order of time -> chart, and so on
//
// A long plain text is ingested in slices instead, where more than two cores weave them, where the memory is small, or where
// minutes would be lost with a process that is killed: tasks that are recorded when they are done, so that the next ingest
// of the same files goes on behind them. The one pass is what they are tested against: the bytes are the same, wherever the
// trace is cut.
//
//	bytes of a file -> parse, weave, beside the slices before (parallel) -> segments of rows by bucket, what is open
//	     -> join, in order, of what is open -> files of a bucket (parallel) -> commit
//
// A trace of which messages are received before they are sent is read and woven a second time, in one pass, with what the first
// one found out. From the standard input there is no second time: these messages count as unmatched then.
//
// A trace of spans may become several runs (Split): it is read once, and every slice is woven and committed by itself.
//
// Before they are woven, functions may be given to other components (Map), and calls between components of one
// lifeline become messages (package crossing).
//
// What comes out does not depend on the number of workers nor on the memory: pieces follow from the trace, the number of
// buckets and the size of row groups from the sizes of its files, and the placing of components in buckets from its
// beginning, its first 64 MiB. A component that has more than 4/3 of what a bucket would have if all had the same is spread by
// its lifelines over buckets of its own, which stand together in the manifest (lake.Manifest.Groups). Of the standard input the size is not known, so it has the least number of buckets, however long it is. Memory
// is the pieces under way, one to two row groups a bucket, and what is open in the trace.
package ingest
