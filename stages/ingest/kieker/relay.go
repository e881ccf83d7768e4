package kieker

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Bounds of what programs send to a relay.
const (
	MostItem  = entryBytes + mostUTF8*mostText + 1 // bytes of a record or an entry
	mostTexts = 1 << 20                            // texts of all programs
	mostBytes = 1 << 27                            // bytes of these
)

// Errors behind which nothing of a program can be read.
var (
	// ErrUnknownText is for a record with a text whose entry did not come yet. A program with a socket of its own for these may send it soon.
	ErrUnknownText = errors.New("a record with a text that its registry does not have")

	errTexts  = fmt.Errorf("more than %d texts, or %d bytes of them", mostTexts, mostBytes)
	errLength = errors.New("a record of a length that is not known")
)

// Relay joins what the TCP writers of several programs send into one stream as SingleSocketTcpWriter sends it. Texts have the same number in all of it,
// and no entry comes twice. It is not safe for concurrent use.
type Relay struct {
	numbers map[string]int32 // of texts
	layouts []layout         // of these
	bytes   int
}

// NewRelay returns a relay that has taken nothing.
func NewRelay() *Relay { return &Relay{numbers: make(map[string]int32)} }

// Sender is a program that sends to a relay.
type Sender struct {
	relay *Relay
	texts []int32 // 1 + number in the relay, by the number that the program gave; 0: none yet
}

// Sender returns a program that has sent nothing.
func (r *Relay) Sender() *Sender { return &Sender{relay: r} }

// Take takes what is whole at the beginning of p, and appends to out what becomes of it in the stream. It returns how many bytes it took. Behind an
// error nothing can be read, but for ErrUnknownText, behind which it can be tried again.
func (s *Sender) Take(out, p []byte) (_ []byte, used int, err error) {
	for {
		next, err := nextItem(p[used:], s.layout)
		if err != nil || next.size == 0 {
			return out, used, err
		}
		if next.entry {
			out, err = s.entry(out, next)
		} else {
			out, err = s.record(out, p[used:used+next.size])
		}
		if err != nil {
			return out, used, err
		}
		used += next.size
	}
}

// TakeEntries is Take for a socket that has entries alone, as number, length and text.
func (s *Sender) TakeEntries(out, p []byte) (_ []byte, used int, err error) {
	for {
		var head [entryBytes]byte
		rest := p[used:]
		if len(rest) < entryBytes-4 {
			return out, used, nil
		}
		copy(head[4:], rest)
		number, units := entryHead(head[:])
		if units < 0 || units > mostText {
			return out, used, errEntry
		}
		n, whole := textLength(rest[entryBytes-4:], units)
		if !whole {
			return out, used, nil
		}
		n += entryBytes - 4
		if out, err = s.entry(out, item{number: number, text: rest[entryBytes-4 : n]}); err != nil {
			return out, used, err
		}
		used += n
	}
}

// layout returns the fields of the class of a number.
func (s *Sender) layout(number int64) (layout, error) {
	if number < 0 || number >= int64(len(s.texts)) || s.texts[number] == 0 {
		return layout{}, ErrUnknownText
	}
	l := s.relay.layouts[s.texts[number]-1]
	if l.fields == "" {
		return layout{}, errLength
	}
	return l, nil
}

// entry takes an entry of the registry of a program. A text that the relay does not know yet goes on.
func (s *Sender) entry(out []byte, next item) ([]byte, error) {
	if next.number < 0 || next.number >= mostTexts {
		return out, errTexts
	}
	r := s.relay
	number, known := r.numbers[string(next.text)]
	if !known {
		if len(r.layouts) >= mostTexts || r.bytes+len(next.text) > mostBytes {
			return out, errTexts
		}
		text := string(next.text)
		number = int32(len(r.layouts))
		r.numbers[text], r.layouts, r.bytes = number, append(r.layouts, layoutOf(text)), r.bytes+len(text)
		out = AppendEntry(out, number, text)
	}
	for int64(len(s.texts)) <= next.number {
		s.texts = append(s.texts, 0)
	}
	s.texts[next.number] = number + 1
	return out, nil
}

// AppendEntry appends an entry of a registry, as SingleSocketTcpWriter sends it.
func AppendEntry(out []byte, number int32, text string) []byte {
	out = binary.BigEndian.AppendUint32(out, 1<<32-1)
	out = binary.BigEndian.AppendUint32(out, uint32(number))
	out = binary.BigEndian.AppendUint32(out, uint32(textUnits(text)))
	return append(out, text...)
}

// record appends a record with the numbers that its texts have in the relay.
func (s *Sender) record(out, raw []byte) ([]byte, error) {
	begins := len(out)
	out = append(out, raw...)
	own := out[begins:]
	l, err := s.layout(s.renumber(own))
	if err != nil {
		return out[:begins], err
	}
	at := headBytes
	for i := range len(l.fields) {
		kind := fieldTypes[l.fields[i]]
		if kind == textField && s.renumber(own[at:]) < 0 {
			return out[:begins], ErrUnknownText
		}
		at += widths[kind]
	}
	return out, nil
}

// renumber gives a text the number that it has in the relay. It returns the one that the program gave it; -1 if it gave none.
func (s *Sender) renumber(field []byte) int64 {
	given := int64(int32(binary.BigEndian.Uint32(field)))
	if given < 0 || given >= int64(len(s.texts)) || s.texts[given] == 0 {
		return -1
	}
	binary.BigEndian.PutUint32(field, uint32(s.texts[given]-1))
	return given
}
