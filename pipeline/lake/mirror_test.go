package lake_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/testdata/expect"
)

// below lists the files below a folder with their texts, by their names in it.
func below(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	expect.OK(t, filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(text)
		return err
	}))
	return all
}

// TestMirror copies the files of some tables of a lake without folders: all of them at first, then what is missing, and files that the lake has no
// more go. What other programs keep there stays.
func TestMirror(t *testing.T) {
	l, s := inMemory(t)
	dir := filepath.Join(t.TempDir(), "copies")
	mirrored := func() map[string]string {
		t.Helper()
		names := expect.Value(l.Mirror(t.Context(), dir, []string{"numbers", "events"}))(t)
		expect.Equal(t, len(names["more_numbers"]), 0, "files of a table that nobody wants")
		have := below(t, dir)
		for table, wanted := range names {
			m := expect.Value(l.Table(table, run))(t)
			expect.Equal(t, len(wanted), len(m.Files), "files of %s", table)
			for i, name := range wanted {
				expect.Equal(t, name, m.Files[i].Path, "the name of a file of %s", table)
				expect.Equal(t, have[name], string(s.files[name]), "the bytes of %s", name)
			}
		}
		return have
	}
	commitTables(t, l, 1)
	expect.Equal(t, len(mirrored()), 4, "files")
	// A file of the right size is not fetched again, one that is cut short is.
	files := expect.Value(l.Table("events", run))(t).Files
	kept := string(make([]byte, files[0].Bytes))
	write(t, filepath.Join(dir, files[0].Path), kept)
	write(t, filepath.Join(dir, files[1].Path), "cut")
	write(t, filepath.Join(dir, "events", "notes.txt"), "mine")
	expect.Value(l.Mirror(t.Context(), dir, []string{"events"}))(t)
	have := below(t, dir)
	expect.Equal(t, have[files[0].Path], kept, "a file that is there")
	expect.Equal(t, have[files[1].Path], string(s.files[files[1].Path]), "a file that was cut short")
	commitTables(t, l, 2)
	have = mirrored()
	expect.Equal(t, len(have), 5, "files after another commit")
	expect.Equal(t, have["events/notes.txt"], "mine", "a file of somebody else")
}

// TestMirrorOfDamage refuses a file that has another byte, or fewer, and leaves nothing of it. A mirror ends with its context.
func TestMirrorOfDamage(t *testing.T) {
	l, s := inMemory(t)
	commitTables(t, l, 1)
	file := expect.Value(l.Table("numbers", run))(t).Files[0]
	sound := s.files[file.Path]
	flipped := append([]byte{}, sound...)
	flipped[len(flipped)/2] ^= 4
	for _, damaged := range [][]byte{flipped, sound[:len(sound)-1]} {
		s.files[file.Path] = damaged
		dir := t.TempDir()
		_, err := l.Mirror(t.Context(), dir, []string{"numbers"})
		fails(t, err, file.Path+" is damaged", file.Crc32c, "see analyze verify")
		expect.Equal(t, len(below(t, dir)), 0, "files that are left")
	}
	delete(s.files, file.Path)
	if _, err := l.Mirror(t.Context(), t.TempDir(), []string{"numbers"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file that is missing: %v", err)
	}
	s.files[file.Path] = sound
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := l.Mirror(ended, t.TempDir(), []string{"numbers"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a mirror that was called off: %v", err)
	}
	// A place where no folder can be made is an error, too.
	place := filepath.Join(t.TempDir(), "file")
	write(t, place, "in the way")
	if _, err := l.Mirror(t.Context(), place, []string{"numbers"}); err == nil {
		t.Error("a mirror below a file is no error")
	}
}

// workMeter counts what is expected and what is done.
type workMeter struct{ expected, done int64 }

func (m *workMeter) Expect(n int64)  { m.expected += n }
func (m *workMeter) Advance(n int64) { m.done += n }

// TestVerifyCounts says how many bytes were read, as many as there are, and the meter ends where it was expected to.
func TestVerifyCounts(t *testing.T) {
	l, s := inMemory(t)
	commitTables(t, l, 1)
	var bytes int64
	for _, f := range append(expect.Value(l.Table("events", run))(t).Files, expect.Value(l.Table("numbers", run))(t).Files...) {
		bytes += int64(len(s.files[f.Path]))
	}
	var meter workMeter
	v := expect.Value(l.Verify(t.Context(), nil, &meter))(t)
	expect.Equal(t, v.Bytes, bytes, "bytes that were read")
	expect.Equal(t, meter, workMeter{bytes, bytes}, "the meter")
	expect.Equal(t, v.Files, 4, "files")
}

// TestTidiedFiles counts what is removed, and what remains of a drop that was interrupted is found.
func TestTidiedFiles(t *testing.T) {
	l, s := inMemory(t)
	commitTables(t, l, 1)
	remains := func(p lake.Partition) bool { return expect.Value(l.Remains(p))(t) }
	expect.Equal(t, remains(run), false, "a run that exists remains")
	s.files["events/run=b/bucket=1/part-00000-01234567.parquet"] = []byte("left")
	s.files["numbers/run=b/part-00000-01234567.parquet"] = []byte("left")
	s.files["events/run=a/bucket=0/part-00009-01234567.parquet"] = []byte("left")
	s.files["_leases/run=b.1.x.commit"] = []byte("left")
	s.files["_lock"] = nil
	expect.Equal(t, remains(lake.Run("b")), true, "a run that was dropped in part remains")
	expect.Equal(t, remains(lake.Run("c")), false, "a run that never was remains")
	tidied := expect.Value(l.Tidy(t.Context()))(t)
	expect.Equal(t, tidied.Files, 4, "files that no inventory names, and the lock")
	expect.Equal(t, remains(lake.Run("b")), false, "a run that was tidied away remains")
	expect.Equal(t, len(s.files), 6, "files that are left: the mark of the lake, an inventory and its four files")
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := l.Tidy(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("tidying that was called off: %v", err)
	}
}
