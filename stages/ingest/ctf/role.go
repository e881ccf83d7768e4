package ctf

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/stages/ingest/processes"
)

// role is the meaning of an event to the reader.
type role uint8

const (
	roleNone      role = iota
	roleEnter          // of the function at an address
	roleExit           // the same
	roleReturn         // of the innermost open call
	rolePairEnter      // of the function that the event's name says
	roleInstant        // the same, and it takes no time
	rolePairExit       // of the function that the event's name says
	roleModule         // a module lies at an address
	roleProcess        // the name of a process
	roleSwitch         // a thread runs on a CPU
)

// roles are those of LTTng's own events.
var roles = map[string]role{
	"lttng_ust_cyg_profile:func_entry":      roleEnter,
	"lttng_ust_cyg_profile:func_exit":       roleExit,
	"lttng_ust_cyg_profile_fast:func_entry": roleEnter,
	"lttng_ust_cyg_profile_fast:func_exit":  roleReturn,
	"lttng_ust_statedump:bin_info":          roleModule,
	"lttng_ust_lib:load":                    roleModule,
	"lttng_ust_dl:dlopen":                   roleModule,
	"lttng_ust_statedump:procname":          roleProcess,
	"sched_switch":                          roleSwitch,
	"exit_syscall":                          roleReturn,
}

var (
	callRegisters   = map[string]register{"addr": regAddress}
	moduleRegisters = map[string]register{"baddr": regAddress, "memsz": regLength, "path": regPath, "is_pic": regPic}
	nameRegisters   = map[string]register{"procname": regPath}
	switchRegisters = map[string]register{"next_tid": regTid, "next_comm": regComm}
)

// registers are the fields that a role needs.
func (r role) registers() map[string]register {
	switch r {
	case roleEnter, roleExit:
		return callRegisters
	case roleModule:
		return moduleRegisters
	case roleProcess:
		return nameRegisters
	case roleSwitch:
		return switchRegisters
	}
	return nil
}

// executes reports whether a role is an event of the trace.
func (r role) executes() bool { return roleEnter <= r && r <= rolePairExit }

// roleOf finds the role of an event. One that lacks the fields of its role has none.
func (t *tracePlan) roleOf(e *eventClass, contexts map[string]register) (role, uint64) {
	if r, ok := roles[e.name]; ok {
		if r == roleSwitch && hasRegister(contexts, regTid) || e.name == "exit_syscall" && !t.pairs.calls {
			return roleNone, 0
		}
		needs := map[role]string{roleEnter: "addr", roleExit: "addr", roleModule: "baddr", roleProcess: "procname", roleSwitch: "next_tid"}[r]
		if needs != "" && !e.fields.field(needs) {
			return roleNone, 0
		}
		return r, 0
	}
	p := t.pairs.of[e.name]
	return p.role, p.named
}

// pairs are the events whose names make them the two ends of an execution.
type pairs struct {
	of    map[string]pair // by the name of an event
	calls bool            // there are system calls whose exits have no name
}

// pair is one end of an execution.
type pair struct {
	role  role   // rolePairEnter, rolePairExit or roleInstant
	named uint64 // the execution's number, see processes.Table.AddNamed
}

// ends are the words that make a pair.
var ends = [][2]string{{"entry", "exit"}, {"enter", "exit"}, {"begin", "end"}, {"start", "stop"}, {"start", "end"}}

// findPairs finds executions whose two ends the metadata describe. LTTng's dumps of its state are no executions.
func findPairs(m *metadata, names *processes.Table) pairs {
	out := pairs{of: make(map[string]pair)}
	there := make(map[string]bool)
	for _, stream := range m.streams {
		for _, e := range stream.events {
			there[e.name] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(there)) {
		if isDump(name) || roles[name] != roleNone {
			continue
		}
		for _, words := range ends {
			if exit, function, ok := otherEnd(name, words); ok && there[exit] && out.of[exit].role == roleNone {
				n := names.AddNamed(m.execution(function))
				out.of[name], out.of[exit] = pair{rolePairEnter, n}, pair{rolePairExit, n}
				break
			}
		}
		if function, ok := oldCall(name); ok && there["exit_syscall"] {
			out.of[name] = pair{rolePairEnter, names.AddNamed(m.execution(function))}
			out.calls = true
		}
	}
	if len(out.of) == 0 {
		out.instants(m, names, slices.Sorted(maps.Keys(there)))
	}
	return out
}

// instants makes executions of no time of all events, if there are none that enter or exit anything.
func (p *pairs) instants(m *metadata, names *processes.Table, events []string) {
	if slices.ContainsFunc(events, func(name string) bool { return roles[name].executes() }) {
		return
	}
	for _, name := range events {
		if roles[name] == roleNone && !isDump(name) {
			p.of[name] = pair{roleInstant, names.AddNamed(m.execution(name))}
		}
	}
}

// isDump reports whether an event is part of LTTng's dumps of its state.
func isDump(name string) bool {
	return strings.HasPrefix(name, "lttng_statedump") || strings.HasPrefix(name, "lttng_ust_statedump")
}

// otherEnd returns the exit that belongs to an enter, and the name of the execution: the word that makes the pair
// is left out, with an underscore.
func otherEnd(name string, words [2]string) (exit, function string, ok bool) {
	parts := strings.Split(name, "_")
	for i := len(parts) - 1; i > 0; i-- {
		if parts[i] == words[0] {
			exit := append([]string(nil), parts...)
			exit[i] = words[1]
			return strings.Join(exit, "_"), strings.Join(append(parts[:i:i], parts[i+1:]...), "_"), true
		}
	}
	return "", "", false
}

// oldCall reports whether an event is the entry of a system call whose exit is exit_syscall.
func oldCall(name string) (string, bool) {
	return name, strings.HasPrefix(name, "sys_") || strings.HasPrefix(name, "compat_sys_")
}

// execution splits the name of an execution at the colon. One without a provider belongs to the domain of the trace.
func (m *metadata) execution(name string) processes.Execution {
	if component, function, ok := strings.Cut(name, ":"); ok && component != "" && function != "" {
		return processes.Execution{Component: processes.Clean([]byte(component)), Function: processes.Clean([]byte(function))}
	}
	domain := m.env["domain"]
	domain = cmp.Or(domain, "kernel")
	return processes.Execution{Component: processes.Clean([]byte(domain)), Function: processes.Clean([]byte(name))}
}
