// Package otlp reads traces of OpenTelemetry as its protocol (OTLP) has them, in JSON and in protobuf.
//
//	traces   = {"resourceSpans": [group...]}            also "batches", and one of these in "trace" or "result"
//	group    = {"resource": {"attributes": [attribute...]}, "scopeSpans": [{"spans": [span...]}...]}
//	                                                    also "instrumentationLibrarySpans"
//	span     = {"traceId", "spanId", "parentSpanId", "name", "kind", "startTimeUnixNano", "endTimeUnixNano", ...}
//
// A JSON file holds one such object, an array of them, or one after the other (NDJSON). Names may be in snake_case,
// kinds numbers or words, integers numbers or strings, ids hexadecimal or base64 (decided by their lengths).
//
//	TracesData    1 resource_spans
//	ResourceSpans 1 resource, 2 scope_spans, 1000 scope_spans under an older name
//	Resource      1 attributes (1 key, 2 value (1 string))
//	ScopeSpans    2 spans
//	Span          1 trace_id, 2 span_id, 4 parent_span_id, 5 name, 6 kind, 7 start, 8 end (both fixed64), 13 links
//	Link          1 trace_id, 2 span_id
//
// A protobuf file holds such messages, one after the other, plain, or each behind its length: a varint, or four bytes
// with the highest first, as collectors write them.
//
// Events, messages and lifelines are made of spans by package spans, which says how, and which knows the option
// Component. The service is the attribute service.name, its instance service.instance.id, k8s.pod.name or host.name.
// Times of 0 are times that are not given. Attributes of spans, their events and status are left out.
//
// # Limits
//
// A resource or span of protobuf has at most 16 MiB.
package otlp
