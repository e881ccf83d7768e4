// Package componentmodel reads the components of a program and their interfaces from an .arch file, as defined by
// Tavares de Sousa (Live Visualization of the Execution Behavior of Components, 2016, Listing 6.1), and says which
// component a traced function belongs to.
//
//	FileHandler {
//	    in  fileHost.FileHandler.open(fileHost.data.File)
//	    out fileHost.FileHandler.send(fileHost.data.FileWrapper)
//	}
//	FileEncrypter {
//	    in  fileHost.FileEncrypter.accept(..)
//	}
//	fileHost.FileHandler.send -> fileHost.FileEncrypter.accept
//
// The grammar is
//
//	model      = component {component} {connection}
//	component  = name [number] "{" interface {interface} "}"
//	interface  = ("in" | "out") name "(" {parameter [","]} ")"
//	parameter  = ".." | name {"[]"}
//	connection = name "->" name                    the names of two interfaces
//	name       = word {"." word}
//	word       = ["^"] (letter | "_" | "$") {letter | "_" | "$" | digit}
//
// with the comments of Java. A word that is "in" or "out" needs the "^". The commas, the "$" of inner classes and the
// "[]" of arrays are ours; the paper's grammar has none of them, though Java's names do. Blanks mean nothing. A
// number after a component is read and not used, as in the paper: components are numbered from 1 as they stand,
// and records of package kieker name them by these numbers.
//
// A function of C is a name of one word, and ".." for its parameters saves telling them:
//
//	url { in Curl_connect(..) }
//
// # Which component a function belongs to
//
// That of the interface with its name. A traced name may be all of a signature ("public void a.B.c(d.E, int) throws
// F"), or lack what stands before it or its parameters (a.B.c). Where it has parameters they must be those of the
// interface, in their order, what stands in "<>" aside; ".." stands for any number of parameters of any type. Where
// it has none the first interface of its name holds. A function that is no interface belongs to no component.
//
// # Which connection a call runs over
//
// One from the component that calls to the one that is called, by their names, whose second interface has the function for its own as above.
package componentmodel
