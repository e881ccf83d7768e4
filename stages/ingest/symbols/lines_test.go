package symbols

import (
	"bytes"
	"compress/zlib"
	"debug/elf"
	"encoding/binary"
	"os"
	"slices"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// TestAnnounced damages how many folders and files the table of lines of a small program announces. Its functions are named without the file
// that defines them then: _start, which is global, has no other.
func TestAnnounced(t *testing.T) {
	const (
		table   = 0x208        // of lines, in the file
		folders = table + 0x21 // how many there are: 1
		files   = table + 0x2b // 2
		start   = 0x4000bc     // of _start
	)
	whole := expect.Value(os.ReadFile("testdata/small.elf"))(t)
	for _, c := range []struct {
		what  string
		at    int
		count []byte
		unit  string
	}{
		{"as it is", folders, []byte{1}, "s.c"},
		{"four trillion folders", folders, binary.AppendUvarint(nil, 1<<42), ""},
		{"four trillion files", files, binary.AppendUvarint(nil, 1<<42), ""},
		{"more folders than bytes", folders, []byte{120}, ""},
		{"more files than bytes", files, []byte{120}, ""},
		{"a number without an end", files, bytes.Repeat([]byte{0xff}, 0x58-0x2b), ""},
	} {
		data := slices.Clone(whole)
		copy(data[c.at:], c.count)
		functions := expect.Value(FromELF(bytes.NewReader(data)))(t)
		_, unit, found := functions.Lookup(start)
		expect.Equal(t, found, true, "%s: whether the function is known", c.what)
		expect.Equal(t, unit, c.unit, "%s: its file", c.what)
	}
}

// TestInflated checks the older way of compressing a section, and damaged ones.
func TestInflated(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("ZLIB\x00\x00\x00\x00\x00\x00\x00\x05")
	w := zlib.NewWriter(&b)
	expect.Value(w.Write([]byte("lines")))(t)
	expect.OK(t, w.Close())
	expect.Equal(t, string(inflated(b.Bytes())), "lines", "a section")
	expect.Equal(t, len(inflated(b.Bytes()[:11])), 0, "bytes of half a header")
	expect.Equal(t, len(inflated([]byte("ZLIB12345678 none"))), 0, "bytes of what is not compressed")
}

// TestSections reads tables of both widths of offsets and of both orders of bytes.
func TestSections(t *testing.T) {
	unit := expect.Value(elf.Open("testdata/small.elf"))(t)
	defer unit.Close()
	data := expect.Value(unit.DWARF())(t)
	entry := expect.Value(data.Reader().Next())(t)
	for _, order := range []byteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, wide := range []bool{false, true} {
			section := lines(order, wide, 2)
			expect.Equal(t, lineTables{section, order}.sound(entry), true, "%v, wide %v", order, wide)
			expect.Equal(t, lineTables{section[:len(section)-1], order}.sound(entry), false, "%v, wide %v, cut", order, wide)
			expect.Equal(t, lineTables{lines(order, wide, 200), order}.sound(entry), false, "%v, wide %v, too many", order, wide)
		}
	}
}

// lines is a table of lines with two files, each of a word and one field of every form, that announces some number of them.
func lines(order byteOrder, wide bool, files byte) []byte {
	b := order.AppendUint32(nil, 0)
	offset := make([]byte, 4)
	if wide {
		b = order.AppendUint64(order.AppendUint32(nil, 0xffffffff), 0)
		offset = make([]byte, 8)
	}
	b = append(order.AppendUint16(b, 5), 8, 0)
	b = append(b, offset...)               // the length of the header
	b = append(b, 1, 1, 1, 0, 14, 3, 0, 1) // how instructions count, of which two have lengths
	b = append(b, 0, 0)                    // no folders
	forms := []byte{formString, formStrp, formLineStr, formStrpSup, formBlock, formUdata, formStrx, 0x0b, 0x05, 0x06, 0x07, 0x1e, 0x25, 0x26, 0x27, 0x28}
	b = append(b, byte(len(forms)))
	for _, form := range forms {
		b = append(b, 1, form)
	}
	b = append(b, files)
	for range 2 {
		b = append(b, "f\x00"...)
		b = append(append(append(b, offset...), offset...), offset...)
		b = append(b, 2, 7, 7, 0x80, 1, 0x80, 1)
		b = append(b, make([]byte, 1+2+4+8+16+1+2+3+4)...)
	}
	return b
}

// byteOrder reads and appends.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}
