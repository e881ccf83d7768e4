package chrome

import (
	"hash/fnv"
	"hash/maphash"
	"math/bits"

	"github.com/tracelake/tracelake/stages/ingest/jsontext"
	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// word is the position of a text in a table of words, so that records need no pointers and texts compare as numbers.
type word uint32

// noWord stands for a text that an event does not have, and for the empty one.
const noWord word = 0

// words are the distinct texts of a trace: names, categories, processes and threads.
// It is asked four times an event, so short texts have a table of their own in which one comparison of numbers
// decides.
type words struct {
	texts []string
	names []string // by word, as far as they were asked for: see name
	cut   []word   // whose names are cut

	isStable bool // identifiers have the same hashes in all traces
	seed     maphash.Seed
	short    shortWords // of texts of a few bytes
	slots    []longWord // of the others: open addressing, a power of two
	longs    int        // of them taken
}

// longWord is a slot for a text that is not short; noWord is a free slot. A part of the hash stands beside the word, so that
// texts are compared only where they are likely equal.
type longWord struct {
	hash  uint32
	known word
}

func newWords() *words {
	seed := maphash.MakeSeed()
	return &words{texts: []string{""}, seed: seed, short: newShortWords(seed), slots: make([]longWord, 1<<8)}
}

// of returns the word of a text, which is copied when it is new.
// The seed is drawn anew for each file, so no trace can be made to collide.
func (w *words) of(text []byte) word {
	if s, ok := jsontext.NewSmallString(text); ok {
		return w.ofShort(s)
	}
	h := uint32(maphash.Bytes(w.seed, text))
	mask := uint32(len(w.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		switch slot := w.slots[at]; {
		case slot.known == noWord:
			known := w.add(string(text))
			w.slots[at] = longWord{h, known}
			if w.longs++; 2*w.longs > len(w.slots) {
				w.widen()
			}
			return known
		case slot.hash == h && w.texts[slot.known] == string(text):
			return slot.known
		}
	}
}

// ofShort returns the word of a short text.
func (w *words) ofShort(s jsontext.SmallString) word {
	if known, ok := w.short.find(s); ok {
		return known
	}
	known := w.add(s.Text())
	w.short.add(s, known)
	return known
}

// hashOf returns a hash of 64 bits of an identifier. Identifiers are as many as messages, so they are not kept; two that
// share a hash by chance become one exchange, which for a million of them has a probability below 1e-7.
func (w *words) hashOf(text []byte) uint64 {
	if w.isStable {
		h := fnv.New64a()
		h.Write(text)
		return h.Sum64()
	}
	return maphash.Bytes(w.seed, text)
}

// add appends a text that is new.
func (w *words) add(text string) word {
	w.texts = append(w.texts, text)
	return word(len(w.texts) - 1)
}

// widen doubles the slots.
// Texts are not hashed again: the slots have their hashes.
func (w *words) widen() {
	old := w.slots
	w.slots = make([]longWord, 2*len(old))
	mask := uint32(len(w.slots) - 1)
	for _, slot := range old {
		if slot.known == noWord {
			continue
		}
		at := slot.hash & mask
		for w.slots[at].known != noWord {
			at = (at + 1) & mask
		}
		w.slots[at] = slot
	}
}

// name returns a word as a name: UTF-8 without control characters, cut to textfield.MaxName bytes, and otherwise as it stands.
func (w *words) name(known word) string {
	for len(w.names) < len(w.texts) {
		w.names = append(w.names, "")
	}
	if w.names[known] == "" {
		name, cut := textfield.Clean(w.texts[known])
		if w.names[known] = name; cut {
			w.cut = append(w.cut, known)
		}
	}
	return w.names[known]
}

// shortWords are the words of short texts, which most pids, tids and categories are: a table in which one number is
// compared and no text is.
type shortWords struct {
	slots []shortWord // open addressing, a power of two
	taken int
	seed  uint64
}

// shortWord is a short text and its word; the text 0 is a free slot.
type shortWord struct {
	text  jsontext.SmallString
	known word
}

func newShortWords(seed maphash.Seed) shortWords {
	w := shortWords{slots: make([]shortWord, 1<<8), seed: maphash.Bytes(seed, nil)}
	empty, _ := jsontext.NewSmallString(nil)
	w.add(empty, noWord)
	return w
}

// slot returns the slot of a text, or the free one where it belongs.
func (w *shortWords) slot(text jsontext.SmallString) *shortWord {
	high, low := bits.Mul64(uint64(text)^w.seed, golden)
	mask := uint64(len(w.slots) - 1)
	for at := (high ^ low) & mask; ; at = (at + 1) & mask {
		if s := &w.slots[at]; s.text == text || s.text == 0 {
			return s
		}
	}
}

// find returns the word of a text, if it has one.
func (w *shortWords) find(text jsontext.SmallString) (known word, ok bool) {
	s := w.slot(text)
	return s.known, s.text != 0
}

// add gives a text that has none its word.
// It doubles the table where that is half full.
func (w *shortWords) add(text jsontext.SmallString, known word) {
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
