package otf2

import (
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
)

const (
	littleEndian = 0x42
	bigEndian    = 0x23
)

// headerBytes is the length of the header of a chunk.
const headerBytes = 18

// defect is a fault in the bytes of a file: the rest of the chunk is lost, and reading goes on behind it.
type defect string

// Error implements error.
func (d defect) Error() string { return string(d) }

const (
	errEnds   = defect("the file ends in the middle of a record")
	errNoEnd  = defect("the file ends without its end mark")
	errCross  = defect("a record reaches beyond its chunk")
	errHeader = defect("expected the header of a chunk")
	errNumber = defect("a number of more than eight bytes")
	errCount  = defect("the chunk does not have as many events as it says")
	errFields = defect("the attributes of a record end too soon")
)

// chunks reads a file of chunks through a window, buf[at:end] of which is still to be read. A record lies in one
// chunk, so the end of the chunk ends the window, too.
type chunks struct {
	file  io.ReadCloser // closed by the reader
	name  string        // for positions
	chunk int64         // bytes of every chunk but the last

	buf     []byte // bytes of the file in memory
	at, end int    // end is behind no byte of the next chunk
	full    int    // of buf, read from the file
	base    int64  // where in the file buf begins
	eof     bool   // the file has no more
	stop    int64  // where in the file the chunk ends

	inside  bool   // of a chunk
	fresh   bool   // nothing but its header was read; who reads on clears it
	ended   bool   // the file has
	big     bool   // most significant byte first
	says    uint64 // how many events the chunk has, by its header; 0 in a definition file
	counted uint64 // how many it turned out to have so far
	total   uint64 // how many all chunks have so far, by their headers
	damaged bool   // some of a chunk was given up, and counted
}

// newChunks returns the chunks of a file that was just opened. Chunk is their size in bytes, window what is read at once.
func newChunks(file io.ReadCloser, name string, chunk int64, window int) *chunks {
	return &chunks{file: file, name: name, chunk: chunk, buf: make([]byte, window)}
}

// offset is where in the file the next byte lies.
func (c *chunks) offset() int64 { return c.base + int64(c.at) }

// wrong is an error at the next byte.
func (c *chunks) wrong(err error) *schema.SyntaxError {
	return &schema.SyntaxError{File: c.name, Offset: c.offset(), Err: err}
}

// need sees to it that n bytes of the chunk are in the window. Its errors are errEnds, errCross and those of
// the file.
func (c *chunks) need(n int) error {
	if c.end-c.at >= n {
		return nil
	}
	if c.offset()+int64(n) > c.stop {
		return errCross
	}
	// A Read may give less than is asked for.
	for c.full-c.at < n && !c.eof {
		if err := c.fill(n); err != nil {
			return err
		}
	}
	// The window ends with the chunk, so no record is read beyond it.
	c.end = int(min(int64(c.full), c.stop-c.base))
	if c.end-c.at < n {
		return errEnds
	}
	return nil
}

// fill moves what is left to the front of the buffer and reads on. The buffer grows to hold n bytes.
func (c *chunks) fill(n int) error {
	left := copy(c.buf, c.buf[c.at:c.full])
	c.base += int64(c.at)
	c.at, c.full = 0, left
	if n > len(c.buf) {
		// A length may be damage: no more memory than the file has bytes, by doubling.
		c.buf = append(c.buf[:left], make([]byte, min(n, 2*len(c.buf))-left)...)
	}
	// Errors of the file end the reading; its end may only be early, which is for the caller to judge.
	got, err := c.file.Read(c.buf[left:])
	c.full += got
	if err == io.EOF {
		c.eof = true
	} else if err != nil {
		return fmt.Errorf("%s: %w", c.name, err)
	}
	return nil
}

// skip goes n bytes on, within the chunk.
func (c *chunks) skip(n uint64) error {
	if n > uint64(c.stop-c.offset()) {
		return errCross
	}
	return c.seek(c.offset() + int64(n))
}

// seek goes on to a place in the file that lies ahead and not beyond the chunk. It says errEnds where the file
// ends before it.
func (c *chunks) seek(to int64) error {
	// Files of an archive need not be able to seek (they may be compressed), so bytes are read and dropped.
	for to > c.base+int64(c.full) {
		if c.eof {
			c.at = c.full
			return errEnds
		}
		c.at = c.full
		if err := c.fill(0); err != nil {
			return err
		}
	}
	c.at = int(to - c.base)
	c.end = max(c.at, int(min(int64(c.full), c.stop-c.base)))
	return nil
}

// next goes to the chunk behind this one and reads its header.
func (c *chunks) next() error {
	if err := c.seek(c.stop); err == errEnds {
		return errNoEnd
	} else if err != nil {
		return err
	}
	c.stop += c.chunk
	if err := c.need(1); err == errEnds {
		return errNoEnd
	}
	if err := c.need(headerBytes); err != nil {
		return err
	}
	// Each chunk has an order of bytes of its own, as the header says.
	f := fields{data: c.buf[c.at : c.at+headerBytes], at: 2}
	mark, order := f.data[0], f.data[1]
	if mark != chunkHeader || order != littleEndian && order != bigEndian {
		return errHeader
	}
	c.big = order == bigEndian
	f.big = c.big
	first, last := f.u64(), f.u64()
	c.says, c.counted = last-first+1, 0
	c.total += c.says
	c.at += headerBytes
	c.inside, c.fresh = true, true
	return nil
}
