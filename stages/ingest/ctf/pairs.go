package ctf

import (
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// pairs are the events whose names make them the two ends of an execution.
type pairs struct {
	of    map[string]pair     // by the name of an event
	keys  map[string][]string // by the name of an event: fields that tell which ends belong together
	calls bool                // there are system calls whose exits have no name
}

// pair is one end of an execution.
type pair struct {
	role  role   // rolePairEnter, rolePairExit or roleInstant
	named uint64 // the execution's number, see processes.Table.AddNamed
}

// ends are the words that make a pair.
var ends = [][2]string{{"entry", "exit"}, {"enter", "exit"}, {"begin", "end"}, {"start", "stop"}, {"start", "end"}}

// findPairs finds executions whose two ends the metadata describe: those that the user gives, and those whose names say so. LTTng's
// dumps of its state are no executions.
func findPairs(m *metadata, names *processes.Table, given map[string]string) pairs {
	out := pairs{of: make(map[string]pair)}
	there := m.eventNames()
	for _, begin := range slices.Sorted(maps.Keys(given)) {
		if end := given[begin]; there[begin] && there[end] {
			n := names.AddNamed(m.execution(commonName(begin, end)))
			out.of[begin], out.of[end] = pair{rolePairEnter, n}, pair{rolePairExit, n}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if isDump(name) || meaningOf(name).role != roleNone || out.of[name].role != roleNone {
			continue
		}
		for _, words := range ends {
			if exit, function, ok := otherEnd(name, words); ok && there[exit] && out.of[exit].role == roleNone {
				n := names.AddNamed(m.execution(function))
				out.of[name], out.of[exit] = pair{rolePairEnter, n}, pair{rolePairExit, n}
				break
			}
		}
		// A call that never returns may have no exit that is described.
		if out.of[name].role == roleNone && m.env["domain"] == kernelDomain && neverReturns(name) && !strings.Contains(name, "syscall_exit_") {
			out.of[name] = pair{rolePairEnter, names.AddNamed(m.execution(strings.Replace(name, "_entry_", "_", 1)))}
			continue
		}
		if function, ok := oldCall(name); ok && there["exit_syscall"] {
			out.of[name] = pair{rolePairEnter, names.AddNamed(m.execution(function))}
			out.calls = true
		}
	}
	return out
}

// commonName is what the names of two ends have in common: without the words that make a pair, or else up to the separator before
// where they differ, or else all of the first.
func commonName(begin, end string) string {
	for _, words := range ends {
		if exit, function, ok := otherEnd(begin, words); ok && exit == end {
			return function
		}
	}
	n := 0
	for n < len(begin) && n < len(end) && begin[n] == end[n] {
		n++
	}
	if common := strings.TrimRight(begin[:n], separators); common != "" && !strings.HasSuffix(common, ":") {
		return common
	}
	return begin
}

// findInstants makes executions of no time of all events, for a trace in which nothing enters or exits anything.
func findInstants(m *metadata, names *processes.Table) pairs {
	out := pairs{of: make(map[string]pair)}
	for _, name := range slices.Sorted(maps.Keys(m.eventNames())) {
		if role := meaningOf(name).role; !isDump(name) && role != roleModule && role != roleObject && role != roleDefinition {
			out.of[name] = pair{roleInstant, names.AddNamed(m.execution(name))}
		}
	}
	return out
}

// eventNames are the names of all events that are described.
func (m *metadata) eventNames() map[string]bool {
	there := make(map[string]bool)
	for _, stream := range m.streams {
		for _, e := range stream.events {
			there[e.name] = true
		}
	}
	return there
}

// isDump reports whether an event is part of LTTng's dumps of its state.
func isDump(name string) bool {
	return strings.HasPrefix(name, "lttng_statedump") || strings.HasPrefix(name, "lttng_ust_statedump")
}

// otherEnd returns the exit that belongs to an enter, and the name of the execution: the last word that makes the pair is
// left out, with what separates it from the words before it.
func otherEnd(name string, words [2]string) (exit, function string, ok bool) {
	for end := len(name); end > 0; {
		at := strings.LastIndexAny(name[:end], separators)
		if at < 0 {
			break
		}
		if name[at+1:end] == words[0] {
			return name[:at+1] + words[1] + name[end:], name[:at] + name[end:], at > 0
		}
		end = at
	}
	return "", "", false
}

// separators are what tracers put between the words of a name: lttng_begin, lib.eal.service.run.begin, task-begin. A
// colon stands behind the provider.
const separators = "_.-/"

// oldCall reports whether an event is the entry of a system call whose exit is exit_syscall.
func oldCall(name string) (string, bool) {
	return name, strings.HasPrefix(name, "sys_") || strings.HasPrefix(name, "compat_sys_")
}

// execution splits the name of an execution at the colon. One without a provider belongs to the domain of the trace.
func (m *metadata) execution(name string) processes.Execution {
	if component, function, ok := strings.Cut(name, ":"); ok && component != "" && function != "" {
		return processes.Execution{Component: processes.Clean([]byte(component)), Function: processes.Clean([]byte(function))}
	}
	return processes.Execution{Component: processes.Clean([]byte(m.domain())), Function: processes.Clean([]byte(name))}
}
