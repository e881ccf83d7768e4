package console

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tracelake/tracelake/pipeline/process"
)

// WriteFile writes a file completely or not at all: a failed write leaves the file of before. The name "-" stands for the
// standard output.
// A picture or report that people watch is never seen half-written. What is no file, such as a device or a named pipe, is written to and
// stays what it is, and a link goes on leading to its file: a rename would put a file in the place of /dev/stdout.
func WriteFile(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "-" || isStdout(name) {
		return write(stdout)
	}
	name, direct := destination(name)
	if direct {
		f, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	f, err := Create(name)
	if err != nil {
		return err
	}
	if err = errors.Join(write(f), f.Close()); err == nil {
		err = Publish(name)
	}
	if err != nil {
		Discard(name)
	}
	return err
}

// isStdout reports whether a name, such as /dev/stdout, is that of the standard output.
func isStdout(name string) bool {
	of, err := os.Stat(name)
	own, errOwn := os.Stdout.Stat()
	return err == nil && errOwn == nil && os.SameFile(of, own)
}

// destination returns the file that a name leads to, and whether it is to be written to as it is: what exists and is neither a file nor a
// folder. A name of which nothing is known is its own.
func destination(name string) (file string, direct bool) {
	if of, err := os.Stat(name); err == nil && !of.Mode().IsRegular() && !of.IsDir() {
		return name, true
	}
	if file, err := filepath.EvalSymlinks(name); err == nil {
		return file, false
	}
	return name, false
}

// NewFile is a file that is written beside the one whose name it will get, since only a rename within one file system is atomic. Its
// errors bear that name: of the other one nobody knows.
type NewFile struct {
	file *os.File
	name string
}

// Create begins a file that Publish or Discard ends.
func Create(name string) (*NewFile, error) {
	process.Temporary(beside(name))
	file, err := os.Create(beside(name))
	return &NewFile{file, name}, sayName(err, name)
}

// Write writes to the new file.
func (f *NewFile) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	return n, sayName(err, f.name)
}

// Close closes the new file, which keeps its passing name.
func (f *NewFile) Close() error { return sayName(f.file.Close(), f.name) }

// Publish gives a new file its name, in the place of an older one.
func Publish(name string) error {
	defer process.Keep(beside(name))
	return sayName(os.Rename(beside(name), name), name)
}

// Discard removes a new file that did not become whole.
func Discard(name string) {
	defer process.Keep(beside(name))
	os.Remove(beside(name))
}

// beside is the passing name of a new file.
func beside(name string) string { return name + ".new" }

// sayName makes an error of a new file one of the file that was asked for.
func sayName(err error, name string) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &fs.PathError{Op: path.Op, Path: name, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: "write", Path: name, Err: link.Err}
	}
	return err
}
