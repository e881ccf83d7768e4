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
	lightClocks lightKind = iota // declares names
	lightChain                   // a relation between clocks, written as a chain
	lightLet                     // defines a clock
	lightRepeat
	lightCall
)

// lightLine is a line of a specification.
type lightLine struct {
	kind     lightKind
	at       Place
	word     string       // of a chain: Precedence and so on; of a call: the definition
	names    []token      // of clocks that are declared or defined
	clocks   []*lightTerm // of a chain or a call; of the others the clock in question
	links    []lightLink  // of a chain: between its clocks
	integers []*lightInt  // of a call; of repeat: every, from
}

// lightLink stands between two clocks of a chain.
type lightLink struct {
	sign      string
	at        Place
	init, max *lightInt // or nil
}

// lightTerm is an expression for a clock.
type lightTerm struct {
	operator string // or "" for a name
	name     string
	at       Place
	operands []*lightTerm
	integer  *lightInt // of a delay
}

// lightInt is an expression for an integer.
type lightInt struct {
	operator    string // "+", "-", "*", or "" for a name or a number
	name        string
	number      int64
	at          Place
	left, right *lightInt
}

// String is how messages call the clock of an expression. Parts of long ones are left out.
func (t *lightTerm) String() string {
	if t.operator == "" {
		return t.name
	}
	var b strings.Builder
	b.WriteByte('(')
	for i, o := range t.operands {
		if b.Len() > mostShown {
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

// mostShown is from which length on a name is cut.
const mostShown = 80
