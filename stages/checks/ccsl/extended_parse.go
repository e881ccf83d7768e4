package ccsl

import (
	"io/fs"
	"slices"
)

// The grammar of a file, as far as it has a meaning here ([x] may be missing, {x} may come again):
//
//	system     = "ClockConstraintSystem" name "{" [imports] ["dataTypes" "{" {dense} "}"] ["entryBlock" name] {block} "}"
//	imports    = "imports" "{" {"import" string "as" name [";"]} "}"
//	block      = "Block" name "{" {element} "}"
//	element    = block | clock | integer | sequence | expression | relation | dense | real
//	clock      = "Clock" name [":" type] ["->" name ["(" string ")"] [":" name]]
//	integer    = "Integer" name [":" type] "=" term
//	real       = "Real" name [":" type] "=" number
//	dense      = "DenseClockType" name "{" {word} "}"
//	sequence   = "Sequence" name [":" type] "=" {term} ["(" {term} ")"]        with "," or ";" between terms, or nothing; or a binary word, such as 00(01)
//	expression = "Expression" name "=" word "(" {argument} ")"
//	relation   = "Relation" name ( "[" word "]" "(" {argument} ")" | "[" word "(" {argument} ")" ["]"] )
//	argument   = name "->" term
//	term       = integer | name | ("IntegerRef" | "IntegerVariableRef") [name] "[" name "]" | ["Integer"] name "=" integer
//	library    = "Library" name "{" [imports] { group | dense | constant } "}"
//	group      = ("RelationLibrary" | "ExpressionLibrary") name "{" {declaration | definition | constant} "}"
//	constant   = integer | sequence | real | clock

// readUnit parses a file.
// A file is parsed whole before any name is resolved. The first error ends it.
func readUnit(fsys fs.FS, name string) (*unit, error) {
	l, err := openSpecification(fsys, name)
	if err != nil {
		return nil, err
	}
	p := newParser(l)
	u := p.parseUnit()
	if p.err == nil && p.token.kind != tokenEnd {
		p.fail(p.token, "expected the end of the file, found %s", p.token.quoted())
	}
	return u, p.err
}

// parseUnit reads a system or a library.
func (p *parser) parseUnit() *unit {
	u := &unit{}
	library := p.accept("Library")
	if !library && !p.accept("ClockConstraintSystem") {
		p.fail(p.token, "expected ClockConstraintSystem or Library, found %s", p.token.quoted())
	}
	head := p.expectName("a name")
	u.name, u.at = head.text, p.placeOf(head)
	p.expect("{", "after the name")
	// The parts of a file may come in any order.
	for p.err == nil && !p.accept("}") {
		switch {
		case p.nextIs("imports"):
			p.parseImports(u)
		case library && (p.nextIs("RelationLibrary") || p.nextIs("ExpressionLibrary")):
			p.parseGroup(u)
		case !library && p.accept("dataTypes"):
			p.expect("{", "after dataTypes")
			p.parseElements(&u.constants, elementOther)
		case !library && p.accept("entryBlock"): // all blocks are active, so that it has no meaning
			p.parsePath("the name of the entry block")
		case !library && p.nextIs("Block"):
			u.blocks = append(u.blocks, p.parseElement())
		case p.nextIs("DenseClockType") || library && isConstantWord(p.token.text):
			u.constants = append(u.constants, p.parseElement())
		default:
			p.fail(p.token, "expected imports, a block or a library, or \"}\", found %s", p.token.quoted())
		}
	}
	return u
}

// parseImports reads the list of imports.
func (p *parser) parseImports(u *unit) {
	p.takeToken() // imports
	p.expect("{", "after imports")
	for p.err == nil && !p.accept("}") {
		p.expect("import", "in the list of imports")
		if p.token.kind != tokenString {
			p.fail(p.token, "expected the path of a file in quotes, found %s", p.token.quoted())
		}
		t := p.takeToken()
		u.imports = append(u.imports, imported{t.text, p.placeOf(t)})
		p.expect("as", "after the path")
		p.expectName("a short name of the import")
		p.accept(";")
	}
}

// parseElements reads elements up to a closing brace. If kinds are given, only these are allowed.
func (p *parser) parseElements(all *[]element, allowed ...elementKind) {
	for p.err == nil && !p.accept("}") {
		at := p.token
		e := p.parseElement()
		if len(allowed) > 0 && !slices.Contains(allowed, e.kind) {
			p.fail(at, "expected \"}\", found %s", at.quoted())
		}
		*all = append(*all, e)
	}
}

// parsePath reads a name that may have others before it, "library::name", and returns the last.
func (p *parser) parsePath(what string) token {
	t := p.expectName(what)
	for p.err == nil && (p.nextIs("::") || p.nextIs(".")) {
		p.takeToken()
		t = p.expectName(what)
	}
	return t
}

