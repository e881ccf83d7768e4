package textfield

import (
	"bytes"
	"errors"
	"strings"
)

// What tables have in common: the mark that some programs put before a text, and what separates the fields of a line.
const (
	ByteOrderMark = "\xef\xbb\xbf"
	Separators    = "\t;,"
)

// Headings cuts the header of a table into the names of its columns.
func Headings(line []byte, separator byte) (names []string, err error) {
	r := Row{Separator: separator}
	if _, want := r.Split(line); want != "" {
		return nil, errors.New(want)
	}
	for i := range r.fields {
		names = append(names, string(r.Text(i)))
	}
	return names, nil
}

// PlainHeading is the name of a column without letter case, blanks and punctuation, by which names are compared.
func PlainHeading(name string) string {
	if strings.IndexFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) < 0 {
		return name // as most are once they were made so
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t_-./()[]{}:#@", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// Row cuts the lines of a table into fields and keeps its memory from line to line. Fields are quoted as in RFC 4180.
type Row struct {
	Separator byte   // tab, semicolon or comma
	Line      []byte // in hand
	fields    []span // of the line
	unquoted  []byte // the quoted fields of the line, without their quotes
}

// span is where a field lies, without its quotes and the blanks around it.
type span struct {
	begin, end int // offsets in the line, bytes
	quoted     int // 0 where the field lies in the line; else 1 + where it begins in unquoted
	size       int // in unquoted
}

// Split finds the fields of a line, or the place of what is wrong and what was expected there; "" is a good line.
func (r *Row) Split(line []byte) (at int, want string) {
	r.Line, r.fields, r.unquoted = line, r.fields[:0], r.unquoted[:0]
	// One search tells whether any field can be quoted; most rows have none and take the short way through the loop.
	quotes := bytes.IndexByte(line, '"') >= 0
	// Invariant: at is where a field begins. The loop's step passes the separator that ended the field before; a line
	// that ends with a separator has an empty field behind it.
	for ; ; at++ {
		if quotes && r.opens(at) {
			end, want := r.quotedField(at)
			if want != "" {
				return end, want
			}
			at = end
		} else {
			end := len(line)
			if n := bytes.IndexByte(line[at:], r.Separator); n >= 0 {
				end = at + n
			}
			if quotes {
				if n := bytes.IndexByte(line[at:end], '"'); n >= 0 {
					return at + n, "no quotation mark within a field that is not quoted"
				}
			}
			r.plainField(at, end)
			at = end
		}
		if at >= len(line) {
			return 0, ""
		}
	}
}

// opens reports whether a quoted field begins at line[at], blanks before it aside.
func (r *Row) opens(at int) bool {
	at = r.skip(at)
	return at < len(r.Line) && r.Line[at] == '"'
}

// skip returns where the blanks at line[at] end. A tab that separates fields is no blank.
func (r *Row) skip(at int) int {
	for at < len(r.Line) && r.blank(r.Line[at]) {
		at++
	}
	return at
}

// blank reports whether a character may stand around a field without being part of it.
func (r *Row) blank(c byte) bool { return c == ' ' || c == '\t' && r.Separator != '\t' }

// plainField adds a field without quotes, less the blanks around it.
func (r *Row) plainField(begin, end int) {
	for begin < end && r.blank(r.Line[begin]) {
		begin++
	}
	for begin < end && r.blank(r.Line[end-1]) {
		end--
	}
	r.fields = append(r.fields, span{begin: begin, end: end})
}

// Unclosed is what Split expects at the end of a line whose last field is quoted and not closed.
const Unclosed = "a quotation mark (a quoted field may not hold a line break)"

// quotedField reads the quoted field at line[at] and returns where the separator after it is, or a fault.
func (r *Row) quotedField(at int) (end int, want string) {
	// The text of the field grows in unquoted, where several fields of the line lie one behind the other.
	begin, start := r.skip(at)+1, len(r.unquoted)
	// A quotation mark that follows another one is a character of the field; the first single one ends it.
	for at = begin; ; {
		n := bytes.IndexByte(r.Line[at:], '"')
		if n < 0 {
			return len(r.Line), Unclosed
		}
		r.unquoted = append(r.unquoted, r.Line[at:at+n]...)
		at += n + 1
		if at >= len(r.Line) || r.Line[at] != '"' {
			break
		}
		r.unquoted = append(r.unquoted, '"')
		at++
	}
	r.fields = append(r.fields, span{begin, at - 1, start + 1, len(r.unquoted) - start})
	if end = r.skip(at); end < len(r.Line) && r.Line[end] != r.Separator {
		return end, "a separator after the quoted field"
	}
	return end, ""
}

// Text is field i of the line; it is valid until the next line.
func (r *Row) Text(i int) []byte {
	f := r.fields[i]
	// Offsets and not slices are kept, because unquoted may move while the line is split.
	if f.quoted > 0 {
		return r.unquoted[f.quoted-1 : f.quoted-1+f.size]
	}
	return r.Line[f.begin:f.end]
}

// Fields is how many fields the line has.
func (r *Row) Fields() int { return len(r.fields) }

// Begin is the offset of field i in the line.
func (r *Row) Begin(i int) int { return r.fields[i].begin }

// Blank reports whether there is nothing but blanks in the line.
func (r *Row) Blank() bool { return r.skip(0) == len(r.Line) }
