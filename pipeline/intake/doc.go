// Package intake drives an ingest: it reads a trace, lets parsers turn pieces of it into blocks on all
// cores, weaves the blocks in trace order (package wellformed), and writes the events of each bucket
// as Parquet while the trace is still being read. A file of a format whose parts bear on each other is one piece.
//
//	file -> decompress -> pieces of whole lines -> parse (parallel) -> weave (in order)
//	     -> rows of a bucket -> encode (parallel over buckets) -> part files -> commit
//
// What comes out does not depend on the number of workers nor on the memory: pieces, row groups and the
// placing of components in buckets follow from the trace alone. Memory is the pieces under way, one
// to two row groups a bucket, and what is open in the trace.
package intake
