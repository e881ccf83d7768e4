package uftrace

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

const (
	magic       = "Ftrace!\x00" // the first bytes of info
	headerBytes = 40            // of the fields that are read
	littleOrder = 1             // as info states it: least significant byte first

	oldest, newest = 3, 4 // versions of the data

	relativeSymbols = 1 << 5 // feature: addresses of symbols count from the start of their module
)

// Any of these refuses the trace: without info the records mean nothing.
var (
	errMagic  = errors.New(`expected "Ftrace!"`)
	errShort  = errors.New("the header is cut short")
	errEndian = errors.New("data of a big-endian machine are not read")
	errHeader = errors.New("the header is longer than 4096 bytes, or shorter than its fields")
)

// info holds the properties that the file of that name states.
type info struct {
	relative bool   // see relativeSymbols
	program  string // base name of the program
}

// readInfo reads the file of the trace's properties. Without it nothing can be made of the rest.
func readInfo(fsys fs.FS, name string) (*info, error) {
	file, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	// bad is an error at a byte of the file.
	bad := func(offset int64, err error) error {
		return &schema.SyntaxError{File: name, Offset: offset, Err: err}
	}
	// The fields in their order: 8 bytes of magic, version, size, byte order, class, features.
	head := make([]byte, headerBytes)
	if _, err := io.ReadFull(in, head); err != nil {
		return nil, bad(0, errShort)
	}
	if string(head[:8]) != magic {
		return nil, bad(0, errMagic)
	}
	if head[14] != littleOrder {
		return nil, bad(14, errEndian)
	}
	if v := binary.LittleEndian.Uint32(head[8:]); v < oldest || v > newest {
		return nil, bad(8, fmt.Errorf("version %d of the data is not known", v))
	}
	size := int(binary.LittleEndian.Uint16(head[12:]))
	if size < headerBytes || size > 4096 {
		return nil, bad(12, errHeader)
	}
	// Later versions may have longer headers.
	if _, err := in.Discard(size - headerBytes); err != nil {
		return nil, bad(0, errShort)
	}
	return &info{
		relative: binary.LittleEndian.Uint64(head[16:])&relativeSymbols != 0,
		program:  programOf(in),
	}, nil
}

// programOf finds the program's name in the lines after the header.
func programOf(in *bufio.Reader) string {
	lines := bufio.NewScanner(in)
	for lines.Scan() { // a line too long for it ends the search; the name is the first line
		if value, ok := strings.CutPrefix(lines.Text(), "exename:"); ok {
			return symbols.BaseName(value)
		}
	}
	return "program"
}
