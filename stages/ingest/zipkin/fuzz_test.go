package zipkin

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// FuzzRead reads any text: there is no panic, every enter has its exit, every message is sent before it is received.
func FuzzRead(f *testing.F) {
	f.Add(`[[{"traceId": "1", "id": "2", "kind": "CLIENT", "timestamp": 1, "duration": 9, "localEndpoint": {"serviceName": "a", "ipv4": "1.2.3.4"}},
		{"traceId": "1", "id": "2", "shared": true, "timestamp": 2, "localEndpoint": {"serviceName": "b", "ipv6": "::1"}, "annotations": [{"timestamp": 5, "value": "x"}]}]]`)
	f.Add(`{"traceId": "1", "id": "2", "parentId": "2", "kind": "PRODUCER", "timestamp": 9223372036854775807} {"traceId": "1", "id": "3"`)
	f.Fuzz(func(t *testing.T, text string) {
		Detect([]byte(text))
		got, err := read(t, map[string]string{"traces": text}, schema.Reading{})
		if err != nil || got.Enters != got.Exits || got.Sends != got.Receives || got.Unmatched > 0 {
			t.Errorf("%d enters, %d exits, %d sends, %d receives, %d too early: %v", got.Enters, got.Exits, got.Sends, got.Receives, got.Unmatched, err)
		}
	})
}
