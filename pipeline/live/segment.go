package live

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
)

// A segment is a file of pieces, each behind its length (uint32) and the CRC-32C of its bytes (uint32), both little-endian. It only grows.
// A reader takes what is whole, and finds the rest when it looks again. A piece that is not whole though others follow is damaged.
type segment struct {
	file *os.File
	end  int64 // behind the last whole piece, of one that is written
	b    []byte
}

const (
	pieceHead = 8
	mostPiece = 64 << 20 // bytes: a longer one is damage
)

// createSegment begins a segment anew.
func createSegment(path string) (*segment, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o666)
	if err != nil {
		return nil, err
	}
	return &segment{file: file}, nil
}

// openSegment opens a segment to read it.
func openSegment(path string) (*segment, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &segment{file: file}, nil
}

// append writes a piece, in one call: a reader that looks meanwhile sees none of it, or part, or all.
func (s *segment) append(piece []byte) (at int64, err error) {
	s.b = append(s.b[:0], make([]byte, pieceHead)...)
	binary.LittleEndian.PutUint32(s.b, uint32(len(piece)))
	binary.LittleEndian.PutUint32(s.b[4:], crc32.Checksum(piece, castagnoli))
	s.b = append(s.b, piece...)
	if _, err := s.file.Write(s.b); err != nil {
		return s.end, fmt.Errorf("%s: %w", s.file.Name(), err)
	}
	at, s.end = s.end, s.end+int64(len(s.b))
	return at, nil
}

// piece returns the piece at an offset, and the offset of the next one. The error is io.EOF where it is not whole yet. The bytes are valid
// until the next call.
func (s *segment) piece(at int64) (piece []byte, next int64, err error) {
	var head [pieceHead]byte
	if _, err := s.file.ReadAt(head[:], at); err != nil {
		return nil, at, ended(err)
	}
	length := int64(binary.LittleEndian.Uint32(head[:]))
	if length > mostPiece {
		return nil, at, s.damaged(at)
	}
	if int64(cap(s.b)) < length {
		s.b = make([]byte, length)
	}
	piece = s.b[:length]
	if _, err := s.file.ReadAt(piece, at+pieceHead); err != nil && (length > 0 || !errors.Is(err, io.EOF)) {
		return nil, at, ended(err)
	}
	next = at + pieceHead + length
	if crc32.Checksum(piece, castagnoli) != binary.LittleEndian.Uint32(head[4:]) {
		// Pieces are written one after the other.
		if info, err := s.file.Stat(); err != nil || info.Size() > next {
			return nil, at, errors.Join(err, s.damaged(at))
		}
		return nil, at, io.EOF
	}
	return piece, next, nil
}

// damaged is the error of a piece that is not what was written.
func (s *segment) damaged(at int64) error {
	return fmt.Errorf("%s, at byte %d: %w", s.file.Name(), at, errPiece)
}

// ended makes one error of all that say that a file has no more.
func ended(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return io.EOF
	}
	return err
}

// close closes the file.
func (s *segment) close() error { return s.file.Close() }
