// Package components learns one automaton for every component of a trace and composes them: Constructive Model Inference
// as MIDS has it (github.com/TNO/MIDS, commit 9ae50b1; Hooimeijer et al. 2022; Hilbig 2023, section 2.2).
//
// # Models
//
// Every event gets a name (Event) from the operation and the execution type of its function and, where it has a message,
// of the function at the other end. Both ends of a message have the same name, declared by the component that sends,
// so that models of components that run side by side take the step together. The events of a lifeline are cut into words, the
// occurrences of service fragments, as package automata does. The words of a component make a prefix tree, which is
// minimised, and its accepting state merged into the initial one: a component executes one fragment after the
// other, in any order. A lifeline is what MIDS calls a component; Options.ByComponent makes one model of all
// lifelines of a component instead.
//
// Operations are those of the events' annotations (schema.NoteInterface, schema.NoteOperation). Where a trace does not
// say what a function implements, the other end of its message says; where neither does, the component that handles a call
// stands for the interface and its function for the operation. Execution types that the trace does not have are told by
// its messages (types.go), and else are "unkn". MIDS refuses such traces. It also refuses names with "__", which become "_"
// here; two names that become one are an error.
//
// # Operations
//
// The eleven post-processing operations of MIDS make new models of given ones (Operation). They treat data and silent
// steps as MIDS does: AddAsynchronousPatternConstraints takes and gives both; ModifyRepetitions may add both; all
// others write data out into states first (Model.Plain), and all but PrefixClose minimise silent steps away. Where MIDS
// returns a model that it did not minimise, so does this package, but RenameComponent, which minimises: a model that is
// minimal stays as it is.
//
// # Systems
//
// Compose makes an asynchronous system of the models, which need not take their steps together: messages wait in
// buffers. A replay reports whether it accepts the trace, and how much room it needs.
//
// # Files and tables
//
// WriteCIF writes models as MIDS does, in CIF 3, and ReadCIF reads such files; Set.Rows and Rows.Set do the same with tables.
package components
