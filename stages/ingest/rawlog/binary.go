package rawlog

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/extsort"
)

const (
	recordBytes = 32      // size of a binary record
	kindRemark  = 2       // see the package comment
	mostRemarks = 1 << 32 // bytes of them at once
)

var (
	errKind  = errors.New("kind is neither 0 nor 1")               // BadRecord
	errTorn  = errors.New("the file ends within a record")         // TornRecord
	errZero  = errors.New("the place of a record was not written") // TornRecord: a thread reserved the place and was killed before it wrote
	errTime  = errors.New("time does not fit")                     // UnsupportedTime: beyond 63 bits of ns
	errLost  = errors.New("the tracer dropped records")            // LostByTracer: no fault of the file
	errWhere = errors.New("expected a time")                       // BadLine
)

// readBinary reads binary records: as many at a time as the buffer holds, so that no record is copied, up to a record that
// announces remarks.
func (r *reader) readBinary(in *bufio.Reader) error {
	for offset := int64(0); ; {
		// Whole records of what is buffered already: Peek neither reads ahead nor moves bytes then. An empty buffer is
		// filled by asking for one record.
		piece, err := in.Peek(max(recordBytes, in.Buffered()&^(recordBytes-1)))
		// Less than a record is left: the end of the file, which must lie between two records.
		if err != nil && len(piece) < recordBytes {
			if err == io.EOF && len(piece) > 0 {
				return r.reading.Bad(schema.TornRecord, r.at(offset, errTorn))
			}
			if err == io.EOF {
				err = nil
			}
			return err
		}
		// Records up to the first that announces remarks (size > 0), whose bytes are no records.
		at, size := 0, int64(0)
		for ; at+recordBytes <= len(piece) && size == 0; at += recordBytes {
			if size, err = r.binaryRecord(piece[at:at+recordBytes], offset+int64(at)); err != nil {
				return err
			}
		}
		// The piece is a view of the buffer, so it is given back only now that all its records are taken.
		if _, err := in.Discard(at); err != nil {
			return err
		}
		offset += int64(at)
		if err := r.readRemarks(in, size, offset); err != nil {
			return err
		}
		offset += size
	}
}

// remarkBytes bounds the bytes of remarks that are kept of one announcement; the rest is left out.
const remarkBytes = 1 << 16

// readRemarks reads as many bytes of remarks as a record announced.
func (r *reader) readRemarks(in *bufio.Reader, size, offset int64) error {
	text := make([]byte, min(size, remarkBytes))
	n, err := io.ReadFull(in, text)
	if err == nil {
		_, err = io.CopyN(io.Discard, in, size-int64(n))
	}
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		if err = r.reading.Bad(schema.TornRecord, r.at(offset, errTorn)); err != nil {
			return err
		}
	}
	// The recorder fills up to a multiple of a record with zeros; what was read of torn remarks is used all the same.
	text, _, _ = bytes.Cut(text[:n], []byte{0})
	for line := range bytes.Lines(text) {
		if err := r.takeRemark(string(bytes.TrimSuffix(line, []byte("\n"))), r.at(offset, nil)); err != nil {
			return err
		}
	}
	return err
}

// binaryRecord takes the record of some bytes. It returns how many bytes of remarks follow.
func (r *reader) binaryRecord(b []byte, offset int64) (size int64, err error) {
	e := record{
		time:     binary.LittleEndian.Uint64(b),
		function: binary.LittleEndian.Uint64(b[8:]),
		thread:   binary.LittleEndian.Uint32(b[24:]),
	}
	// The call site, b[16:24], is not used.
	kind := binary.LittleEndian.Uint32(b[28:])
	switch {
	case kind == kindRemark && e.time == 0 && e.function%recordBytes == 0 && e.function < mostRemarks:
		return int64(e.function), nil
	case kind > uint32(schema.Exit):
		return 0, r.reading.Bad(schema.BadRecord, r.at(offset, errKind))
	case e.function == 0:
		return 0, r.reading.Bad(schema.TornRecord, r.at(offset, errZero))
	case e.time >= extsort.Done:
		r.reading.Ledger.Add(schema.UnsupportedTime, r.at(offset, errTime).Error)
		return 0, nil
	}
	e.kind = uint8(kind)
	return 0, r.addRecord(&e)
}

// at returns the place of a record at an offset of the file, in bytes.
func (r *reader) at(offset int64, err error) *schema.SyntaxError {
	return &schema.SyntaxError{File: r.path(), Offset: offset, Err: err}
}
