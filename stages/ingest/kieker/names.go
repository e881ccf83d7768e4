package kieker

import (
	"bytes"
	"cmp"
	"strings"
)

// noHost is what Kieker writes for a host that it does not know.
const noHost = "<no-hostname>"

// signature is the signature of a function.
type signature struct {
	text    string
	class   string // of the signature, else the one beside it in the record; may be empty
	bare    bool   // it names no class itself
	entered bool   // events of its calls were seen
}

// names numbers the texts that records repeat, so that records have no pointers. Number 0 of the hosts and of the causes is the
// empty text.
// Kieker writes a signature of some hundred bytes into every record, so numbers make records
// much smaller before they are sorted.
type names struct {
	signatures []signature
	signature  map[string]uint32
	hosts      []string
	host       map[string]uint32
	causes     []string
	cause      map[string]uint32
	joined     []byte // room for a key
}

func newNames() *names {
	return &names{
		signature: make(map[string]uint32), host: map[string]uint32{"": 0, noHost: 0}, hosts: []string{""},
		cause: map[string]uint32{"": 0}, causes: []string{""},
	}
}

// signatureOf numbers a signature. One that names no class itself is another one with every class beside it.
// The common case is one look into a map without a copy of the text.
func (n *names) signatureOf(text, class []byte) uint32 {
	i, known := n.signature[string(text)]
	if !known {
		s := signature{text: clean(text)}
		s.class = classOf(s.text)
		if s.bare = s.class == ""; s.bare {
			s.class = clean(class)
		}
		i = n.addSignature(text, s)
	}
	if s := &n.signatures[i]; !s.bare || s.class == string(class) {
		return i
	}
	n.joined = append(append(append(n.joined[:0], text...), 0), class...)
	if j, known := n.signature[string(n.joined)]; known {
		return j
	}
	return n.addSignature(n.joined, signature{text: clean(text), class: clean(class), bare: true})
}

// addSignature numbers a signature that is new by its key, and names one that is empty, as no function may be.
func (n *names) addSignature(key []byte, s signature) uint32 {
	s.text = cmp.Or(s.text, "?")
	i := uint32(len(n.signatures))
	n.signatures = append(n.signatures, s)
	n.signature[string(key)] = i
	return i
}

// hostOf numbers a host; those that Kieker does not know are 0.
func (n *names) hostOf(text []byte) uint32 { return number(n.host, &n.hosts, text) }

// Bounds of the causes of failures, which are texts that a program may make in any number.
const (
	maxCauses = 1 << 14
	maxCause  = 1 << 12
)

// causeOf numbers a cause. Once there are too many of them, their beginnings up to a colon, as a rule the class of
// an exception, stand for them.
func (n *names) causeOf(text []byte) uint32 {
	text = text[:min(len(text), maxCause)]
	if _, known := n.cause[string(text)]; !known && len(n.causes) > maxCauses {
		text, _, _ = bytes.Cut(text, []byte(":"))
		if _, known := n.cause[string(text)]; !known && len(n.causes) > 2*maxCauses {
			return 0
		}
	}
	return number(n.cause, &n.causes, text)
}

// number returns the number of a text in a table, which gets it when it is new. Broken UTF-8 is mended in the table
// and stays in the key.
func number(of map[string]uint32, table *[]string, text []byte) uint32 {
	i, known := of[string(text)]
	if !known {
		i = uint32(len(*table))
		*table = append(*table, clean(text))
		of[string(text)] = i
	}
	return i
}

// clean makes a text of bytes of any kind.
func clean(text []byte) string { return strings.ToValidUTF8(string(text), "�") }

// classOf returns the class in a signature such as "public void a.b.C.d(e.F, int) throws G", empty where it has none.
// Blanks and points within parameters do not matter, as all of them stand behind the bracket.
func classOf(signature string) string {
	head, _, _ := strings.Cut(signature, "(")
	head = strings.TrimRight(head, " ")
	head = head[strings.LastIndexByte(head, ' ')+1:]
	return head[:max(0, strings.LastIndexByte(head, '.'))]
}

// packageOf returns the package of a class; a class without one is its own.
func packageOf(class string) string {
	if dot := strings.LastIndexByte(class, '.'); dot > 0 {
		return class[:dot]
	}
	return class
}
