package kieker

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/tracelake/tracelake/schema"
)

// headBytes are the number of the class and the time of logging.
const headBytes = 4 + 8

var errRest = errors.New("a record of a length that is not known; the rest of the file is left out")

// binaryReader reads records of bytes. The length of a record follows from its class alone, so that a class of unknown fields
// ends the reading of a file.
// The map is complete before the first record: folder reads all maps first. What a TCP writer sends has its entries between the records.
type binaryReader struct {
	f      *folder
	name   string
	offset int64 // of the record
	values values
}

// readBinary reads a file of records as bytes. Records are peeked at whole and then discarded, so that a record that
// is torn is told from one that is read; the longest has less than 100 bytes.
func (f *folder) readBinary(name string, in *bufio.Reader) error {
	o := &binaryReader{f: f, name: name}
	f.place = o.at
	for {
		head, err := in.Peek(headBytes)
		if len(head) == 0 && err == io.EOF {
			return nil
		}
		if err != nil {
			return o.torn(err)
		}
		number := int64(int32(binary.BigEndian.Uint32(head)))
		if number == entryClass {
			if more, err := o.entry(in, head); err != nil || !more {
				return err
			}
			continue
		}
		l, known := f.classes[number]
		if !known || l.fields == "" {
			return o.unreadable(number, known)
		}
		size := headBytes + sizeOf(l.fields)
		raw, err := in.Peek(size)
		if err != nil {
			return o.torn(err)
		}
		if l.kind == skipped {
			f.skip()
		} else if err := o.take(l, raw[headBytes:]); err != nil {
			return err
		}
		if _, err := in.Discard(size); err != nil {
			return o.torn(err)
		}
		o.offset += int64(size)
	}
}

// entry reads an entry of a registry, which stands before the first record that has its text. It reports whether reading can go on.
func (o *binaryReader) entry(in *bufio.Reader, head []byte) (more bool, err error) {
	number, units := entryHead(head)
	if units < 0 || units > mostText {
		return false, o.f.r.reading.Bad(schema.BadRecord, o.at(errEntry))
	}
	raw, err := in.Peek(entryBytes + mostUTF8*units + 1) // as a rule there are fewer
	n, whole := textLength(raw[entryBytes:], units)
	if !whole {
		return false, o.torn(err)
	}
	o.f.name(number, bytes.Clone(raw[entryBytes:entryBytes+n]))
	o.offset += entryBytes + int64(n)
	_, err = in.Discard(entryBytes + n)
	return true, err
}

// at places an error at the record in hand.
func (o *binaryReader) at(err error) *schema.SyntaxError {
	return &schema.SyntaxError{File: o.name, Offset: o.offset, Err: err}
}

// torn counts the end of a file in the middle of a record.
func (o *binaryReader) torn(err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return o.f.r.reading.Bad(schema.TornRecord, o.at(err))
}

// unreadable counts a record whose length is not known.
// Nothing behind it can be read, as its length is not known, but the other files of the log can.
func (o *binaryReader) unreadable(number int64, known bool) error {
	name := string(numberAsText(number))
	if known {
		name = string(o.f.texts[number])
	}
	return o.f.r.reading.Bad(schema.BadRecord, o.at(fmt.Errorf("%s: %w", name, errRest)))
}

// sizeOf returns how many bytes fields take.
func sizeOf(fields string) (n int) {
	for i := range len(fields) {
		n += widths[fieldTypes[fields[i]]]
	}
	return n
}

// take reads the fields of a record, all of which are there.
func (o *binaryReader) take(l layout, raw []byte) error {
	for i := range len(l.fields) {
		letter := l.fields[i]
		kind := fieldTypes[letter]
		switch {
		case kind == longField:
			o.values.number[letter] = int64(binary.BigEndian.Uint64(raw))
		case kind == intField:
			o.values.number[letter] = int64(int32(binary.BigEndian.Uint32(raw)))
		case kind == textField && letter != 'S': // a text without use may be missing from the map
			o.values.text[letter] = o.text(int64(int32(binary.BigEndian.Uint32(raw))))
		}
		raw = raw[widths[kind]:]
	}
	return o.f.r.take(l, &o.values, o.f.place)
}

// text is a string of the map. One that the map lacks is called by its number.
// The number is then added to the map, so that the loss is counted once for each string and not for each record.
func (o *binaryReader) text(number int64) []byte {
	s, known := o.f.texts[number]
	if !known {
		s = numberAsText(number)
		o.f.r.reading.Ledger.Add(schema.UndefinedToken, func() string { return o.at(fmt.Errorf("%s is not in the map", s)).Error() })
		o.f.texts[number] = s
	}
	return s
}
