package readertest

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
)

// ThirdParty returns a folder of traces that other projects have recorded, which lies beside the recordings, or skips
// the test.
func ThirdParty(t testing.TB, folder ...string) string {
	t.Helper()
	return filepath.Join(append([]string{Recordings(t), "..", "third-party"}, folder...)...)
}

// Texts returns the files below a folder whose names end so, by their paths below it.
func Texts(t testing.TB, dir, ending string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ending) {
			return err
		}
		data, err := os.ReadFile(path)
		texts[strings.TrimPrefix(path, dir+"/")] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts
}

// SummarizeFiles reads files, given by their names, as one run in the order of their names, with the options of a
// reading. They are so small that a scratch file is an error, where the reading does not say how to open one.
func SummarizeFiles(format schema.Format, files map[string]string, reading schema.Reading) (*Summary, error) {
	fsys := fstest.MapFS{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fsys[name] = &fstest.MapFile{Data: []byte(files[name])}
		reading.Traces = append(reading.Traces, schema.Trace{FS: fsys, Path: name})
	}
	reading.Ledger, reading.Memory = new(schema.Ledger), 64<<20
	if reading.Scratch == nil {
		reading.Scratch = func() (schema.Scratch, error) { return nil, errors.New("no scratch file is needed for so little") }
	}
	return Summarize(format, &reading)
}

// CheckBalance returns an error unless every enter has its exit and every message is sent before it is received.
func (s *Summary) CheckBalance() error {
	if s.Enters != s.Exits || s.Sends != s.Receives || s.Unmatched > 0 {
		return fmt.Errorf("%d enters, %d exits, %d sends, %d receives, of these %d before their sends",
			s.Enters, s.Exits, s.Sends, s.Receives, s.Unmatched)
	}
	return nil
}

// FuzzSpans reads any bytes as a file of a format of spans: neither detection nor reading panics, and what comes out is
// balanced.
func FuzzSpans(f *testing.F, format schema.Format, seeds ...string) {
	for _, text := range seeds {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		format.IsFile([]byte(text))
		scratch := func() (schema.Scratch, error) { return new(Memory), nil }
		got, err := SummarizeFiles(format, map[string]string{"traces": text}, schema.Reading{Scratch: scratch})
		if err := errors.Join(err, got.CheckBalance()); err != nil {
			t.Error(err)
		}
		if !format.Attributes {
			return
		}
		// Attributes change nothing of the events.
		tagged, err := SummarizeFiles(format, map[string]string{"traces": text}, schema.Reading{Scratch: scratch, Options: schema.ReadingOptions{Attributes: []string{"all"}}})
		if err != nil || !slices.Equal(tagged.Events, got.Events) {
			t.Errorf("with attributes: %v\n%q, want\n%q", err, tagged.Events, got.Events)
		}
	})
}
