package console

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

// TestWriteFileKeepsWhatIsNoFile checks that a device, a named pipe and a link stay what they are, and that what is written arrives.
func TestWriteFileKeepsWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	text := func(out io.Writer) error { _, err := io.WriteString(out, "text"); return err }
	fifo, link, linked, null := filepath.Join(dir, "fifo"), filepath.Join(dir, "link"), filepath.Join(dir, "linked"), filepath.Join(dir, "null")
	expect.OK(t, syscall.Mkfifo(fifo, 0o666))
	expect.OK(t, os.Symlink(linked, link))
	expect.OK(t, os.Symlink(os.DevNull, null))
	expect.OK(t, os.WriteFile(linked, []byte("before"), 0o666))
	read := make(chan string)
	go func() {
		got, err := os.ReadFile(fifo)
		read <- fmt.Sprint(string(got), err)
	}()
	for _, name := range []string{fifo, link, null} {
		expect.OK(t, WriteFile(name, io.Discard, text))
	}
	expect.Equal(t, <-read, "text<nil>", "from the pipe")
	expect.Equal(t, string(expect.Value(os.ReadFile(linked))(t)), "text", "the file behind the link")
	for name, want := range map[string]os.FileMode{fifo: os.ModeNamedPipe, link: os.ModeSymlink, null: os.ModeSymlink} {
		expect.Equal(t, expect.Value(os.Lstat(name))(t).Mode().Type(), want, "%s", name)
	}
	// The standard output by its other name is the one that the caller writes to.
	stdout := filepath.Join(dir, "stdout")
	expect.OK(t, os.Symlink("/proc/self/fd/1", stdout))
	var out strings.Builder
	expect.OK(t, WriteFile(stdout, &out, text))
	expect.Equal(t, out.String(), "text", "standard output")
	expect.Equal(t, expect.Value(os.Lstat(stdout))(t).Mode().Type(), os.ModeSymlink, "the link to the standard output")
}
