package ingest

import (
	"fmt"
	"hash/crc32"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/stages/chart/wellformed"
)

// segments is a sink that writes rows and messages into memory as segments, part by part.
type segments struct {
	bytes         []byte
	rows          []segment
	messages      []segment // by sender
	arrivals      []segment // by receiver
	room          int       // rows of a part for which memory is taken at once
	spareRows     []*wellformed.Rows
	spareMessages []*wellformed.Exchanges
}

// segment is some rows or messages of a part. It has a checksum of its own: processes read segments of files that others wrote, each
// a few of many files, and none reads the whole file.
type segment struct {
	Part      int
	Count     int
	At, Bytes int64  // where it lies
	Sum       uint32 // CRC-32C
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// newSegment is a segment from some place of the text to its end.
func newSegment(part, count int, text []byte, at int) segment {
	return segment{part, count, int64(at), int64(len(text) - at), crc32.Checksum(text[at:], castagnoli)}
}

// readSegment reads a segment of a slice's file, in memory that is used again where it has room.
func (s *slicing) readSegment(f lake.File, seg segment, memory []byte) ([]byte, error) {
	text, err := s.staging.ReadSpill(f, seg.At, seg.Bytes, memory)
	if err == nil && crc32.Checksum(text, castagnoli) != seg.Sum {
		err = fmt.Errorf("%s: bytes %d to %d have another checksum than when they were written: the disk lost them", s.staging.Path(f), seg.At, seg.At+seg.Bytes-1)
	}
	return text, err
}

// Fresh implements wellformed.Sink.
func (s *segments) Fresh() *wellformed.Rows {
	if n := len(s.spareRows); n > 0 {
		rows := s.spareRows[n-1]
		s.spareRows = s.spareRows[:n-1]
		return rows
	}
	return wellformed.NewRows(s.room)
}

// FreshExchanges implements wellformed.Sink.
func (s *segments) FreshExchanges() *wellformed.Exchanges {
	if n := len(s.spareMessages); n > 0 {
		x := s.spareMessages[n-1]
		s.spareMessages = s.spareMessages[:n-1]
		return x
	}
	return wellformed.NewExchanges(0)
}

// Take implements wellformed.Sink.
func (s *segments) Take(part int, rows *wellformed.Rows) {
	if n := rows.Len(); n > 0 {
		at := len(s.bytes)
		s.bytes = rows.AppendTo(s.bytes)
		s.rows = append(s.rows, newSegment(part, n, s.bytes, at))
	}
	rows.Reset()
	s.spareRows = append(s.spareRows, rows)
}

// TakeExchanges implements wellformed.Sink.
func (s *segments) TakeExchanges(part int, x *wellformed.Exchanges) { s.takeInto(&s.messages, part, x) }

// TakeArrivals implements wellformed.Sink.
func (s *segments) TakeArrivals(part int, x *wellformed.Exchanges) { s.takeInto(&s.arrivals, part, x) }

// TakeCouplings implements wellformed.Sink. The formats that are woven in slices have no couplings.
func (s *segments) TakeCouplings(_ int, x *wellformed.Exchanges) {
	x.Reset()
	s.spareMessages = append(s.spareMessages, x)
}

func (s *segments) takeInto(list *[]segment, part int, x *wellformed.Exchanges) {
	if n := x.Len(); n > 0 {
		at := len(s.bytes)
		s.bytes = x.AppendTo(s.bytes)
		*list = append(*list, newSegment(part, n, s.bytes, at))
	}
	x.Reset()
	s.spareMessages = append(s.spareMessages, x)
}

// reset forgets what was taken and keeps the memory.
func (s *segments) reset() { s.bytes, s.rows, s.messages, s.arrivals = s.bytes[:0], nil, nil, nil }
