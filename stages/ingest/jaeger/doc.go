// Package jaeger reads traces as Jaeger gives them out in JSON. Of its forms these:
//
//	API       {"data": [trace...]}, and what its UI keeps: {"data": trace}
//	trace     {"traceID", "spans": [span...], "processes": {id: process...}}
//	storage   {"spans": [span with "process"...]}, as its model is written
//	document  span with "process", one or more, as its Elasticsearch storage has them; also in
//	          {"hits": {"hits": [{"_source": span}...]}}
//
//	span      = {"traceID", "spanID", "operationName", "references": [reference...], "startTime", "duration",
//	            "tags": [tag...], "processID" | "process", ...}            also traceId, spanId, parentSpanID
//	reference = {"refType": "CHILD_OF" | "FOLLOWS_FROM", "traceID", "spanID"}
//	tag       = {"key", "value" | "vStr"}, or all in one object: "tag": {key: value}
//	process   = {"serviceName", "tags": [tag...]}
//
// Times are microseconds, or, in the storage form, instants of RFC 3339 and durations such as "22938000ns" or "1.5s".
// Ids are hexadecimal of any length, or base64. A file holds one such value, or one after the other. What Jaeger's newer
// API gives out is OTLP; a value of another form is counted as a bad record.
//
// Events, messages and lifelines are made of spans by package spans, which says how, and which knows the option
// Component. The kind is the tag span.kind. The parent is the first reference of type CHILD_OF within the trace, else the
// first of FOLLOWS_FROM, else parentSpanID; others are links. The service's instance is a tag of the process:
// service.instance.id, k8s.pod.name, host.name, hostname or ip. A process that is not listed is called by its id
// (schema.UndefinedToken). Other tags and logs are left out.
//
// Jaeger may have moved times already, to make up for clocks that differ; then it says so in "warnings", which nobody
// here reads.
package jaeger
