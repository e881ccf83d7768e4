package ccsl

import "strings"

// What LightCCSL's files say, before names are resolved.

// lightFile is a specification.
type lightFile struct {
	name        string
	definitions map[string]*lightDefinition
	body        []lightLine
}

// lightDefinition is a part of a specification that is called.
type lightDefinition struct {
	clocks, integers []string
	body             []lightLine
}

// lightKind is what a line is.
type lightKind uint8

const (
	// The zero value is the commonest line.
	lightClocks lightKind = iota // declares names
	lightChain                   // a relation between clocks, written as a chain
	lightLet                     // defines a clock
	lightRepeat                  // defines a clock by a period
	lightCall                    // expands a definition
)

// lightLine is a line of a specification.
type lightLine struct {
	kind     lightKind
	at       Place
	word     string       // for a chain: Precedence and so on; for a call: the definition
	names    []token      // clocks that are declared or defined
	clocks   []*lightTerm // of a chain or a call; for the others the clock in question
	links    []lightLink  // of a chain: between its clocks, one fewer than clocks
	integers []*lightInt  // of a call; for repeat: every, from
}

// lightLink stands between two clocks of a chain.
type lightLink struct {
	sign      string
	at        Place
	init, max *lightInt // or nil
}

// lightTerm is an expression for a clock.
// Operands of one associative operator are gathered in one term, so that a long sum is flat.
type lightTerm struct {
	operator string // empty for a name
	name     string
	at       Place
	operands []*lightTerm
	integer  *lightInt // of a delay
}

// lightInt is an expression for an integer.
type lightInt struct {
	operator    string // "+", "-", "*", or empty for a name or a number
	name        string
	number      int64
	at          Place
	left, right *lightInt
}

// String returns the name of the clock that an expression defines, as messages spell it. Parts of long ones are
// left out, since names nest.
func (t *lightTerm) String() string {
	if t.operator == "" {
		return t.name
	}
	var b strings.Builder
	b.WriteByte('(')
	for i, o := range t.operands {
		if b.Len() > maxShownName {
			b.WriteString(" ...")
			break
		}
		if i > 0 {
			b.WriteString(" " + t.operator + " ")
		}
		b.WriteString(o.String())
	}
	if t.integer != nil {
		b.WriteString(" delayed")
	}
	b.WriteByte(')')
	return b.String()
}

// maxShownName is the length in bytes from which on a name is cut.
const maxShownName = 80
