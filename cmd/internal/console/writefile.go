package console

import (
	"errors"
	"io"
	"io/fs"
	"os"
)

// WriteFile writes a file completely or not at all: a failed write leaves the file of before. The name "-" stands for the
// standard output.
// A picture or report that people watch is never seen half-written.
func WriteFile(name string, stdout io.Writer, write func(io.Writer) error) error {
	if name == "-" {
		return write(stdout)
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

// NewFile is a file that is written beside the one whose name it will get, since only a rename within one file system is atomic. Its
// errors bear that name: of the other one nobody knows.
type NewFile struct {
	file *os.File
	name string
}

// Create begins a file that Publish or Discard ends.
func Create(name string) (*NewFile, error) {
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
func Publish(name string) error { return sayName(os.Rename(beside(name), name), name) }

// Discard removes a new file that did not become whole.
func Discard(name string) { os.Remove(beside(name)) }

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
