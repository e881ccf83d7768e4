package otlp

import "testing"

// FuzzRead reads any bytes: there is no panic, every enter has its exit, every message is sent before it is received.
func FuzzRead(f *testing.F) {
	for _, data := range random(1, 2, 3).encodings() {
		f.Add([]byte(data))
	}
	f.Add([]byte(`{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "AAAAAAAAAAAAAAAAAAAAAQ==", "spanId": "1", "startTimeUnixNano": -5}]}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		Detect(data)
		got, err := readOne(t, string(data))
		if err != nil || got.Enters != got.Exits || got.Sends != got.Receives || got.Unmatched > 0 {
			t.Errorf("%d enters, %d exits, %d sends, %d receives, %d too early: %v", got.Enters, got.Exits, got.Sends, got.Receives, got.Unmatched, err)
		}
	})
}
