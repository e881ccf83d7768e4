package console

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestWriteFileNamesWhatWasAskedFor checks that an error names the file that was asked for and not the one beside it, and that a failed
// write leaves the file of before and nothing else.
func TestWriteFileNamesWhatWasAskedFor(t *testing.T) {
	dir := t.TempDir()
	none, folder, kept := filepath.Join(dir, "none", "x.html"), filepath.Join(dir, "folder"), filepath.Join(dir, "kept")
	expect.OK(t, os.Mkdir(folder, 0o777))
	expect.OK(t, os.WriteFile(kept, []byte("before"), 0o666))
	text := func(out io.Writer) error { _, err := io.WriteString(out, "text"); return err }
	shut := func(out io.Writer) error {
		expect.OK(t, out.(io.Closer).Close())
		_, err := io.WriteString(out, "text")
		return fmt.Errorf("picture: %w", err)
	}
	for _, c := range []struct {
		name  string
		write func(io.Writer) error
		want  string
	}{
		{none, text, "open " + none + ": no such file or directory"},
		{folder, text, "write " + folder + ": file exists"},
		{kept, shut, "picture: write " + kept + ": file already closed\nclose " + kept + ": file already closed"},
	} {
		expect.Equal(t, fmt.Sprint(WriteFile(c.name, io.Discard, c.write)), c.want, "error")
	}
	expect.Equal(t, string(expect.Value(os.ReadFile(kept))(t)), "before", "the file of before")
	expect.Equal(t, len(expect.Value(os.ReadDir(dir))(t)), 2, "files that are left")
	expect.OK(t, WriteFile(kept, io.Discard, text))
	expect.Equal(t, string(expect.Value(os.ReadFile(kept))(t)), "text", "the new file")
}
