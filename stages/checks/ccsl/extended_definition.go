package ccsl

// definition reads a body:
//
//	RelationDefinition name "[" declared "]" "{" {element} "}"
//	ExpressionDefinition name "[" declared "]" "{" {element | "root" "=" name} "}"
//	ConditionalRelationDefinition name "[" declared "]" "{" {element} "switch" "{" {case} "}" ["default" {relation}] "}"
func (p *parser) definition() definition {
	word := p.take().text
	d := definition{expression: word == "ExpressionDefinition"}
	t := p.name("the name of the definition")
	d.name, d.at = t.text, p.place(t)
	p.expect("[", "before the name of what is defined")
	d.declares = p.name("the name of what is defined").text
	p.expect("]", "after the name of what is defined")
	p.expect("{", "before the definition")
	for p.err == nil && !p.accept("}") {
		switch {
		case d.expression && p.accept("root"):
			p.expect("=", "after root")
			root := p.name("the clock that is the result")
			d.root, d.rootAt = root.text, p.place(root)
		case word == "ConditionalRelationDefinition" && p.accept("switch"):
			p.choices(&d)
		case word == "ConditionalRelationDefinition" && p.accept("default"):
			d.otherwise = p.relations()
		default:
			d.body = append(d.body, p.element())
		}
	}
	if d.expression && d.root == "" && p.err == nil {
		p.fail(t, "the definition of expression %s says no root", d.declares)
	}
	return d
}

// choices = "{" {"case" condition ":" {relation}} "}".
func (p *parser) choices(d *definition) {
	p.expect("{", "after switch")
	for p.err == nil && !p.accept("}") {
		p.expect("case", "in the switch")
		c := p.condition()
		p.expect(":", "after the condition")
		c.body = p.relations()
		d.cases = append(d.cases, c)
	}
}

// relations reads relations as long as there are any.
func (p *parser) relations() []element {
	var all []element
	for p.err == nil && p.is("Relation") {
		all = append(all, p.element())
	}
	return all
}

// operators are the words of conditions.
var operators = map[string]string{"IntInf": "<", "IntSup": ">", "IntEqual": "=="}

// condition = ("IntInf" | "IntSup" | "IntEqual") "{" "leftValue" term "rightValue" term "}" | "(" term ("<" | ">" | "==") term ")".
func (p *parser) condition() choice {
	var c choice
	if p.accept("(") {
		c.left = p.term("an integer")
		t := p.take()
		if c.operator = t.text; c.operator != "<" && c.operator != ">" && c.operator != "==" {
			p.fail(t, "expected <, > or == between the integers of the condition, found %s", t.shown())
		}
		c.right = p.term("an integer")
		p.expect(")", "after the condition")
		return c
	}
	t := p.name("IntInf, IntSup, IntEqual or \"(\"")
	if c.operator = operators[t.text]; c.operator == "" {
		p.fail(t, "expected IntInf, IntSup, IntEqual or \"(\", found %s", t.shown())
	}
	p.expect("{", "before the condition")
	p.expect("leftValue", "in the condition")
	c.left = p.term("an integer")
	p.expect("rightValue", "in the condition")
	c.right = p.term("an integer")
	p.expect("}", "after the condition")
	return c
}
