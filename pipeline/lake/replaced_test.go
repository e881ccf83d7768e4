package lake_test

import (
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// hookedStorage runs something before a file of a table is opened, once.
type hookedStorage struct {
	*memoryStorage
	before func()
}

func (s *hookedStorage) Open(name string) (lake.Object, error) {
	if before := s.before; before != nil && strings.HasSuffix(name, ".parquet") {
		s.before = nil
		before()
	}
	return s.memoryStorage.Open(name)
}

// TestReadWhileReplaced has another process replace a table between the look at its manifest and the look at its file: the new rows are read. A
// file that is gone while its manifest stands is an error.
func TestReadWhileReplaced(t *testing.T) {
	writer, s := inMemory(t)
	commitTables(t, writer, 1)
	hooked := &hookedStorage{memoryStorage: s}
	reader := expect.Value(lake.OpenStorage(hooked, false))(t)
	before := len(s.files)
	hooked.before = func() { commitTables(t, writer, 2) }
	got, err := lake.Read[number](reader, "numbers", run)
	expect.OK(t, err)
	expect.Slice(t, got, []number{{2}, {7}}, "rows")
	expect.Equal(t, hooked.before == nil && len(s.files) == before, true, "the old files are gone: there are %d files, and were %d", len(s.files), before)
	hooked.before = func() {
		for name := range s.files {
			if strings.HasSuffix(name, ".parquet") {
				delete(s.files, name)
			}
		}
	}
	reader = expect.Value(lake.OpenStorage(hooked, false))(t)
	got, err = lake.Read[number](reader, "numbers", run)
	expect.Equal(t, len(got) == 0 && errors.Is(err, fs.ErrNotExist), true, "without its file: %v, %v", got, err)
}
