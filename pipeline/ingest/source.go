package ingest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

// source is a trace file opened for reading, decompressed and hashed on the way.
type source struct {
	io.Reader                 // the decompressed text
	name      string          // as in messages
	raw       *countingReader // below the decompression
	size      int64           // bytes of the file, 0 when unknown
	close     func() error    // does nothing for the standard input
}

// countingReader counts and hashes the bytes of the file as they are read.
type countingReader struct {
	r    io.Reader
	n    int64 // bytes so far
	hash *treeHash
}

// Read implements io.Reader. Bytes that come with an error count, too.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.hash.Write(p[:n])
	c.n += int64(n)
	return n, err
}

// openSource opens a trace; "-" is the standard input. Compression is known by its first bytes, not by
// the file's name.
// The hash gets the bytes as they are stored, so that it is that of the file.
func openSource(path string, stdin io.Reader, h *treeHash) (*source, error) {
	s := &source{name: path, close: func() error { return nil }}
	in := stdin
	if path == "-" {
		s.name = "stdin"
	} else {
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		if info, err := f.Stat(); err == nil && info.IsDir() {
			f.Close()
			return nil, fmt.Errorf("%s is a folder: name the trace files in it", path)
		} else if err == nil {
			s.size = info.Size()
		}
		in, s.close = f, f.Close
	}
	s.raw = &countingReader{r: in, hash: h}
	r, err := Decompress(s.raw)
	if err != nil {
		s.close()
		return nil, fmt.Errorf("%s: %w", s.name, err)
	}
	s.Reader = r
	return s, nil
}

// packedFactor is how many times longer than its file the text of a compressed trace is taken to be. Recordings of calls
// become 6 to 12 times smaller with gzip and zstd.
const packedFactor = 8

// traceBytes estimates the size of a trace before it is read: that of its files, of compressed ones packedFactor times as
// much. Nothing is known of the standard input and of a pipe: they count as empty.
func traceBytes(places []located) (total int64, err error) {
	for _, p := range places {
		for _, path := range p.files {
			bytes, err := unpackedBytes(path)
			if err != nil {
				return 0, err
			}
			total += bytes
		}
	}
	return total, nil
}

// unpackedBytes estimates the size of what is in a file.
func unpackedBytes(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return 0, err
	}
	magic := make([]byte, 6)
	n, err := f.ReadAt(magic, 0)
	if err != nil && err != io.EOF {
		return 0, err
	}
	if packingOf(magic[:n]) == plain {
		return info.Size(), nil
	}
	return info.Size() * packedFactor, nil
}

// packing is how a file is compressed.
type packing uint8

const (
	plain packing = iota
	gzipped
	zstandard
	xzipped
)

// packingOf knows the packing of a file by its first bytes, of which six suffice.
func packingOf(magic []byte) packing {
	switch {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return gzipped
	case bytes.HasPrefix(magic, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return zstandard
	case bytes.HasPrefix(magic, []byte{0xfd, '7', 'z', 'X', 'Z', 0}):
		return xzipped
	}
	return plain
}

// Decompress looks at the first bytes and undoes gzip, zstd and xz. What is not compressed is read without a buffer in
// between.
// Files of several compressed parts, one after the other, give the text of all parts.
func Decompress(raw io.Reader) (io.Reader, error) {
	magic := make([]byte, 6)
	// A source of fewer bytes than a magic number is plain text or empty, and no error here.
	n, err := io.ReadFull(raw, magic)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, err
	}
	magic = magic[:n]
	whole := io.MultiReader(bytes.NewReader(magic), raw)
	switch packingOf(magic) {
	case gzipped:
		return gzip.NewReader(bufio.NewReaderSize(whole, 1<<18))
	case zstandard:
		// The window is bounded: a broken or hostile frame could ask for gigabytes of memory.
		return zstd.NewReader(whole, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(128<<20))
	case xzipped:
		return xz.NewReader(bufio.NewReaderSize(whole, 1<<18))
	}
	if f, is := raw.(fs.File); is {
		return &begunFile{f, whole}, nil
	}
	return whole, nil
}

// begunFile is a file of which the first bytes were looked at. It says how long it is.
type begunFile struct {
	fs.File
	whole io.Reader // from its first byte on
}

// Read implements io.Reader.
func (f *begunFile) Read(p []byte) (int, error) { return f.whole.Read(p) }
