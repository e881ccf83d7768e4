// Package zipkin reads traces of Zipkin, versions 1 and 2, in JSON.
//
//	traces     = [span...] | [[span...]...]                 or spans one after the other (NDJSON)
//	span       = {"traceId", "id", "parentId", "kind", "name", "timestamp", "duration", "shared", "localEndpoint": endpoint,
//	             "annotations": [{"timestamp", "value"}...], ...}
//	endpoint   = {"serviceName", "ipv4", "ipv6", ...}
//
// Version 1 has no kinds and no localEndpoint. Its annotations have a service each, and say by their values which part it has:
//
//	span       = {..., "annotations": [{"timestamp", "value", "endpoint": endpoint}...],
//	             "binaryAnnotations": [{"key", "value", "endpoint": endpoint}...]}
//
// cs and cr are where a client sends and receives, sr and ss where a server does; ms and mr are those of producer and consumer.
// A span that has both parts becomes two spans of one id. Its own times are those of the client, and of the only part, where
// there is one. A span with neither is one within the service that its annotations name. Binary annotations are tags; those
// called ca, sa and ma hold the address of the other end, and are left out.
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