// parseGroup reads a library of relations or of expressions.
func (p *parser) parseGroup(u *unit) {
	// Declarations and definitions stand side by side in any order.
	expressions := p.takeToken().text == "ExpressionLibrary"
	p.expectName("the name of the library")
	p.expect("{", "after the name of the library")
	for p.err == nil && !p.accept("}") {
		switch word := p.token.text; {
		case word == "RelationDeclaration" || word == "ExpressionDeclaration":
			u.declarations = append(u.declarations, p.parseDeclaration())
		case word == "RelationDefinition" || word == "ExpressionDefinition" || word == "ConditionalRelationDefinition":
			u.definitions = append(u.definitions, p.parseDefinition())
		case isConstantWord(word):
			u.constants = append(u.constants, p.parseElement())
		case word == "ConditionalExpressionDefinition":
			p.fail(p.token, "conditional expressions are not read")
		default:
			kind := "relation"
			if expressions {
				kind = "expression"
			}
			p.fail(p.token, "expected the declaration or definition of a %s, or \"}\", found %s", kind, p.token.quoted())
		}
	}
}

// parseDeclaration = ("RelationDeclaration" | "ExpressionDeclaration") name "(" {name ":" type} ")" [":" type].
func (p *parser) parseDeclaration() declaration {
	d := declaration{expression: p.takeToken().text == "ExpressionDeclaration"}
	d.name = p.expectName("the name of what is declared").text
	p.expect("(", "before the parameters")
	p.parseList(")", "after a parameter", func() {
		f := formal{name: p.expectName("the name of a parameter").text}
		p.expect(":", "before the type of the parameter")
		f.kind = typeKind(p.expectName("a type").text)
		d.formals = append(d.formals, f)
	})
	if d.expression && p.accept(":") {
		p.expectName("a type")
	}
	return d
}

// typeKind returns what a parameter of a type of TimeSquare's libraries holds.
func typeKind(name string) bindingKind {
	switch name {
	case "clock", "Clock", "DiscreteClock", "Logical": // the spellings of the libraries differ
		return bindClock
	case "int", "Integer", "integer":
		return bindInteger
	case "IntegerSequence", "seq", "sequence", "Sequence":
		return bindSequence
	}
	return bindOther
}

// parseDefinition reads a body:
//
//	RelationDefinition name "[" declared "]" "{" {element} "}"
//	ExpressionDefinition name "[" declared "]" "{" {element | "root" "=" name} "}"
//	ConditionalRelationDefinition name "[" declared "]" "{" {element} "switch" "{" {case} "}" ["default" {relation}] "}"
func (p *parser) parseDefinition() definition {
	// Only the word distinguishes the three forms, which share the rest.
	word := p.takeToken().text
	d := definition{expression: word == "ExpressionDefinition"}
	t := p.expectName("the name of the definition")
	d.name, d.at = t.text, p.placeOf(t)
	p.expect("[", "before the name of what is defined")
	d.declares = p.expectName("the name of what is defined").text
	p.expect("]", "after the name of what is defined")
	p.expect("{", "before the definition")
	for p.err == nil && !p.accept("}") {
		switch {
		case d.expression && p.accept("root"):
			p.expect("=", "after root")
			root := p.expectName("the clock that is the result")
			d.root, d.rootAt = root.text, p.placeOf(root)
		case word == "ConditionalRelationDefinition" && p.accept("switch"):
			p.parseCases(&d)
		case word == "ConditionalRelationDefinition" && p.accept("default"):
			d.otherwise = p.parseRelations()
		default:
			d.body = append(d.body, p.parseElement())
		}
	}
	if d.expression && d.root == "" && p.err == nil {
		p.fail(t, "the definition of expression %s says no root", d.declares)
	}
	return d
}

// parseCases = "{" {"case" condition ":" {relation}} "}".
func (p *parser) parseCases(d *definition) {
	p.expect("{", "after switch")
	for p.err == nil && !p.accept("}") {
		p.expect("case", "in the switch")
		c := p.parseCondition()
		p.expect(":", "after the condition")
		c.body = p.parseRelations()
		d.cases = append(d.cases, c)
	}
}

// parseRelations reads relations as long as there are any.
func (p *parser) parseRelations() []element {
	var all []element
	for p.err == nil && p.nextIs("Relation") {
		all = append(all, p.parseElement())
	}
	return all
}

// conditionOperators maps the words of conditions to their signs.
var conditionOperators = map[string]string{"IntInf": "<", "IntSup": ">", "IntEqual": "=="}

// parseCondition = ("IntInf" | "IntSup" | "IntEqual") "{" "leftValue" term "rightValue" term "}" | "(" term ("<" | ">" | "==") term ")".
func (p *parser) parseCondition() conditionalCase {
	var c conditionalCase
	// The short form, of newer versions of the tool.
	if p.accept("(") {
		c.left = p.parseTerm("an integer")
		t := p.takeToken()
		if c.operator = t.text; c.operator != "<" && c.operator != ">" && c.operator != "==" {
			p.fail(t, "expected <, > or == between the integers of the condition, found %s", t.quoted())
		}
		c.right = p.parseTerm("an integer")
		p.expect(")", "after the condition")
		return c
	}
	t := p.expectName("IntInf, IntSup, IntEqual or \"(\"")
	if c.operator = conditionOperators[t.text]; c.operator == "" {
		p.fail(t, "expected IntInf, IntSup, IntEqual or \"(\", found %s", t.quoted())
	}
	p.expect("{", "before the condition")
	p.expect("leftValue", "in the condition")
	c.left = p.parseTerm("an integer")
	p.expect("rightValue", "in the condition")
	c.right = p.parseTerm("an integer")
	p.expect("}", "after the condition")
	return c
}
