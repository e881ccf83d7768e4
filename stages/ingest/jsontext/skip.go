package jsontext

// Bool takes true or false.
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

func skipMember([]byte) error { return nil }
func skipElement() error      { return nil }
