package zipkin

import (
	"maps"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// recorded says of each sample how many spans a second, plain reader counted in it, how many
// messages they make, and what is lost of them.
var recorded = []struct {
	name            string
	spans, messages int
	losses          map[string]int64
}{
	{"ascend.json", 8, 6, map[string]int64{"crossing_call": 1}},
	{"envoy.json", 1, 0, map[string]int64{}},
	{"messaging-kafka.json", 28, 12, map[string]int64{"crossing_call": 18}},
	{"messaging.json", 4, 1, map[string]int64{}},
	{"messaging2.json", 11, 3, map[string]int64{"crossing_call": 2, "missing_parent": 6}},
	{"simple-db-p6.json", 5, 0, map[string]int64{}},
	{"skew.json", 4, 2, map[string]int64{}},
	{"smartthings-mobile-web-install.json.zst", 1033, 962, map[string]int64{"crossing_call": 294, "missing_duration": 8}},
	{"smartthings-oauth-authorization.json.zst", 156, 101, map[string]int64{"missing_duration": 19}},
	{"yelp.json", 16, 14, map[string]int64{}},
}

func TestRecorded(t *testing.T) {
	folder := readertest.ThirdParty(t, "zipkin")
	for _, c := range recorded {
		text := string(readertest.Load(t, filepath.Join(folder, c.name)))
		detected := Detect([]byte(text[:min(len(text), 64<<10)]))
		got, err := read(map[string]string{c.name: text}, schema.Reading{})
		if err != nil || !detected || got.Enters != c.spans || got.Exits != c.spans || !maps.Equal(got.Losses, c.losses) || got.Unmatched > 0 || got.Sends != c.messages || got.Receives != c.messages {
			t.Errorf("%s: detected %v, %d enters, %d exits, %d sends, %d receives, losses %v: %v", c.name, detected, got.Enters, got.Exits, got.Sends, got.Receives, got.Losses, err)
		}
	}
}
