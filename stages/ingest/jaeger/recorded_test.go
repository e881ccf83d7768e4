package jaeger

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
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
	folder := filepath.Join(samples(t, "jaeger"), "traceweaver")
	for _, a := range archives {
		files := members(t, filepath.Join(folder, a.name+".tar.zst"))
		for name, text := range files {
			if !Detect([]byte(text[:min(len(text), 64<<10)])) {
				t.Errorf("%s: not detected", name)
			}
		}
		got, err := read(t, files, schema.Reading{})
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
	folder, files := filepath.Join(samples(t, "jaeger"), "fixtures"), 0
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".json") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		got, err := read(t, map[string]string{"file": string(text)}, schema.Reading{})
		if !Detect(text) || err != nil || got.Enters == 0 || got.Enters != got.Exits || got.Sends != got.Receives || got.Unmatched > 0 {
			t.Errorf("%s: detected %v, %d enters, %d exits, %d sends, %d receives: %v", path, Detect(text), got.Enters, got.Exits, got.Sends, got.Receives, err)
		}
		t.Logf("%s: %d spans, %d messages %v", path, got.Enters, got.Sends, got.Losses)
		return nil
	})
	if err != nil || files != 37 {
		t.Errorf("%d files: %v", files, err)
	}
}

// only is the losses where there is one reason at most.
func only(r schema.Reason, count int64) map[string]int64 {
	if count == 0 {
		return map[string]int64{}
	}
	return map[string]int64{r.Name: count}
}
