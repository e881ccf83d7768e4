package jsontext

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/tracelake/tracelake/schema"
)

// MaxDepth is how deep values may lie in each other.
const MaxDepth = 1000

// Kind is the kind of the next value.
type Kind uint8

// The kinds.
const (
	Bad Kind = iota // no value: a fault, or what closes the object or array in hand
	End             // of the text
	Object
	Array
	String
	Number
	Bool
	Null
	blank // no value yet
)

// kindWords are the kinds as errors name them.
var kindWords = [...]string{Bad: "no value", End: "the end of the text", Object: "an object", Array: "an array",
	String: "a string", Number: "a number", Bool: "true or false", Null: "null"}

// kinds are the kinds by the first byte of their values.
var kinds = [256]Kind{
	' ': blank, '\t': blank, '\r': blank, '\n': blank,
	'{': Object, '[': Array, '"': String, 't': Bool, 'f': Bool, 'n': Null, '-': Number,
	'0': Number, '1': Number, '2': Number, '3': Number, '4': Number,
	'5': Number, '6': Number, '7': Number, '8': Number, '9': Number,
}

// Reader reads a text. It belongs to one goroutine.
// Its methods recurse through the callbacks of Object and Array, so one reader serves a whole tree of them.
type Reader struct {
	// Lenient accepts commas before a bracket or brace, objects in an array without a comma between them, arrays that
	// the end of the text closes, and control characters in strings. It is set before reading starts.
	Lenient bool

	source io.Reader
	file   string

	// buf[pos:end] is still to be read. What lies before tok, where the token in hand starts, may be dropped.
	// Behind end come zeros, as many as word holds, so that a loop over bytes or words stops there at the latest.
	buf           []byte
	tok, pos, end int
	ended         bool // by the source

	before    int64 // bytes dropped
	lines     int64 // line ends in them
	lineStart int64 // offset of the line in which they end

	depth   int
	waiting bool   // the value of a callback is not yet taken
	plain   []byte // a string without its escapes
	err     error
}

// word is how many bytes are looked at together.
const word = 8

// How many bytes are read ahead, at first and where a text has more.
const (
	first = 4 << 10
	ahead = 256 << 10
)

// New returns a reader of a text. The file is the name by which errors call it.
// It reads the first bytes at once, to pass over a byte order mark; an error of the source shows at the first call.
func New(r io.Reader, file string) *Reader {
	j := &Reader{source: r, file: file, buf: make([]byte, first+word)}
	for j.end < 3 && j.more() {
	}
	if j.end >= 3 && j.buf[0] == 0xef && j.buf[1] == 0xbb && j.buf[2] == 0xbf {
		j.pos = 3
	}
	return j
}

// Kind is the kind of the next value. It takes nothing.
// It may be called any number of times. Within a callback, Bad means that the object or array in hand ends here.
func (r *Reader) Kind() Kind {
	if k := kinds[r.buf[r.pos]]; k >= Object && k <= Null && r.err == nil {
		r.tok = r.pos
		return k
	}
	return r.find()
}

// find goes to the next byte that is not blank, and says what begins there.
// Blanks are dropped from the buffer as it runs out, so any number of them may stand between values.
func (r *Reader) find() Kind {
	for r.err == nil {
		for r.pos < r.end {
			if k := kinds[r.buf[r.pos]]; k != blank {
				r.tok = r.pos
				return k
			}
			r.pos++
		}
		if r.tok = r.pos; !r.more() && r.err == nil {
			return End
		}
	}
	return Bad
}

// Err is the fault that ended the reading, nil where there is none so far.
func (r *Reader) Err() error { return r.err }

// At places an error where the reader stands: at the value or name that it took last, or found. An error that
// has a place keeps it.
// It suits faults of the format, such as a name that is missing, which JSON itself allows.
func (r *Reader) At(err error) *schema.SyntaxError {
	var placed *schema.SyntaxError
	if errors.As(err, &placed) {
		return placed
	}
	return r.place(r.tok, err)
}

// load returns eight bytes as a number, the first one the lowest.
// The compiler makes one instruction of it.
func load(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }
