package ccsl

// What TimeSquare's files say, before names are resolved.

// unit is a parsed file: a system or a library.
// It keeps the order of the file, which decides the order of constraints.
type unit struct {
	name         string
	at           Place // place of the name
	imports      []imported
	declarations []declaration // of a library
	definitions  []definition  // of a library
	constants    []element     // integers, sequences and clocks of a library
	blocks       []element     // of a system
}

// imported is a file that another one imports.
type imported struct {
	path string // as the file writes it
	at   Place
}

// bindingKind says what a name stands for.
type bindingKind uint8

const (
	bindClock    bindingKind = iota // a number of Spec.Clocks
	bindInteger                     // a constant
	bindSequence                    // a prefix and a period of integers
	bindOther                       // types, reals, parts of models: known, but of no meaning here
)

// bindingNames word the kinds in messages.
var bindingNames = [...]string{"a clock", "an integer", "a sequence", "neither a clock nor an integer"}

// formal is a parameter of a relation or an expression.
type formal struct {
	name string
	kind bindingKind
}

// declaration is the head of a relation or an expression of a library.
type declaration struct {
	name       string
	expression bool     // it declares an expression, not a relation
	formals    []formal // parameters
}

// definition is the body of a declared relation or expression.
type definition struct {
	name, declares string // its own name, and that of the declaration
	expression     bool
	at             Place
	root           string // of an expression: the clock that is its result
	rootAt         Place
	body           []element         // the elements in every case
	cases          []conditionalCase // of a conditional relation
	otherwise      []element         // elements where no case applies
}

// conditionalCase is a case of a conditional relation: its body counts where left operator right holds.
type conditionalCase struct {
	operator    string // "<", ">" or "=="
	left, right term
	body        []element
}

// elementKind says what an element of a block is.
type elementKind uint8

const (
	elementClock      elementKind = iota // declares a clock
	elementInteger                       // declares a constant
	elementSequence                      // declares a sequence of constants
	elementOther                         // read, but of no meaning here
	elementExpression                    // declares a clock and defines it
	elementRelation                      // restricts clocks
	elementBlock                         // has elements of its own
)

// element is a line of a block or of a definition. Only the fields of its kind are set.
type element struct {
	kind           elementKind // what it is
	name           string
	at             Place
	value          term   // of an integer
	prefix, period []term // of a sequence
	word           string // of a relation or an expression: its word in a library
	wordAt         Place  // place of the word
	arguments      []argument
	inner          []element // of a block
}

// argument binds a parameter by name.
type argument struct {
	formal string // name of the parameter
	value  term
	at     Place
}

// term is a name or an integer.
type term struct {
	name   string
	number int64 // the value, where name is empty
	at     Place
}
