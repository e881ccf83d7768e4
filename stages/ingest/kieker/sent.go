package kieker

import (
	"encoding/binary"
	"errors"
	"unicode"
	"unicode/utf8"
)

const (
	entryClass = -1      // stands for the class in an entry of a registry
	entryBytes = 3 * 4   // of an entry before its text
	mostText   = 1 << 16 // units of UTF-16 of a text; the writers have buffers of fewer bytes
	mostUTF8   = 3       // bytes that a unit of UTF-16 takes
)

var errEntry = errors.New("a text of a registry that has no length, or more than 65536 characters; the rest of the stream is left out")

// entryHead takes the number and the length of an entry.
func entryHead(head []byte) (number int64, units int) {
	return int64(int32(binary.BigEndian.Uint32(head[4:]))), int(int32(binary.BigEndian.Uint32(head[8:])))
}

// letter returns how many bytes and units of UTF-16 a letter has by its first byte. What is no UTF-8 has some too.
func letter(first byte) (size, units int) {
	switch {
	case first >= 0xf0:
		return 4, 2
	case first >= 0xe0:
		return 3, 1
	case first >= 0xc0:
		return 2, 1
	}
	return 1, 1
}

// textLength returns how many bytes a text takes, whose length is told in units of UTF-16. It is not whole if the bytes end within it.
func textLength(p []byte, units int) (n int, whole bool) {
	for units > 0 && n < len(p) {
		size, takes := letter(p[n])
		n, units = n+size, units-takes
	}
	return n, units <= 0 && n <= len(p)
}

// textUnits returns the length of a text in units of UTF-16, of which textLength makes the bytes again.
func textUnits(text string) (units int) {
	for n := 0; n < len(text); {
		size, takes := letter(text[n])
		n, units = n+size, units+takes
	}
	return units
}

// DetectStream reports whether a file is what a TCP writer of Kieker sent, by its first bytes: an entry of a registry that gives the number 0 to a
// text without control characters.
func DetectStream(head []byte) bool {
	if len(head) <= entryBytes || int32(binary.BigEndian.Uint32(head)) != entryClass {
		return false
	}
	number, units := entryHead(head)
	if number != 0 || units <= 0 || units > mostText {
		return false
	}
	n, whole := textLength(head[entryBytes:], units)
	text := head[entryBytes:]
	if whole {
		text = text[:n]
	}
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r == utf8.RuneError && utf8.FullRune(text) || unicode.IsControl(r) {
			return false
		}
		text = text[size:]
	}
	return true
}

// item is what comes next of what a writer sends: an entry of its registry or a record.
type item struct {
	size   int    // bytes; 0 if not all of it is there
	entry  bool   // it is an entry
	number int64  // of the text, or of the class
	text   []byte // of an entry
}

// nextItem takes the item at the beginning of p. The error is for what nothing can be read behind. The classes that are known so far say
// how long a record is.
func nextItem(p []byte, class func(number int64) (layout, error)) (item, error) {
	if len(p) < headBytes {
		return item{}, nil
	}
	number := int64(int32(binary.BigEndian.Uint32(p)))
	if number != entryClass {
		l, err := class(number)
		size := headBytes + sizeOf(l.fields)
		if err != nil || len(p) < size {
			return item{}, err
		}
		return item{size: size, number: number}, nil
	}
	number, units := entryHead(p)
	if units < 0 || units > mostText {
		return item{}, errEntry
	}
	n, whole := textLength(p[entryBytes:], units)
	if !whole {
		return item{}, nil
	}
	return item{size: entryBytes + n, entry: true, number: number, text: p[entryBytes : entryBytes+n]}, nil
}
