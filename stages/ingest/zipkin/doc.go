// Package zipkin reads traces of Zipkin, version 2, in JSON.
//
//	traces     = [span...] | [[span...]...]                 or spans one after the other (NDJSON)
//	span       = {"traceId", "id", "parentId", "kind", "name", "timestamp", "duration", "shared", "localEndpoint": endpoint,
//	             "annotations": [{"timestamp", "value"}...], ...}
//	endpoint   = {"serviceName", "ipv4", "ipv6", ...}
//
// Times are microseconds. The client and the server of a call have one id, and "shared" is true of the server's span,
// which is a SERVER if it does not say so itself.
//
// Events, messages and lifelines are made of spans by package spans, which says how, and which knows the option
// Component. The service is that of the local endpoint, its instance the address. A span without timestamp starts at its
// first annotation, and one without duration ends at its last, if there is one after the start; a span that is still
// without a start has the times of its twin, the other end of the call. A timestamp of 0 is none. Remote endpoints and
// tags are left out.
package zipkin
