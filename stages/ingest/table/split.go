package table

import "bytes"

// splitter cuts a line into fields and keeps its memory from line to line.
type splitter struct {
	separator byte   // tab, semicolon or comma
	line      []byte // in hand
	fields    []span // of the line
	unquoted  []byte // the quoted fields of the line, without their quotes
}

// span is where a field lies, without its quotes and the blanks around it.
type span struct {
	begin, end int // offsets in the line, bytes
	quoted     int // 0 where the field lies in the line; else 1 + where it begins in unquoted
	size       int // in unquoted
}

// split finds the fields of a line.
func (s *splitter) split(line []byte) fault {
	s.line, s.fields, s.unquoted = line, s.fields[:0], s.unquoted[:0]
	// One search tells whether any field can be quoted; most rows have none and take the short way through the loop.
	quotes := bytes.IndexByte(line, '"') >= 0
	// Invariant: at is where a field begins. The loop's step passes the separator that ended the field before; a line
	// that ends with a separator has an empty field behind it.
	for at := 0; ; at++ {
		if quotes && s.opens(at) {
			end, f := s.quotedField(at)
			if !f.ok() {
				return f
			}
			at = end
		} else {
			end := len(line)
			if n := bytes.IndexByte(line[at:], s.separator); n >= 0 {
				end = at + n
			}
			if quotes {
				if n := bytes.IndexByte(line[at:end], '"'); n >= 0 {
					return fault{at + n, "no quotation mark within a field that is not quoted"}
				}
			}
			s.plainField(at, end)
			at = end
		}
		if at >= len(line) {
			return fault{}
		}
	}
}

// opens reports whether a quoted field begins at line[at], blanks before it aside.
func (s *splitter) opens(at int) bool {
	at = s.skip(at)
	return at < len(s.line) && s.line[at] == '"'
}

// skip returns where the blanks at line[at] end. A tab that separates fields is no blank.
func (s *splitter) skip(at int) int {
	for at < len(s.line) && s.blank(s.line[at]) {
		at++
	}
	return at
}

// blank reports whether a character may stand around a field without being part of it.
func (s *splitter) blank(c byte) bool { return c == ' ' || c == '\t' && s.separator != '\t' }

// plainField adds a field without quotes, less the blanks around it.
func (s *splitter) plainField(begin, end int) {
	for begin < end && s.blank(s.line[begin]) {
		begin++
	}
	for begin < end && s.blank(s.line[end-1]) {
		end--
	}
	s.fields = append(s.fields, span{begin: begin, end: end})
}

// quotedField reads the quoted field at line[at] and returns where the separator after it is.
func (s *splitter) quotedField(at int) (end int, f fault) {
	// The text of the field grows in unquoted, where several fields of the line lie one behind the other.
	begin, start := s.skip(at)+1, len(s.unquoted)
	// A quotation mark that follows another one is a character of the field; the first single one ends it.
	for at = begin; ; {
		n := bytes.IndexByte(s.line[at:], '"')
		if n < 0 {
			return 0, fault{len(s.line), "a quotation mark (a quoted field may not hold a line break)"}
		}
		s.unquoted = append(s.unquoted, s.line[at:at+n]...)
		at += n + 1
		if at >= len(s.line) || s.line[at] != '"' {
			break
		}
		s.unquoted = append(s.unquoted, '"')
		at++
	}
	s.fields = append(s.fields, span{begin, at - 1, start + 1, len(s.unquoted) - start})
	if end = s.skip(at); end < len(s.line) && s.line[end] != s.separator {
		return 0, fault{end, "a separator after the quoted field"}
	}
	return end, fault{}
}

// text is field i of the line; it is valid until the next line.
func (s *splitter) text(i int) []byte {
	f := s.fields[i]
	// Offsets and not slices are kept, because unquoted may move while the line is split.
	if f.quoted > 0 {
		return s.unquoted[f.quoted-1 : f.quoted-1+f.size]
	}
	return s.line[f.begin:f.end]
}
