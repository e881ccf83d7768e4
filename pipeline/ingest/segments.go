package ingest

import "github.com/tracelake/tracelake/stages/chart/wellformed"

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

// segment is some rows or messages of a part.
type segment struct {
	Part      int
	Count     int
	At, Bytes int64 // where it lies
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
		s.rows = append(s.rows, segment{part, n, int64(at), int64(len(s.bytes) - at)})
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
		*list = append(*list, segment{part, n, int64(at), int64(len(s.bytes) - at)})
	}
	x.Reset()
	s.spareMessages = append(s.spareMessages, x)
}

// reset forgets what was taken and keeps the memory.
func (s *segments) reset() { s.bytes, s.rows, s.messages, s.arrivals = s.bytes[:0], nil, nil, nil }
