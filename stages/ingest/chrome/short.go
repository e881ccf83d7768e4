package chrome

import (
	"hash/maphash"
	"math/bits"

	"github.com/tracelake/tracelake/stages/ingest/jsontext"
)

// shortWords are the words of short texts, which most pids, tids and categories are: a table in which one number is
// compared and no text is.
type shortWords struct {
	slots []shortWord // open addressing, a power of two
	taken int
	seed  uint64
}

// shortWord is a short text and its word; the text 0 is a free slot.
type shortWord struct {
	text  jsontext.Short
	known word
}

func newShortWords(seed maphash.Seed) shortWords {
	w := shortWords{slots: make([]shortWord, 1<<8), seed: maphash.Bytes(seed, nil)}
	empty, _ := jsontext.NewShort(nil)
	w.add(empty, noWord)
	return w
}

// slot is where a text is, or the free slot where it belongs.
func (w *shortWords) slot(text jsontext.Short) *shortWord {
	high, low := bits.Mul64(uint64(text)^w.seed, golden)
	mask := uint64(len(w.slots) - 1)
	for at := (high ^ low) & mask; ; at = (at + 1) & mask {
		if s := &w.slots[at]; s.text == text || s.text == 0 {
			return s
		}
	}
}

// find is the word of a text, if it has one.
func (w *shortWords) find(text jsontext.Short) (known word, ok bool) {
	s := w.slot(text)
	return s.known, s.text != 0
}

// add gives a text that has none its word.
func (w *shortWords) add(text jsontext.Short, known word) {
	*w.slot(text) = shortWord{text, known}
	if w.taken++; 2*w.taken <= len(w.slots) {
		return
	}
	old := w.slots
	w.slots = make([]shortWord, 2*len(old))
	for _, s := range old {
		if s.text != 0 {
			*w.slot(s.text) = s
		}
	}
}
