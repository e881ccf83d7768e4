package lake_test

import (
	"context"
	"os"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestDecodedOnce overwrites the values of a file, but not its footer, between scans. A scan that shares columns with one before
// still finds the values, as long as a task is announced that has not ended; whoever decodes again notices.
func TestDecodedOnce(t *testing.T) {
	l := lakeOfEvents(t, 1000, 1, 256)
	files := expect.Value(l.Table("events", lake.Run("r")))(t).Files[1:]
	decoded := lake.NewDecoded(1 << 20)
	scan := func(d *lake.Decoded) ([]int64, error) {
		ev := schema.NewEvents()
		var seqs []int64
		err := l.Scan(context.Background(), files, ev, lake.ScanOptions{Decoded: d, Columns: []string{"seq", "function"}}, func() error {
			seqs = append(seqs, ev.Seq...)
			return nil
		})
		expect.Equal(t, len(ev.Seq), 0, "rows left after a scan")
		return seqs, err
	}
	decoded.Expect(files)
	decoded.Expect(files)
	want := expect.Value(scan(decoded))(t)
	expect.Equal(expect.Must(t), len(want), 997, "rows")
	decoded.Release(files)

	path := l.Path(files[0])
	text := expect.Value(os.ReadFile(path))(t)
	clear(text[4:100])
	expect.OK(t, os.WriteFile(path, text, 0o644))
	if got := expect.Value(scan(decoded))(t); !slices.Equal(got, want) {
		t.Error("the columns that are shared changed with the file")
	}
	if _, err := scan(nil); err == nil {
		t.Error("a scan that shares nothing did not notice that the file is broken")
	}
	decoded.Release(files)
	if _, err := scan(decoded); err == nil {
		t.Error("columns were kept when the last task had ended")
	}
}

// TestDecodedMemoryIsUsedAgain shares the columns of one file after the other in a memory that has room for those of one: what the last task
// of a file gives back, the next file takes.
func TestDecodedMemoryIsUsedAgain(t *testing.T) {
	l := lakeOfEvents(t, 1000, 4, 1000)
	all := expect.Value(l.Table("events", lake.Run("r")))(t).Files
	all = slices.DeleteFunc(slices.Clone(all), func(f lake.File) bool { return f.Rows < 100 }) // in which little can be overwritten
	const ofRow = 8 + 4                                                                        // bytes of seq and function
	most := int64(0)
	for _, f := range all {
		most = max(most, f.Rows)
	}
	decoded := lake.NewDecoded(most * ofRow)
	rows := func(files []lake.File) (n int) {
		ev := schema.NewEvents()
		err := l.Scan(context.Background(), files, ev, lake.ScanOptions{Decoded: decoded, Columns: []string{"seq", "function"}}, func() error {
			n += len(ev.Seq)
			return nil
		})
		if err != nil {
			t.Errorf("%s is decoded once more: %v", files[0].Path, err)
		}
		return n
	}
	for i := range all {
		files := all[i : i+1]
		decoded.Expect(files)
		decoded.Expect(files)
		want := rows(files)
		path := l.Path(files[0])
		text := expect.Value(os.ReadFile(path))(t)
		clear(text[4:100])
		expect.OK(t, os.WriteFile(path, text, 0o644))
		expect.Equal(t, rows(files), want, "rows of %s", files[0].Path)
		decoded.Release(files)
		decoded.Release(files)
	}
}
