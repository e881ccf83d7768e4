package jsontext

import "fmt"

// Object takes an object. It calls member at every value in it, with the value's name, which is valid until the
// next call of the reader; member takes the value, or leaves it to be skipped. An error of member ends the object,
// and nothing more can be read behind it.
// Names that occur twice are passed on twice; RFC 8259 leaves their meaning open. Nothing is allocated for an object,
// so that its size is limited by the text alone.
func (r *Reader) Object(member func(name []byte) error) error {
	if k := r.Kind(); k != Object {
		return r.other(k, "an object")
	}
	if err := r.open(); err != nil {
		return err
	}
	for more := !r.closes('}'); more; more = r.goesOn('}', "a comma or }") {
		name, err := r.name()
		if err != nil {
			return err
		}
		r.waiting = true
		if err := member(name); err != nil {
			return err
		}
		if r.waiting {
			r.Skip() // its error stays in the reader
		}
	}
	return r.err
}

// Array takes an array. It calls element at every value in it, as Object does.
// The callback is a plain function and no iterator: a method value made once costs nothing per array, where an
// iterator's closure would be an allocation.
func (r *Reader) Array(element func() error) error {
	if k := r.Kind(); k != Array {
		return r.other(k, "an array")
	}
	if err := r.open(); err != nil {
		return err
	}
	for more := !r.closes(']'); more; more = r.goesOn(']', "a comma or ]") {
		r.waiting = true
		if err := element(); err != nil {
			return err
		}
		if r.waiting {
			r.Skip()
		}
	}
	return r.err
}

// open takes a bracket or brace. The depth is bounded, since callers go deeper by recursion.
// The bound also ends texts such as a million brackets, which would overflow the stack.
func (r *Reader) open() error {
	if r.depth++; r.depth > MaxDepth {
		r.err = r.place(r.pos, fmt.Errorf("expected values at most %d deep in each other", MaxDepth))
		return r.err
	}
	r.pos++
	return nil
}

// closes takes the bracket or brace that closes a value, if it is next.
// With Lenient, an array that the end of the text cuts off counts as closed: Chrome writes such files when it is
// killed.
func (r *Reader) closes(bracket byte) bool {
	if r.buf[r.pos] != bracket { // nor is it the zero behind the bytes in hand
		if k := r.find(); r.Lenient && k == End && bracket == ']' {
			r.closed()
			return true
		}
		if r.err != nil || r.buf[r.pos] != bracket {
			return false
		}
	}
	r.pos++
	r.closed()
	return true
}

// closed ends the value that a bracket or brace closes.
func (r *Reader) closed() {
	r.depth--
	r.waiting = false
}

// goesOn takes the comma after a value, or what closes the value around it. It returns false there and at faults.
// It looks at one byte where texts have no blanks, and at two where they have one behind the comma. A lenient reader
// also accepts a comma with nothing behind it, and an object in an array without a comma before it.
func (r *Reader) goesOn(bracket byte, want string) bool {
	if r.err != nil {
		return false
	}
	if r.buf[r.pos] != ',' {
		switch {
		case r.closes(bracket), r.err != nil:
			return false
		case r.Lenient && bracket == ']' && r.buf[r.pos] == '{':
			return true
		case r.buf[r.pos] != ',':
			r.fail(want)
			return false
		}
	}
	r.pos++
	if kinds[r.buf[r.pos]] == blank { // many write a value on a line, or a blank behind the comma
		r.pos++
	}
	if c := r.buf[r.pos]; c == '"' || c == '{' || !r.Lenient {
		return true
	}
	return !r.closes(bracket)
}

// Comma takes a comma that stands between values which lie in no array, if one is next. Its absence is no fault.
func (r *Reader) Comma() {
	if r.Kind() == Bad && r.err == nil && r.buf[r.pos] == ',' {
		r.pos++
	}
}

// name takes the name of a member and its colon. The name stays in hand until the value is looked at.
// Blanks may stand before and behind the colon. The length is kept instead of positions, since reading on moves the
// buffer.
func (r *Reader) name() ([]byte, error) {
	if name, ok := r.plainName(); ok {
		return name, nil
	}
	if r.buf[r.pos] != '"' {
		if k := r.find(); k != String {
			return nil, r.fail("a name in quotation marks")
		}
	}
	r.tok = r.pos
	escaped, err := r.text(true)
	if err != nil {
		return nil, err
	}
	length := r.pos - 1 - r.tok
	for kinds[r.peek()] == blank {
		r.pos++
	}
	if r.peek() != ':' {
		return nil, r.fail("a colon")
	}
	r.pos++
	name := r.buf[r.tok+1 : r.tok+length]
	if escaped {
		return r.unescape(name), nil
	}
	return name, nil
}

// plainName is name where a name without escapes and its colon lie in the buffer without blanks.
// It only looks at bytes that are there: behind the last come zeros, which are neither quotation mark nor colon.
func (r *Reader) plainName() ([]byte, bool) {
	if r.buf[r.pos] != '"' {
		return nil, false
	}
	first := r.pos + 1
	last := special(r.buf, first)
	if r.buf[last] != '"' || r.buf[last+1] != ':' {
		return nil, false
	}
	r.tok, r.pos = first-1, last+2
	return r.buf[first:last], true
}

// Bool takes true or false.
// The first letter decides; literal checks the others.
func (r *Reader) Bool() (bool, error) {
	if k := r.Kind(); k != Bool {
		return false, r.other(k, kindWords[Bool])
	}
	yes := r.buf[r.pos] == 't'
	if yes {
		return true, r.literal("true")
	}
	return false, r.literal("false")
}

// literal takes a word of the language.
// A letter behind it, as in nulls, is found by the next call, which expects a comma or a bracket.
func (r *Reader) literal(word string) error {
	for i := range len(word) {
		if r.peek() != word[i] {
			return r.fail(word)
		}
		r.pos++
	}
	r.waiting = false
	return nil
}

// Skip takes a value of any kind, and checks it.
// Checking what is skipped costs little, and a fault is found where it stands and not where the parser gets lost.
func (r *Reader) Skip() error {
	var err error
	switch r.Kind() {
	case Object:
		err = r.Object(skipMember)
	case Array:
		err = r.Array(skipElement)
	case String:
		if _, err = r.text(false); err == nil {
			r.waiting = false
		}
	case Number:
		_, err = r.number()
	case Bool:
		_, err = r.Bool()
	case Null:
		err = r.literal("null")
	default:
		err = r.fail("a value")
	}
	return err
}

// Skip passes these functions for members and elements; what they leave is skipped in turn.
func skipMember([]byte) error { return nil }
func skipElement() error      { return nil }
