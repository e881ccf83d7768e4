package zipkin

import (
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
)

// samples is the folder of traces of a format that others have recorded, beside the recordings.
func samples(t testing.TB, format string) string {
	t.Helper()
	return filepath.Join(readertest.Recordings(t), "..", "third-party", format)
}

// read reads files as one run.
func read(t testing.TB, files map[string]string, reading schema.Reading) (*readertest.Summary, error) {
	t.Helper()
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		reading.Traces = append(reading.Traces, schema.Trace{FS: fsys, Path: name})
	}
	reading.Ledger = new(schema.Ledger)
	if reading.Memory == 0 {
		reading.Memory = 64 << 20
	}
	reading.Scratch = func() (schema.Scratch, error) { return nil, errors.New("no scratch file is needed for so little") }
	return readertest.Summarize(Format(), &reading)
}
