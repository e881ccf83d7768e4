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
//	sequence   = "Sequence" name [":" type] "=" {term} ["(" {term} ")"]        with "," or ";" between terms, or nothing
//	expression = "Expression" name "=" word "(" {argument} ")"
//	relation   = "Relation" name ( "[" word "]" "(" {argument} ")" | "[" word "(" {argument} ")" ["]"] )
//	argument   = name "->" term
//	term       = integer | name | ("IntegerRef" | "IntegerVariableRef") [name] "[" name "]" | ["Integer"] name "=" integer
//	library    = "Library" name "{" [imports] { group | dense | constant } "}"
//	group      = ("RelationLibrary" | "ExpressionLibrary") name "{" {declaration | definition | constant} "}"
//	constant   = integer | sequence | real | clock

// readUnit parses a file.
func readUnit(fsys fs.FS, name string) (*unit, error) {
	l, err := open(fsys, name)
	if err != nil {
		return nil, err
	}
	p := newParser(l)
	u := p.unit()
	if p.err == nil && p.token.kind != tokenEnd {
		p.fail(p.token, "expected the end of the file, found %s", p.token.shown())
	}
	return u, p.err
}

func (p *parser) unit() *unit {
	u := &unit{}
	library := p.accept("Library")
	if !library && !p.accept("ClockConstraintSystem") {
		p.fail(p.token, "expected ClockConstraintSystem or Library, found %s", p.token.shown())
	}
	head := p.name("a name")
	u.name, u.at = head.text, p.place(head)
	p.expect("{", "after the name")
	for p.err == nil && !p.accept("}") {
		switch {
		case p.is("imports"):
			p.imports(u)
		case library && (p.is("RelationLibrary") || p.is("ExpressionLibrary")):
			p.group(u)
		case !library && p.accept("dataTypes"):
			p.expect("{", "after dataTypes")
			p.elements(&u.constants, elementOther)
		case !library && p.accept("entryBlock"):
			p.path("the name of the entry block")
		case !library && p.is("Block"):
			u.blocks = append(u.blocks, p.element())
		case p.is("DenseClockType") || library && isConstantWord(p.token.text):
			u.constants = append(u.constants, p.element())
		default:
			p.fail(p.token, "expected imports, a block or a library, or \"}\", found %s", p.token.shown())
		}
	}
	return u
}

func (p *parser) imports(u *unit) {
	p.take()
	p.expect("{", "after imports")
	for p.err == nil && !p.accept("}") {
		p.expect("import", "in the list of imports")
		if p.token.kind != tokenString {
			p.fail(p.token, "expected the path of a file in quotes, found %s", p.token.shown())
		}
		t := p.take()
		u.imports = append(u.imports, imported{t.text, p.place(t)})
		p.expect("as", "after the path")
		p.name("a short name of the import")
		p.accept(";")
	}
}

// elements reads elements up to a closing brace. Only is the last kind that may be among them.
func (p *parser) elements(all *[]element, last ...elementKind) {
	for p.err == nil && !p.accept("}") {
		at := p.token
		e := p.element()
		if len(last) > 0 && !slices.Contains(last, e.kind) {
			p.fail(at, "expected \"}\", found %s", at.shown())
		}
		*all = append(*all, e)
	}
}

// path passes over a name that may have others before it, "library::name", and returns the last.
func (p *parser) path(what string) token {
	t := p.name(what)
	for p.err == nil && (p.is("::") || p.is(".")) {
		p.take()
		t = p.name(what)
	}
	return t
}

// group is a library of relations or of expressions.
func (p *parser) group(u *unit) {
	expressions := p.take().text == "ExpressionLibrary"
	p.name("the name of the library")
	p.expect("{", "after the name of the library")
	for p.err == nil && !p.accept("}") {
		switch word := p.token.text; {
		case word == "RelationDeclaration" || word == "ExpressionDeclaration":
			u.declarations = append(u.declarations, p.declaration())
		case word == "RelationDefinition" || word == "ExpressionDefinition" || word == "ConditionalRelationDefinition":
			u.definitions = append(u.definitions, p.definition())
		case isConstantWord(word):
			u.constants = append(u.constants, p.element())
		case word == "ConditionalExpressionDefinition":
			p.fail(p.token, "conditional expressions are not read")
		default:
			kind := "relation"
			if expressions {
				kind = "expression"
			}
			p.fail(p.token, "expected the declaration or definition of a %s, or \"}\", found %s", kind, p.token.shown())
		}
	}
}

// declaration = ("RelationDeclaration" | "ExpressionDeclaration") name "(" {name ":" type} ")" [":" type].
func (p *parser) declaration() declaration {
	d := declaration{expression: p.take().text == "ExpressionDeclaration"}
	d.name = p.name("the name of what is declared").text
	p.expect("(", "before the parameters")
	p.list(")", "after a parameter", func() {
		f := formal{name: p.name("the name of a parameter").text}
		p.expect(":", "before the type of the parameter")
		f.kind = typeKind(p.name("a type").text)
		d.formals = append(d.formals, f)
	})
	if d.expression && p.accept(":") {
		p.name("a type")
	}
	return d
}

// typeKind is what a type of TimeSquare's libraries holds.
func typeKind(name string) bindingKind {
	switch name {
	case "clock", "Clock", "DiscreteClock", "Logical":
		return bindClock
	case "int", "Integer", "integer":
		return bindInteger
	case "IntegerSequence", "seq", "sequence", "Sequence":
		return bindSequence
	}
	return bindOther
}
