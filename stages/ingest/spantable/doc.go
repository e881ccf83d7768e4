// Package spantable reads tables of spans: a header and a line for each span, as CSV with ',' or ';' or as TSV, or the same table as Parquet or as
// objects of JSON.
// Databases export spans so, and so are data sets of research published.
//
//	TraceID,SpanID,ParentID,PodName,OperationName,StartTimeUnixNano,EndTimeUnixNano,Duration
//	01db723f,ab872b6a,root,frontend-579b9bff58-t2dbm,hipstershop.Frontend/Recv.,1661273974730641486,1661273975415194516,684553
//
// The columns may come in any order and are found by their names in the header, letter case and punctuation aside;
// columns.go lists the names. ReadingOptions.Columns names others, as start=COL, and, of times, the unit too: start=COL:us.
// Columns of other names are ignored.
//
//	trace, span     their ids
//	parent          that of the parent; nothing, root, null, none, nan, - and 0 stand for no parent
//	service         the component, and function is name
//	instance, host  what package spans calls the instance of the service, and what has a clock of its own
//	start           see below
//	end, duration   one of them must be there; where both are, the end holds
//	kind            the kind of OpenTelemetry, as a word or a number, or of SkyWalking, as entry, exit or local; an
//	                entry takes from a queue where the name ends in /Consumer
//	status          error, true, the error codes of OpenTelemetry and gRPC, or one of HTTP from 500: the span ended with an error; or
//	                success, which says the opposite
//
// Trace, span, start and one of the last must be there. A field in quotation marks may hold line breaks; a record of
// more than a mebibyte is none, and its first line is left out alone. A header that comes again, as where files were joined, is passed over.
//
// ReadingOptions.Attributes names further columns that are kept as attributes of spans, or all of them.
//
// # Times
//
// A time is a number in the unit that Columns gives, or else the heading (StartTimeUnixNano, start_ms, "Start [us]"), or else
// ReadingOptions.TimeUnit. With none of these, the first rows decide: numbers that as ms, us or ns lie between 2001 and 2100
// have this unit, those with a decimal point are seconds, and others nanoseconds. A duration has the unit of the start then, or a
// finer one if most spans of the first rows that begin later than their parents lie within these by it; beside dates it has the finest one in
// which most spans lie within their parents. What was
// found out so is said. A number may have an exponent. Instead of a number a date and time of ISO 8601 may stand, also with a blank before the time, and without an
// offset: such times are all of one zone, and taken for UTC.
//
// # Parquet
//
// A file of Parquet is read as the CSV that it would be, so that all of the above holds for it; a place file:3:8 is the eighth
// character of its second row, written so. Only the columns that spans have are read, those with one value in a row (of groups, as
// resource.service); lists and maps, as of attributes, are left. A time that the file knows as one needs no unit. Ids may be bytes. The file is
// copied to a scratch file, as its columns are found at its end. The sizes that it says are checked before a library reserves
// them, and no file may have more than 64 rows for each of its bytes. What is broken is counted, and the rows before it are kept.
//
// # JSON
//
// Spans may be objects of JSON, one after the other or in lists and objects of any depth, as databases (ClickHouse's JSONEachRow) and the interfaces
// of other tools write them: [[{"trace_id": 7, "span_id": 8, "parent_id": 0, "service": "web", "start": 1661273974730641486, "duration": 684553}]].
// An object is a span if its members are those of a span; a member of a member is called trace.id. All of the above holds for them; the
// columns are the members of the first 200 spans. Lists within a span are left. An object of more than 4,096 members or a mebibyte is read so far.
//
// What relates spans, and what is lost of them, says package spans.
package spantable
