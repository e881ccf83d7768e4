package symbols

import (
	"bytes"
	"compress/zlib"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"io"
)

// lineTables are the tables of lines of an ELF file, one for each unit (DWARF 5, 6.2.4). The library allocates as many folders and files
// as the header of a table announces, before it looks for them: a damaged one ends the process. So headers are read here first.
type lineTables struct {
	section []byte           // .debug_line
	order   binary.ByteOrder // of its numbers
}

// tablesOfLines finds the tables. There are none where the section is missing or damaged.
func tablesOfLines(file *elf.File) lineTables {
	t := lineTables{order: file.ByteOrder}
	if s := file.Section(".debug_line"); s != nil {
		t.section, _ = s.Data()
	} else if s := file.Section(".zdebug_line"); s != nil {
		data, _ := s.Data()
		t.section = inflated(data)
	}
	return t
}

// inflated is a section as compilers compressed it before ELF had a way to: "ZLIB", eight bytes of its length, and the compressed bytes.
func inflated(data []byte) []byte {
	const header = 12
	if len(data) < header {
		return nil
	}
	r, err := zlib.NewReader(bytes.NewReader(data[header:]))
	if err != nil {
		return nil
	}
	all, _ := io.ReadAll(r)
	return all
}

// sound reports whether the table of a unit announces no more folders and files than it has bytes. A table of a version before 5 ends
// its lists by empty names and announces nothing.
func (t lineTables) sound(unit *dwarf.Entry) bool {
	at, ok := unit.Val(dwarf.AttrStmtList).(int64)
	if !ok {
		return true // it has none
	}
	if at < 0 || at > int64(len(t.section)) {
		return false
	}
	h := lineHeader{data: t.section[at:], order: t.order, offset: 4}
	if h.number(4) == 0xffffffff { // the length of a table of more than 4 GiB
		h.offset = 8
		h.number(8)
	}
	if h.number(2) < 5 {
		return true
	}
	h.skip(2 + uint64(h.offset)) // widths of addresses and segments, and the length of the header
	h.skip(5)                    // how instructions count
	h.skip(max(h.number(1), 1) - 1)
	for range 2 { // folders, then files
		if !h.list() {
			return false
		}
	}
	return !h.short
}

// lineHeader reads the header of a table of lines.
type lineHeader struct {
	data   []byte // what is not read yet
	order  binary.ByteOrder
	offset int  // bytes of an offset: 4 or 8
	short  bool // it ended within what was read
}

// list reads the folders, or the files: the fields of each, how many there are, and the fields themselves. It reports whether so many fit.
func (h *lineHeader) list() bool {
	var forms []uint64
	for range h.number(1) {
		h.leb() // what the field is
		forms = append(forms, h.leb())
	}
	n := h.leb()
	if n > uint64(len(h.data)) {
		return false
	}
	for i := uint64(0); i < n && len(forms) > 0 && !h.short; i++ {
		for _, form := range forms {
			h.field(form)
		}
	}
	return true
}

// Forms of fields that are no plain numbers of a fixed width (DWARF 5, 7.5.6).
const (
	formBlock   = 0x09
	formString  = 0x08
	formStrp    = 0x0e
	formUdata   = 0x0f
	formStrx    = 0x1a
	formStrpSup = 0x1d
	formLineStr = 0x1f
)

// widths are the bytes of fields of a fixed width.
var widths = map[uint64]uint64{0x0b: 1, 0x05: 2, 0x06: 4, 0x07: 8, 0x1e: 16, 0x25: 1, 0x26: 2, 0x27: 3, 0x28: 4}

// field skips a field. One of a form that a table of lines does not have takes no bytes, as in the library.
func (h *lineHeader) field(form uint64) {
	switch form {
	case formString:
		end := bytes.IndexByte(h.data, 0)
		h.skip(uint64(end + 1))
		h.short = h.short || end < 0
	case formStrp, formLineStr, formStrpSup:
		h.skip(uint64(h.offset))
	case formBlock:
		h.skip(h.leb())
	case formUdata, formStrx:
		h.leb()
	default:
		h.skip(widths[form])
	}
}

// number reads a number of 1, 2, 4 or 8 bytes.
func (h *lineHeader) number(bytes int) uint64 {
	if len(h.data) < bytes {
		h.skip(uint64(bytes))
		return 0
	}
	b := h.data[:bytes]
	h.data = h.data[bytes:]
	switch bytes {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(h.order.Uint16(b))
	case 4:
		return uint64(h.order.Uint32(b))
	}
	return h.order.Uint64(b)
}

// leb reads a number of as many bytes as it needs, seven bits each.
func (h *lineHeader) leb() uint64 {
	v, n := binary.Uvarint(h.data)
	if n <= 0 {
		h.data, h.short = nil, true
		return 0
	}
	h.data = h.data[n:]
	return v
}

// skip leaves bytes out.
func (h *lineHeader) skip(n uint64) {
	if n > uint64(len(h.data)) {
		h.data, h.short = nil, true
		return
	}
	h.data = h.data[n:]
}
