package ingest

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/schema"
)

// headOf is the decompressed beginning of a file, of at most some bytes.
// It is read before the trace itself is opened.
func headOf(path string, bytes int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := Decompress(f)
	if err != nil {
		return nil, &fs.PathError{Op: "decompress", Path: path, Err: err}
	}
	head, err := readHead(r, bytes)
	if len(head) == 0 && err != nil {
		return nil, &fs.PathError{Op: "decompress", Path: path, Err: err}
	}
	return head, nil
}

// readHead reads as much as tells a format. What fails after that is found when the trace is read.
// An input that is shorter gives fewer bytes and no error, and one that is broken gives those before the fault with it.
func readHead(r io.Reader, bytes int) ([]byte, error) {
	head := make([]byte, bytes)
	n, err := io.ReadFull(r, head)
	if err == io.EOF || n > 0 && err == io.ErrUnexpectedEOF { // its end
		err = nil
	}
	return head[:n], err
}

// stdinBytes is how much of the standard input is read ahead to look at its beginning.
const stdinBytes = farBytes

// locateStdin looks at the beginning of the standard input and puts it back.
// The standard input cannot be read twice: what was read ahead is put before the rest. A compressed input shows
// its beginning as far as its first part reaches.
func (in *intake) locateStdin() ([]located, error) {
	raw := make([]byte, stdinBytes)
	n, err := io.ReadFull(in.Stdin, raw)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, fmt.Errorf("stdin: after %d bytes: %w", n, err)
	}
	raw = raw[:n]
	in.Stdin = io.MultiReader(bytes.NewReader(raw), in.Stdin)
	var head []byte
	if r, err := Decompress(bytes.NewReader(raw)); err == nil {
		head, _ = readHead(r, farBytes) // a fault is found when the trace is read
	}
	format, err := in.Detect("stdin", head[:min(len(head), headBytes)])
	if err != nil && len(head) > headBytes {
		format, err = in.Detect("stdin", head)
	}
	if err != nil {
		return nil, err
	}
	if format.Folder {
		return nil, fmt.Errorf("stdin is a file of a %s trace, which is a whole folder: name the folder", format.Name)
	}
	p := located{format: format}
	if format.NewReader != nil {
		// A Reader reads the input as a file system of one file. The bytes are hashed on the way, since they come
		// only once.
		in.Stdin = &countingReader{r: in.Stdin, hash: in.hash}
		p.trace = schema.Trace{FS: oneFile{name: "stdin", open: func() (io.ReadCloser, error) { return io.NopCloser(in.Stdin), nil }}, Path: "stdin", Once: true}
	}
	return []located{p}, nil
}

// traceIn is a trace of several files in a folder, whose reading moves the progress on.
// Its files are not decompressed: a Reader asks for that, because some formats compress single files by
// themselves.
func (in *intake) traceIn(folder, path string) schema.Trace {
	return schema.Trace{FS: meteredFS{os.DirFS(folder), in.Progress, in.interrupted}, Path: filepath.ToSlash(path), Decompress: Decompress}
}

// traceOf is a trace that is one file.
func (in *intake) traceOf(folder, name string) schema.Trace {
	files := meteredFS{os.DirFS(folder), in.Progress, in.interrupted}
	open := func() (io.ReadCloser, error) { return files.Open(name) }
	return schema.Trace{FS: oneFile{name, open}, Path: name, Decompress: Decompress}
}

// meteredFS tells the progress what is read of its files, and ends reading when the ingest is interrupted. Readers know of
// no interrupt themselves: they read a whole trace before their first block where its events are in no order, and each
// of them reads on only through its files.
type meteredFS struct {
	fs.FS
	progress    *pipeline.Meter
	interrupted func() error // of the context
}

// Open implements fs.FS.
func (m meteredFS) Open(name string) (fs.File, error) {
	f, err := m.FS.Open(name)
	if err != nil {
		return nil, err
	}
	if file, ok := f.(*os.File); ok {
		return meteredFile{file, m}, nil
	}
	return f, nil
}

// meteredFile is a file that is read from its beginning or at any place.
type meteredFile struct {
	*os.File
	of meteredFS
}

// Read implements io.Reader.
func (f meteredFile) Read(p []byte) (int, error) {
	if err := f.of.interrupted(); err != nil {
		return 0, err
	}
	n, err := f.File.Read(p)
	f.of.progress.Advance(int64(n))
	return n, err
}

// ReadAt implements io.ReaderAt, by which Readers with an index jump in a file.
func (f meteredFile) ReadAt(p []byte, at int64) (int, error) {
	if err := f.of.interrupted(); err != nil {
		return 0, err
	}
	n, err := f.File.ReadAt(p, at)
	f.of.progress.Advance(int64(n))
	return n, err
}

// oneFile is a file system of one file, which is decompressed as it is read.
type oneFile struct {
	name string
	open func() (io.ReadCloser, error)
}

// Open implements fs.FS. Every other name does not exist.
func (o oneFile) Open(name string) (fs.File, error) {
	if name != o.name {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	raw, err := o.open()
	if err != nil {
		return nil, err
	}
	r, err := Decompress(raw)
	if err != nil {
		raw.Close()
		return nil, &fs.PathError{Op: "decompress", Path: name, Err: err}
	}
	return &unpacked{r, raw, o.name}, nil
}

// unpacked is a file that is decompressed as it is read.
type unpacked struct {
	io.Reader
	raw  io.Closer
	name string
}

// Read names the file in errors, which a decompressor does not know.
func (u *unpacked) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	if err != nil && err != io.EOF {
		err = &fs.PathError{Op: "read", Path: u.name, Err: err}
	}
	return n, err
}

// Close closes the file as it is stored. The decompressors hold nothing that needs closing.
func (u *unpacked) Close() error { return u.raw.Close() }

// Stat knows the name and nothing else.
func (u *unpacked) Stat() (fs.FileInfo, error) { return plainInfo(u.name), nil }

// plainInfo describes a file of unknown length.
type plainInfo string

func (i plainInfo) Name() string { return string(i) }

// Size is not known before the file is decompressed: see schema.ReadAhead.
func (i plainInfo) Size() int64        { return -1 }
func (i plainInfo) Mode() fs.FileMode  { return 0o444 }
func (i plainInfo) ModTime() time.Time { return time.Time{} }
func (i plainInfo) IsDir() bool        { return strings.HasSuffix(string(i), "/") }
func (i plainInfo) Sys() any           { return nil }
