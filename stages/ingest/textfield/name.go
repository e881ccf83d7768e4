package textfield

import "unicode/utf8"

// MaxName is the greatest length of a name in bytes.
const MaxName = 4096

// CheckName finds the first fault of a name: its offset and what was expected there, "" in a good name.
func CheckName(name []byte) (at int, want string) {
	if len(name) > MaxName {
		return 0, "a name of at most 4096 bytes"
	}
	for at < len(name) {
		// RuneError of one byte is damage; of three bytes it is U+FFFD itself, which a name may hold.
		r, size := utf8.DecodeRune(name[at:])
		if r < ' ' || r == 0x7f || r == utf8.RuneError && size == 1 {
			return at, "a name in UTF-8 without control characters"
		}
		at += size
	}
	return 0, ""
}
