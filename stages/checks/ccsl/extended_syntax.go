package ccsl

// What TimeSquare's files say, before names are resolved.

// unit is a file: a system or a library.
type unit struct {
	name         string
	at           Place
	imports      []imported
	declarations []declaration
	definitions  []definition
	constants    []element // integers and clocks of a library
	blocks       []element // of a system
}

// imported is a file that another one imports.
type imported struct {
	path string
	at   Place
}

// bindingKind is what a name stands for.
type bindingKind uint8

const (
	bindClock bindingKind = iota
	bindInteger
	bindSequence
	bindOther // types, reals, parts of models: known, but of no meaning here
)

var bindingNames = [...]string{"a clock", "an integer", "a sequence", "neither a clock nor an integer"}

// formal is a parameter of a relation or an expression.
type formal struct {
	name string
	kind bindingKind
}

// declaration is the head of a relation or an expression of a library.
type declaration struct {
	name       string
	expression bool
	formals    []formal
}

// definition is the body of one.
type definition struct {
	name, declares string
	expression     bool
	at             Place
	root           string // of an expression: the clock that is its result
	rootAt         Place
	body           []element
	cases          []choice // of a conditional relation
	otherwise      []element
}

// choice is a case of a conditional relation.
type choice struct {
	operator    string // "<", ">" or "=="
	left, right term
	body        []element
}

// elementKind is what an element of a block is.
type elementKind uint8

const (
	elementClock elementKind = iota
	elementInteger
	elementSequence
	elementOther
	elementExpression
	elementRelation
	elementBlock
)

// element is a line of a block or of a definition.
type element struct {
	kind           elementKind
	name           string
	at             Place
	value          term   // of an integer
	prefix, period []term // of a sequence
	word           string // of a relation or an expression: which
	wordAt         Place
	arguments      []argument
	inner          []element // of a block
}

// argument binds a parameter.
type argument struct {
	formal string
	value  term
	at     Place
}

// term is a name or an integer.
type term struct {
	name   string
	number int64 // where name is ""
	at     Place
}
