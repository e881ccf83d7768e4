package otf1

import (
	"path"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/symbols"
)

// tracerGroup is the function group of the tracer's own functions, such as flush and sync.
const tracerGroup = "VT_API"

// libraries are the function groups that VampirTrace makes of itself: that of functions without a group, its own,
// and those of the libraries whose calls it wraps. They say nothing about the parts of a program.
var libraries = []string{"Application", tracerGroup, "MPI", "MPI I/O", "OMP", "OMP-API", "OMP-LOOP", "OMP-SYNC", "OMP-PREG",
	"PTHREAD", "PTHREAD_API", "LIBC", "LIBC-IO", "I/O", "MEM", "CUDART_API", "JVM", "PLUGIN"}

// chooseComponent is the option, or the default that the package comment tells.
func (d *definitions) chooseComponent(option string) string {
	switch telling, files := d.telling(); {
	case option != "":
		return option
	case telling > 0 || d.ours():
		return byGroup
	case d.several():
		return byProcess
	case files > 1:
		return byFile
	}
	return byGroup
}

// telling counts the groups of functions that are not of libraries, and the source files of functions.
func (d *definitions) telling() (telling, several int) {
	// Only groups and files that functions have count; definitions that nothing uses say nothing.
	used, sources := make(map[string]bool), make(map[uint64]bool)
	for _, f := range d.functions {
		if name := d.names[groups][f.group]; name != "" && !slices.Contains(libraries, name) {
			used[name] = true
		}
		if file := d.lines[f.scl]; file != 0 {
			sources[file] = true
		}
	}
	return len(used), len(sources)
}

// several reports whether there is more than one process, threads aside.
func (d *definitions) several() bool {
	n := 0
	for _, p := range d.processes {
		if !p.thread {
			n++
		}
	}
	return n > 1
}

// ours reports whether this project's writer made the trace.
func (d *definitions) ours() bool { return strings.HasPrefix(d.creator, writer) }

// writer begins the creator of what this project writes.
const writer = "Tracelake"

// sourceNames are the files of functions as components: cleaned paths below the folder that they have in common.
// What lies below /usr belongs to the system, and names that are no absolute paths stay as they are.
func (d *definitions) sourceNames() map[uint64]string {
	names, root := make(map[uint64]string), ""
	first := true
	for token, name := range d.names[files] {
		names[token] = name
		if !path.IsAbs(name) {
			continue
		}
		// Files of the system stay out of the common folder: they would make it the root.
		name = path.Clean(name)
		if names[token] = name; strings.HasPrefix(name, "/usr/") {
			continue
		}
		if folder := path.Dir(name); first {
			root, first = folder, false
		} else {
			root = symbols.CommonFolder(root, folder)
		}
	}
	// Names in the common folder lose it; others stay whole.
	for token, name := range names {
		if below, ok := strings.CutPrefix(name, strings.TrimSuffix(root, "/")+"/"); ok && !first {
			names[token] = below
		}
	}
	return names
}
