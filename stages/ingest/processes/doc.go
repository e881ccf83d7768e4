// Package processes names what tracers of operating systems only number: processes, their threads, the modules in their
// memory, and what lies at an address. It is the tool of the readers of LTTng's traces, of the binary form (package
// ctf) and of the text that babeltrace2 makes of it (package babeltrace), which must agree in every name.
//
// A thread is a lifeline. It is called by the name of its process, or by what its first event says, and counted by
// first appearance: curl/1, curl/2. Numbers of the operating system are in no name, since they differ from run to run.
// Where a trace does not say which thread runs, the CPU stands for it: cpu/0.
//
// What lies at an address is, from the best source to the poorest, the symbol and its unit (schema.Symbols), the
// address and the file name of the module that was loaded there, or the address and the name of the process. Symbols
// are those of the program, so addresses in libraries (.so) are not looked up. A module that can be loaded anywhere
// has addresses that count from its start. What a process loads counts from then on; it hides what lay there before.
//
// Resolving an address takes a search through modules and symbols, so the result is kept by (address, thread) until a
// module is loaded or a process renamed: calls.go.
package processes
