package chrome

import (
	"hash/maphash"
	"strings"
	"unicode"

	"github.com/tracelake/tracelake/stages/ingest/field"
)

// word is the position of a text in a table of words. What is not there is noWord.
type word uint32

const noWord word = 0

// words are the distinct texts of a trace: names, categories, processes and threads.
type words struct {
	seed  maphash.Seed
	texts []string
	names []string // as far as asked for
	hash  []uint32 // of the texts
	slots []word   // open addressing, a power of two; noWord is free
}

func newWords() *words {
	return &words{seed: maphash.MakeSeed(), texts: []string{""}, hash: []uint32{0}, slots: make([]word, 1<<8)}
}

// of is the word of a text, which need not last.
func (w *words) of(text []byte) word {
	h := uint32(maphash.Bytes(w.seed, text))
	mask := uint32(len(w.slots) - 1)
	for at := h & mask; ; at = (at + 1) & mask {
		switch known := w.slots[at]; {
		case known == noWord:
			return w.add(string(text), h, at)
		case w.hash[known] == h && w.texts[known] == string(text):
			return known
		}
	}
}

// hashOf is a hash of a text that is not kept.
func (w *words) hashOf(text []byte) uint64 { return maphash.Bytes(w.seed, text) }

func (w *words) add(text string, h, at uint32) word {
	known := word(len(w.texts))
	w.texts = append(w.texts, text)
	w.hash = append(w.hash, h)
	if w.slots[at] = known; 2*len(w.texts) > len(w.slots) {
		w.widen()
	}
	return known
}

func (w *words) widen() {
	w.slots = make([]word, 2*len(w.slots))
	mask := uint32(len(w.slots) - 1)
	for known := 1; known < len(w.texts); known++ {
		at := w.hash[known] & mask
		for w.slots[at] != noWord {
			at = (at + 1) & mask
		}
		w.slots[at] = word(known)
	}
}

// name is a word as a name: UTF-8 without control characters, not too long, and otherwise as it stands.
func (w *words) name(known word) string {
	for len(w.names) < len(w.texts) {
		w.names = append(w.names, "")
	}
	if w.names[known] == "" {
		w.names[known] = clean(w.texts[known])
	}
	return w.names[known]
}

func clean(text string) string {
	if _, fault := field.CheckName([]byte(text)); fault == "" {
		return text
	}
	name := strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, string(unicode.ReplacementChar)))
	if len(name) > field.MaxName {
		name = strings.ToValidUTF8(name[:field.MaxName], "")
	}
	return name
}
