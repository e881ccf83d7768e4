package otf1

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"

	"github.com/tracelake/tracelake/schema"
)

// zlibByte begins a zlib stream with a window of 32 KiB. No line of OTF does.
const zlibByte = 0x78

// open opens a file of the trace, or the one of its name and ".z". Compression is recognised by the first bytes.
func (r *reader) open(name string, buffer int) (*lines, io.Closer, error) {
	f, err := r.trace.FS.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		// The OTF library finds its files the same way.
		if z, zerr := r.trace.FS.Open(name + ".z"); zerr == nil {
			f, err, name = z, nil, name+".z"
		}
	}
	if err != nil {
		return nil, nil, err
	}
	in, room, err := r.inflate(f, buffer)
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return &lines{src: in, file: name, buf: make([]byte, room)}, f, nil
}

// inflate undoes the compression of a file, and says how much of it is to be read at once: a whole small file, or as much as is given.
func (r *reader) inflate(f io.Reader, most int) (plain io.Reader, room int, err error) {
	if r.trace.Decompress != nil {
		in, err := r.trace.Decompress(f)
		if err != nil {
			return nil, 0, err
		}
		f = in
	}
	room = schema.ReadAhead(f, most)
	// Two bytes are read ahead and put back in front.
	head := make([]byte, 2)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, 0, err
	}
	f = io.MultiReader(bytes.NewReader(head[:n]), f)
	if n == 0 || head[0] != zlibByte {
		return f, room, nil
	}
	in, err := zlib.NewReader(f)
	if err != nil {
		// The header is damaged: it is counted where the file is read, as any damage further on is.
		return broken{err}, most, nil
	}
	return in, most, nil
}

// broken is a file that cannot be read at all.
type broken struct{ err error }

// Read implements io.Reader.
func (b broken) Read([]byte) (int, error) { return 0, b.err }

// unfinished reports whether an error is the usual end of the OTF library's zlib streams: it flushes them and never
// writes a last block: in the middle, after the last good byte.
func unfinished(err error) bool { return errors.Is(err, io.ErrUnexpectedEOF) }

// corrupt reports whether an error is about the bytes of a zlib stream, not about reading them.
func corrupt(err error) bool {
	var damaged flate.CorruptInputError
	return errors.As(err, &damaged) || errors.Is(err, zlib.ErrChecksum) || errors.Is(err, zlib.ErrHeader) || errors.Is(err, zlib.ErrDictionary)
}
