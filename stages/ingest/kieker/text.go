package kieker

import (
	"bufio"
	"bytes"
	"errors"
)

// maxFields is more than any record has, the class and the time of logging included.
const maxFields = 64

var (
	errFew    = errors.New("fewer fields than the record has")
	errMany   = errors.New("more fields than the record has")
	errNumber = errors.New("not a whole number of the size that the record has there")
	errTruth  = errors.New("neither true nor false")
)

// text reads records of text, a line each.
// Fields are slices of the line, or of plain, and hold until the next line.
type text struct {
	f      *folder
	fields [maxFields][]byte
	plain  []byte // memory for fields that had backslashes
	values values // of the record in hand
}

// readText reads a file of records as text.
func (f *folder) readText(name string, in *bufio.Reader) error {
	t := &text{f: f}
	return f.each(name, in, t.line)
}

// line reads a record. Its error is that of a wrong line, or a stop.
func (t *text) line(line []byte) (int, error) {
	number, rest, ok := numbered(line)
	if !ok || len(rest) == 0 || rest[0] != ';' {
		return 0, errDollar
	}
	l := t.f.classes[number]
	switch l.kind {
	case unknown:
		return 0, errUnknown
	case skipped:
		t.f.skip()
		return 0, nil
	}
	n, err := t.split(rest[1:])
	if err != nil {
		return 0, err
	}
	column, err := t.read(l, n, line)
	if err != nil {
		return column, err
	}
	if err := t.f.r.take(l, &t.values, t.f.place); err != nil {
		return 0, stop{err}
	}
	return 0, nil
}

// split cuts a line into fields, the time of logging first, and returns how many there are.
func (t *text) split(rest []byte) (int, error) {
	if bytes.IndexByte(rest, '\\') >= 0 {
		return t.splitEscaped(rest)
	}
	for n := range t.fields {
		end := bytes.IndexByte(rest, ';')
		if end < 0 {
			t.fields[n] = rest
			return n + 1, nil
		}
		t.fields[n], rest = rest[:end:end], rest[end+1:]
	}
	return 0, errMany
}

// splitEscaped is split for lines with backslashes: a semicolon behind one parts no fields.
// The memory is taken at once, since growing it would move the fields that were cut already.
func (t *text) splitEscaped(rest []byte) (int, error) {
	t.plain = t.plain[:0]
	if cap(t.plain) < len(rest) {
		t.plain = make([]byte, 0, 2*len(rest))
	}
	n, from := 0, 0
	for i := 0; i <= len(rest); i++ {
		if i < len(rest) && rest[i] != ';' {
			if rest[i] == '\\' && i+1 < len(rest) {
				i++
			}
			t.plain = append(t.plain, rest[i])
			continue
		}
		if n == len(t.fields) {
			return 0, errMany
		}
		t.fields[n] = t.plain[from:len(t.plain):len(t.plain)]
		from = len(t.plain)
		n++
	}
	return n, nil
}

// read reads n fields as those of a record. Surplus ones are parts of the record's wide one.
// The column is that of the first place at which the field's text occurs, which is right for all but repeated values.
func (t *text) read(l layout, n int, line []byte) (column int, err error) {
	surplus := n - 1 - len(l.fields)
	if surplus < 0 {
		return len(line), errFew
	}
	from := 1
	for i := range len(l.fields) {
		field := t.fields[from]
		if from++; i == l.wide && surplus > 0 {
			field = bytes.Join(t.fields[from-1:from+surplus], []byte{';'})
			from += surplus
		}
		if err := t.values.parse(l.fields[i], field); err != nil {
			return max(0, bytes.Index(line, field)), err
		}
	}
	return 0, nil
}

// parse reads a field of text.
func (v *values) parse(letter byte, field []byte) error {
	kind := fieldTypes[letter]
	switch kind {
	case textField:
		v.text[letter] = field
	case truthField:
		if s := string(field); s != "true" && s != "false" {
			return errTruth
		}
	default:
		n, ok := integer(field)
		if !ok || kind == intField && n != int64(int32(n)) {
			return errNumber
		}
		v.number[letter] = n
	}
	return nil
}

// integer reads a decimal number of 64 bits with its sign.
func integer(digits []byte) (n int64, ok bool) {
	negative := len(digits) > 0 && digits[0] == '-'
	if negative {
		digits = digits[1:]
	}
	if len(digits) == 0 || len(digits) > 19 {
		return 0, false
	}
	var u uint64 // 19 digits fit
	for _, c := range digits {
		if c -= '0'; c > 9 {
			return 0, false
		}
		u = u*10 + uint64(c)
	}
	if negative {
		return -int64(u), u <= 1<<63
	}
	return int64(u), u < 1<<63
}
