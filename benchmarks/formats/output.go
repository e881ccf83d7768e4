package main

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// folder is where the files of a trace are written.
// Writers need not check errors one by one: the first is kept and returned by close, as bufio.Writer does for one
// file.
type folder struct {
	path  string  // that the files are in
	files []*file // in the order of their making
	err   error   // the first
}

// file is a file under way. Its errors are those of its folder.
type file struct {
	*bufio.Writer
	under io.Closer // the file of the system
}

// create starts a file.
// The name may have folders in it, which are made. After an error the file takes what is written and loses it.
func (f *folder) create(name string) *file {
	path := filepath.Join(f.path, name)
	f.fail(os.MkdirAll(filepath.Dir(path), 0o777))
	under, err := os.Create(path)
	f.fail(err)
	out := &file{bufio.NewWriterSize(under, 1<<18), under}
	f.files = append(f.files, out)
	return out
}

// fail keeps an error if it is the first; nil is none.
func (f *folder) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// close completes all files.
// It must be called once, also after errors, so that no file stays open.
func (f *folder) close() error {
	// Flush before Close: an error of either is one of the trace.
	for _, file := range f.files {
		f.err = errors.Join(f.err, file.Flush(), file.under.Close())
	}
	return f.err
}

// say writes a piece of text.
// It formats into the free part of the buffer, so that most pieces are not copied.
func (f *file) say(format string, values ...any) {
	f.Write(fmt.Appendf(f.AvailableBuffer(), format, values...))
}

// little writes numbers, least significant byte first; big the other way round.
func (f *file) little(size int, n uint64) {
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], n)
	f.Write(b[:size])
}

// The size is in bytes, at most eight.
func (f *file) big(size int, n uint64) {
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], n)
	f.Write(b[8-size:])
}
