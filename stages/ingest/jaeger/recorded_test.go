package jaeger

import (
	"errors"
	"maps"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// archives says of the archives recorded from DeathStarBench how many spans they have, how many messages, of which
// spans that crossed others, and how many children end after their parents: as a second, plain reader counted.
// Siblings that overlap make two messages more each, which it did not count: they are those in brackets.
var archives = []struct {
	name            string
	spans, messages int
	crossing        int64
	endsAfterParent int // of other services, whose clients were called clients
}{
	{"hotel_load25", 11000, 10000 + 1224, 612, 1335},
	{"hotel_load75", 11000, 10000 + 144, 72, 334},
	{"hotel_load150", 11000, 10000, 0, 0},
	{"media_load25", 27000, 28056, 5933, 0},
	{"media_load150", 27000, 28009 + 12, 5759, 0},
	{"node_0", 6000, 10000, 0, 0},
	{"node_1", 6000, 10000, 0, 0},
	{"node_load25", 6000, 10000, 0, 0},
	{"node_load150", 6000, 10000, 0, 0},
}

func TestArchives(t *testing.T) {
	folder := readertest.ThirdParty(t, "jaeger", "traceweaver")
	for _, a := range archives {
		files := readertest.Texts(t, readertest.Unpack(t, filepath.Join(folder, a.name+".tar.zst")), ".json")
		for name, text := range files {
			if !Detect([]byte(text[:min(len(text), 64<<10)])) {
				t.Errorf("%s: not detected", name)
			}
		}
		got, err := read(files, schema.Reading{})
		if err != nil || len(files) != 1000 || got.Enters != a.spans || got.Exits != a.spans {
			t.Errorf("%s: %d traces, %d enters, %d exits: %v", a.name, len(files), got.Enters, got.Exits, err)
		}
		if got.Sends != a.messages || got.Receives != a.messages || got.Unmatched > 0 {
			t.Errorf("%s: %d sends, %d receives, %d before what they receive", a.name, got.Sends, got.Receives, got.Unmatched)
		}
		if want := only(schema.CrossingCall, a.crossing); !maps.Equal(got.Losses, want) || got.Negative != a.endsAfterParent {
			t.Errorf("%s: losses %v, %d messages received before they were sent", a.name, got.Losses, got.Negative)
		}
	}
}

// TestFixtures reads every other file, each alone, since many have the same ids.
func TestFixtures(t *testing.T) {
	files := readertest.Texts(t, readertest.ThirdParty(t, "jaeger", "fixtures"), ".json")
	for path, text := range files {
		got, err := read(map[string]string{"file": text}, schema.Reading{})
		if err = errors.Join(err, got.CheckBalance()); !Detect([]byte(text)) || err != nil || got.Enters == 0 {
			t.Errorf("%s: detected %v, %d enters: %v", path, Detect([]byte(text)), got.Enters, err)
		}
		t.Logf("%s: %d spans, %d messages %v", path, got.Enters, got.Sends, got.Losses)
	}
	expect.Equal(t, len(files), 37, "files")
}

// only is the losses where there is one reason at most.
func only(r schema.Reason, count int64) map[string]int64 {
	if count == 0 {
		return map[string]int64{}
	}
	return map[string]int64{r.Name: count}
}
