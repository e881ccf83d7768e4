package components

import (
	"strings"
	"unicode"
)

// identity is what the name of a component says: <name>[_<variant>][_untraced].
type identity struct {
	name     string
	variant  string // digits, or ""
	untraced bool
}

const untraced = "_untraced"

func identityOf(component string) (id identity) {
	id.name, id.untraced = strings.CutSuffix(component, untraced)
	if at := strings.LastIndexByte(id.name, '_'); at > 0 && at+1 < len(id.name) && strings.Trim(id.name[at+1:], "0123456789") == "" {
		id.name, id.variant = id.name[:at], id.name[at+1:]
	}
	return id
}

// String is the name of the component.
func (id identity) String() string {
	name := id.name
	if id.variant != "" {
		name += "_" + id.variant
	}
	if id.untraced {
		name += untraced
	}
	return name
}

// identifier makes a name fit for the names of events: letters and digits of ASCII and "_" stay, all else
// becomes "_", two "_" in a row one, and a digit in front gets a "_" before it. What would be "_" alone is "_0".
func identifier(name string) string {
	var out strings.Builder
	last := rune(0)
	for i, r := range name {
		if i == 0 && r < unicode.MaxASCII && unicode.IsDigit(r) {
			out.WriteByte('_')
		}
		if r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			r = '_'
		}
		if r != '_' || last != '_' {
			out.WriteRune(r)
		}
		last = r
	}
	if out.String() == "_" {
		return "_0"
	}
	return out.String()
}
