package tmsct

import (
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/textfield"
)

// Declarations. What says nothing of the trace, such as parameters, is read and left alone.
//
//	interface   = "interface" called ["{" {operation | property} "}"]
//	operation   = "operation" called ["{" {property} "}"]
//	component   = "component" called ["provides" ids] ["requires" ids] ["{" settings "}"]
//	function    = ["ipc-client" | "ipc-server"] "function" called ["(" parameter {"," parameter} ")"]
//	              ["implements" id {"." id}] ["{" settings "}"]
//	parameter   = ("in" | "out" | "inout" | "return") id ["(" property {"," property} ")"]
//	host        = ["untraced"] "host" called ["{" {executor | settings} "}"]
//	executor    = ["untraced"] "executor" called ["{" settings "}"]
//	called      = [description "as"] id

// called is the identifier and the description of a declared element.
type called struct {
	id, description string // description is "" where the text gives none
	at              token  // the identifier
}

// called reads a description and an identifier, or an identifier alone.
func (r *reader) called() called {
	at := r.tok
	// The first name is a description if "as" follows, and the identifier otherwise.
	id := r.name("a name")
	// at is then the identifier, at which an error of its declaration points.
	if r.acceptWord("as") {
		at = r.tok
		return called{r.identifier("an identifier after 'as'"), id, at}
	}
	if at.quoted {
		r.fail("'as' and an identifier after a description")
	}
	return called{id, "", at}
}

// declare notes a declaration, which ends here, unless it is bad.
func (r *reader) declare(n *names, c called, d defaults) *element {
	// An element that was only used so far may be declared now; one that is declared may not.
	if n.declares(c.id) {
		r.failAt(c.at, "an identifier that is not declared above")
	}
	if r.bad.want != "" {
		return &element{}
	}
	e := &n.list[n.of(c.id)]
	e.declared, e.description, e.defaults = true, c.description, d
	return e
}

// declareInterface reads an interface and its operations.
func (r *reader) declareInterface() {
	r.take()
	c := r.called()
	// Operations are kept until the whole interface is good.
	var operations []called
	r.optional(func() {
		if !r.acceptWord("operation") {
			r.property()
			return
		}
		operations = append(operations, r.called())
		r.optional(func() { r.property() })
	})
	if r.bad.want != "" {
		return
	}
	r.interfaces.describe(c.id, c.description)
	for _, o := range operations {
		r.operations.describe(c.id+"."+o.id, o.description)
	}
}

// declareComponent reads a component and its defaults. The interfaces that it provides and requires are not kept.
func (r *reader) declareComponent() {
	r.take()
	c := r.called()
	// The interfaces are read, so that faults in them are seen, and dropped.
	for _, relation := range []string{"provides", "requires"} {
		if r.acceptWord(relation) {
			r.identifier("an interface")
			for r.accept(',') {
				r.identifier("an interface")
			}
		}
	}
	d := unset
	r.optional(func() { r.settingOrProperty(&d) })
	r.declare(&r.components, c, d)
}

// settingOrProperty reads a setting and keeps it, or a property, which it returns.
func (r *reader) settingOrProperty(d *defaults) property {
	if r.setting(d) {
		return property{}
	}
	return r.property()
}

// declareFunction reads a function. Of its properties, execType is kept as the type of its executions.
func (r *reader) declareFunction() {
	// Clients and servers of calls between processes are functions as others are.
	_ = r.acceptWord("ipc-client") || r.acceptWord("ipc-server")
	if !r.acceptWord("function") {
		r.fail("function")
	}
	c := r.called()
	if r.is('(') {
		r.parenthesized(r.parameter)
	}
	implements := ""
	if r.acceptWord("implements") {
		implements = r.qualified("an operation")
	}
	d, executionType := unset, ""
	r.optional(func() {
		if p := r.settingOrProperty(&d); p.name == "execType" {
			executionType = p.value
		}
	})
	f := r.declare(&r.functions, c, d)
	f.executionType, f.implements = strings.Clone(executionType), strings.Clone(implements)
}

// parenthesized reads what stands in parentheses, with commas between: at least one entry.
func (r *reader) parenthesized(entry func()) {
	r.need('(', "'('")
	entry()
	for r.accept(',') {
		entry()
	}
	r.need(')', "',' or ')'")
}

// parameter reads a parameter and keeps nothing of it.
func (r *reader) parameter() {
	if !r.acceptWord("in") && !r.acceptWord("out") && !r.acceptWord("inout") && !r.acceptWord("return") {
		r.fail("in, out, inout or return before a parameter")
	}
	r.identifier("a parameter")
	if r.is('(') {
		r.parenthesized(func() { r.property() })
	}
}

// qualified reads identifiers with dots between.
func (r *reader) qualified(want string) string {
	id := r.identifier(want)
	for r.accept('.') {
		if id += "." + r.identifier("an identifier after '.'"); len(id) > textfield.MaxName {
			r.fail("a name of at most 4096 bytes")
		}
	}
	return id
}

// declareResource reads a host or an executor.
func (r *reader) declareResource() {
	untraced := r.acceptWord("untraced")
	if r.acceptWord("executor") {
		r.executor("", untraced)
		return
	}
	if !r.acceptWord("host") {
		r.fail("host or executor")
	}
	host := r.called()
	d := unset
	r.optional(func() {
		// An untraced executor of a host is declared in it; nothing else in a host can be untraced.
		unseen := r.acceptWord("untraced")
		switch {
		case r.acceptWord("executor"):
			r.executor(host.id, unseen)
		case unseen:
			r.fail("executor after untraced")
		default:
			r.settingOrProperty(&d)
		}
	})
	r.declare(&r.hosts, host, d).untraced = untraced
}

// executor reads the rest of an executor, which is known as host.executor where it has a host.
func (r *reader) executor(host string, untraced bool) {
	c := r.called()
	owner := int32(-1)
	if host != "" && r.bad.want == "" {
		owner, c.id = r.hosts.of(host), host+"."+c.id
	}
	d := unset
	r.optional(func() { r.settingOrProperty(&d) })
	e := r.declare(&r.executors, c, d)
	e.host, e.untraced = owner, untraced
}
