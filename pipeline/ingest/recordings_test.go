package ingest_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake/testdata/laketest"
	"github.com/tracelake/tracelake/schema"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/ingest/text"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestRecordingsOnAnyMachine sees that the tables of all recorded archives, logs and JSON depend neither on the number of jobs nor on
// the memory, errors included. Of texts, which are cut as well, TestRecordingsInPieces sees it.
func TestRecordingsOnAnyMachine(t *testing.T) {
	folder := os.Getenv("TRACELAKE_RECORDINGS")
	if folder == "" || raced {
		t.Skip("skipped: recordings are ingested only where TRACELAKE_RECORDINGS names their folder, and not under the race detector")
	}
	find := ingest.FindAmong(readers.Formats(), ingest.AnyFormat)
	formats, perFolder := make(map[string]int), make(map[string]int)
	err := filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.IsDir() {
			found, err := find(os.DirFS(path))
			if err != nil || len(found) != 1 {
				return err
			}
			formats[sameOnAnyMachine(t, path)]++
			return fs.SkipDir
		}
		// Of recordings that lie in one folder, which are runs of one program, some are enough.
		if perFolder[filepath.Dir(path)]++; perFolder[filepath.Dir(path)] <= 8 {
			formats[sameOnAnyMachine(t, path)]++
		}
		return nil
	})
	expect.OK(t, err)
	delete(formats, "")
	if len(formats) < 5 {
		t.Errorf("recordings of the formats %v only", formats)
	}
	t.Log(formats)
}

// sameOnAnyMachine ingests a recording with much and with little, and returns its format, "" where it is none or a text.
func sameOnAnyMachine(t *testing.T, path string) (format string) {
	t.Helper()
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		if _, isText := text.Detect(unpacked(t, path)); isText {
			return ""
		}
	}
	var want map[string]string
	var wantErr string
	for i, with := range []struct {
		jobs   int
		memory int64
	}{{2, 8 << 30}, {1, 256 << 20}, {2, 1 << 30}} {
		j := job(t, path)
		j.Detect, j.Find = ingest.DetectAmong(readers.Formats(), ingest.AnyFormat, schema.ReadingOptions{}), ingest.FindAmong(readers.Formats(), ingest.AnyFormat)
		j.Jobs, j.Memory = with.jobs, with.memory
		run, _, err := ingest.Run(t.Context(), j)
		got := laketest.Hashes(t, j.Lake.Dir)
		if i == 0 {
			if want, wantErr = got, fmt.Sprint(err); err == nil {
				format = run.Format
			}
			continue
		}
		expect.Equal(t, fmt.Sprint(err), wantErr, "error of %s with %d jobs", path, with.jobs)
		laketest.CheckSame(t, fmt.Sprintf("%s with %d jobs and %d bytes", path, with.jobs, with.memory), got, want)
	}
	return format
}
