package jaeger

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// FuzzRead reads any text: there is no panic, every enter has its exit, every message is sent before it is received.
func FuzzRead(f *testing.F) {
	for _, c := range forms {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		Detect([]byte(text))
		got, err := read(t, map[string]string{"traces": text}, schema.Reading{})
		if err != nil || got.Enters != got.Exits || got.Sends != got.Receives || got.Unmatched > 0 {
			t.Errorf("%d enters, %d exits, %d sends, %d receives, %d too early: %v", got.Enters, got.Exits, got.Sends, got.Receives, got.Unmatched, err)
		}
	})
}
