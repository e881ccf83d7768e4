package jsontext

// Names are names of members that a reader looks for. The objects of a text mostly have their members in one order or in
// two, so each name remembers which ones came behind it last, and those are what the next name is compared with, as words.
// It belongs to one goroutine, but to no reader.
type Names struct{ known []known }

// known is a name, as it stands in a text with its quotation marks and colon.
// Comparing with a mask takes a load, an and and a compare, whatever the length of the name.
type known struct {
	name string
	text uint64 // its bytes
	mask uint64 // of them in a word
	size int    // 0 where they do not fit a word
	next [2]int // which names came behind it, the last one first
}

// none is the name before the first one of an object, and any that is not looked for. It is never the next one.
const none = 0

// NewNames returns names, which are numbered from 0 in Members.
// A name may be listed only to make it quick to pass over; the callback then ignores its number.
func NewNames(names ...string) *Names {
	n := &Names{known: make([]known, 1, len(names)+1)}
	for _, name := range names {
		n.known = append(n.known, newKnown(name))
	}
	return n
}

// newKnown prepares a name of up to five bytes, whose quoted form with the colon fits a word of eight, for a compare
// with the text; longer names are found by find. Names have no characters that JSON would escape.
func newKnown(name string) known {
	k := known{name: name}
	var text [word]byte
	quoted := `"` + name + `":`
	if copy(text[:], quoted) < len(quoted) || name == "" {
		return k
	}
	k.size = len(quoted)
	k.mask = 1<<(8*k.size) - 1 // all bits where the shift is by 64
	k.text = load(text[:])
	return k
}

// Members takes an object, as Object does. It calls member with the number of every name in it that is one of names;
// others are skipped.
// Names may be used in nested objects of one reader too: the memory of what comes next only guides the search and
// cannot make it wrong.
func (r *Reader) Members(names *Names, member func(which int) error) error {
	if k := r.Kind(); k != Object {
		return r.other(k, "an object")
	}
	if err := r.open(); err != nil {
		return err
	}
	which := none
	for more := !r.closes('}'); more; more = r.goesOn('}', "a comma or }") {
		var err error
		if which, err = r.nameBehind(which, names); err != nil {
			return err
		}
		r.waiting = true
		if which != none {
			if err := member(which - 1); err != nil {
				return err
			}
		}
		if r.waiting {
			r.Skip() // its error stays in the reader
		}
	}
	return r.err
}

// nameBehind takes the name that comes behind another, and its colon.
// The two candidates cover objects of two kinds that alternate, as the begins and ends of calls do. A candidate that
// was right in the second place becomes the first.
func (r *Reader) nameBehind(last int, names *Names) (which int, err error) {
	next := &names.known[last].next
	if which = next[0]; r.takes(&names.known[which]) {
		return which, nil
	}
	if which = next[1]; !r.takes(&names.known[which]) {
		name, err := r.name()
		if err != nil {
			return none, err
		}
		if which = names.find(name); which == none {
			return none, nil
		}
	}
	next[0], next[1] = which, next[0]
	return which, nil
}

// takes takes a name and its colon, if it is next and stands there as a writer without blanks writes it.
func (r *Reader) takes(k *known) bool {
	if load(r.buf[r.pos:])&k.mask != k.text || k.size == 0 {
		return false
	}
	r.tok = r.pos
	r.pos += k.size
	return true
}

// find is the number of a name.
// The search is linear, as texts have some ten names and mostly need none of it.
func (n *Names) find(name []byte) int {
	for which := range n.known {
		if n.known[which].name == string(name) && which != none {
			return which
		}
	}
	return none
}
