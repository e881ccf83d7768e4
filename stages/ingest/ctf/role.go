package ctf

import (
	"cmp"
	"slices"
	"strings"
)

// role is the meaning of an event to the reader.
type role uint8

const (
	roleNone        role = iota
	roleEnter            // of the function at an address
	roleExit             // the same
	roleReturn           // of the innermost open call
	rolePairEnter        // of the function that the event's name says
	rolePairExit         // the same
	roleCallback         // a callback of ROS 2 begins
	roleCallbackEnd      // and ends
	roleRegionEnter      // of a region of OTF 2
	roleRegionLeave
	roleInstant    // an execution that takes no time, named by the event
	rolePublish    // a message of ROS 2 is handed to its transport
	roleTake       // and taken from it
	roleWaking     // a thread is about to be woken
	roleWakeup     // a thread can run
	rolePacketOut  // a packet of TCP leaves
	rolePacketIn   // and arrives
	roleHandOver   // a message of ROS 2 is handed over, which its transport writes next
	roleModule     // a module lies at an address
	roleProcess    // the name of a process
	roleSwitch     // a thread runs on a CPU
	roleThread     // the process of a thread, told when the trace begins
	roleFork       // the same of a new thread
	roleDeath      // a thread ends
	roleObject     // a node, topic, timer or callback of ROS 2: see ros.go
	roleDefinition // of OTF 2: see otf.go
	roles
)

// meaning is what events of a name mean, and the fields for that.
type meaning struct {
	role   role
	fields []fieldWanted
	object object // of roleObject and roleDefinition, and of roleTake: what is known of who takes
	unless string // names of events, separated by blanks: where the trace has one of them, it tells the same and this one has no meaning
}

// fieldWanted is a field that goes into a register: the first of some names that the event has.
type fieldWanted struct {
	reg   register
	names string // separated by blanks
	must  bool   // without it the event has no meaning
}

func need(reg register, names string) fieldWanted { return fieldWanted{reg, names, true} }
func want(reg register, names string) fieldWanted { return fieldWanted{reg, names, false} }

var (
	callFields   = []fieldWanted{need(regAddress, "addr")}
	moduleFields = []fieldWanted{need(regAddress, "baddr"), want(regLength, "memsz"), want(regPath, "path"), want(regPic, "is_pic")}
	wakeFields   = []fieldWanted{need(regOther, "tid pid"), want(regPath, "comm")}
	// Tracers of sockets tell the numbers of a segment, those of the network stack all headers, one in the other.
	packetFields = []fieldWanted{
		need(regSequenceNumber, "seq"), need(regAcknowledged, "ack_seq"), want(regFlags, "flags"), want(regPorts, "source_port"), want(regPortTo, "dest_port"),
	}
)

// meanings are those of events that tracers have of themselves.
var meanings = map[string]meaning{
	"lttng_ust_cyg_profile:func_entry":      {role: roleEnter, fields: callFields},
	"lttng_ust_cyg_profile:func_exit":       {role: roleExit, fields: callFields},
	"lttng_ust_cyg_profile_fast:func_entry": {role: roleEnter, fields: callFields},
	"lttng_ust_cyg_profile_fast:func_exit":  {role: roleReturn},
	"lttng_ust_statedump:bin_info":          {role: roleModule, fields: moduleFields},
	"lttng_ust_lib:load":                    {role: roleModule, fields: moduleFields},
	"lttng_ust_dl:dlopen":                   {role: roleModule, fields: moduleFields},
	"lttng_ust_statedump:procname":          {role: roleProcess, fields: []fieldWanted{need(regPath, "procname")}},
	"exit_syscall":                          {role: roleReturn},

	"sched_switch": {role: roleSwitch, fields: []fieldWanted{
		need(regOther, "next_tid next_pid"), want(regPath, "next_comm"), want(regPrevious, "prev_tid prev_pid"), want(regPreviousName, "prev_comm"),
	}},
	"sched_waking":       {role: roleWaking, fields: wakeFields},
	"sched_wakeup":       {role: roleWakeup, fields: wakeFields},
	"sched_wakeup_new":   {role: roleWakeup, fields: wakeFields},
	"sched_process_exit": {role: roleDeath, fields: []fieldWanted{need(regOther, "tid pid")}},
	"sched_process_fork": {role: roleFork, fields: []fieldWanted{
		need(regOther, "child_tid"), need(regOtherProcess, "child_pid"), want(regPath, "child_comm"),
	}},
	"lttng_statedump_process_state": {role: roleThread, fields: []fieldWanted{
		need(regOther, "tid"), need(regOtherProcess, "pid"), want(regPath, "name"),
	}},
	"inet_sock_local_out": {role: rolePacketOut, fields: packetFields},
	"inet_sock_local_in":  {role: rolePacketIn, fields: packetFields},
	"net_dev_queue":       {role: rolePacketOut, fields: packetFields},
	"netif_receive_skb":   {role: rolePacketIn, fields: packetFields},
}

// meaningOf finds the meaning of an event by its name. perf puts the name of the subsystem before that of the event.
func meaningOf(name string) meaning {
	if m, ok := meanings[name]; ok {
		return m
	}
	if short, ok := strings.CutPrefix(name, "sched:"); ok {
		return meanings[short]
	}
	if m, ok := rosMeanings[name]; ok {
		return m
	}
	return otfMeanings[name]
}

// executes reports whether a role is an enter, an exit or a message of the trace.
func (r role) executes() bool { return roleEnter <= r && r <= rolePacketIn }

// calls reports whether a role is one end of a call.
func (r role) calls() bool { return roleEnter <= r && r <= roleRegionLeave }

// isNamed reports whether a role is that of an event whose name alone makes it an execution or one end of one.
func (r role) isNamed() bool { return r == rolePairEnter || r == rolePairExit || r == roleInstant }

// isPacket reports whether an event of a role may have the header of a packet, and may have none.
func (r role) isPacket() bool { return r == rolePacketOut || r == rolePacketIn }

// describes reports whether the trace has events of a name with all that they need to have their meaning.
func (t *tracePlan) describes(name string) bool {
	for _, class := range t.meta.streams {
		for _, e := range class.events {
			if e.name == name && !slices.ContainsFunc(meaningOf(name).fields, func(w fieldWanted) bool {
				return w.must && e.fields.firstOf(strings.Fields(w.names), false) == ""
			}) {
				return true
			}
		}
	}
	return false
}

// assignRole finds the role of an event, and the fields that it needs by their names. One that lacks a field of its role has none.
func (t *tracePlan) assignRole(p *plan) (fields map[string]register) {
	e := p.event
	m := meaningOf(e.name)
	fields = make(map[string]register)
	if slices.ContainsFunc(strings.Fields(m.unless), t.describes) {
		m.role = roleNone
	}
	if m.role == roleReturn && e.name == "exit_syscall" && !t.pairs.calls {
		m.role = roleNone
	}
	for _, w := range m.fields {
		name := e.fields.firstOf(strings.Fields(w.names), m.role.isPacket())
		if name == "" && w.must {
			m.role = roleNone
			break
		}
		if name != "" {
			fields[name] = w.reg
		}
	}
	p.role, p.object = m.role, m.object
	of := t.pairs.of[e.name]
	if of.role == roleInstant {
		p.instant = of.named
	}
	if p.role != roleNone {
		return fields
	}
	clear(fields)
	p.role, p.named, p.interrupt = of.role, of.named, t.kernel && isInterrupt(e.name)
	if t.kernel {
		p.never, p.forks = of.role == rolePairEnter && neverReturns(e.name), of.role == rolePairExit && returnsTwice(e.name)
	}
	p.keys = t.pairs.keys[e.name]
	for i, name := range p.keys {
		fields[name] = regKey + register(i)
	}
	if p.forks && e.fields.field("ret") {
		fields["ret"] = regOther
		p.tellsReturn = true
	}
	return fields
}

// firstOf returns the first of some names that a field has, at any depth where asked for; "" for none.
func (t *typ) firstOf(names []string, deep bool) string {
	for _, name := range names {
		if t != nil && (t.field(name) || deep && t.mentions(name)) {
			return name
		}
	}
	return ""
}

// perfFields are fields of every event of perf that tell where it happened.
var perfFields = []fieldWanted{want(regTid, "perf_tid"), want(regPid, "perf_pid"), want(regEventCPU, "perf_cpu")}

// interrupts begin the names of what the kernel runs in the place of whatever thread runs on the CPU.
var interrupts = []string{"irq_handler_", "irq_softirq_", "softirq_", "irq_tasklet_", "hrtimer_expire_", "timer_hrtimer_expire_",
	"timer_expire_", "timer_timer_expire_", "x86_irq_vectors_"}

// isInterrupt reports whether an event is of an interrupt, which runs on its CPU and not in a thread.
func isInterrupt(name string) bool {
	for _, prefix := range interrupts {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return false
}

// systemCall returns the name of the system call that an event begins or ends, or "".
func systemCall(event string) string {
	for _, prefix := range []string{"syscall_entry_", "syscall_exit_", "sys_", "compat_sys_", "compat_syscall_entry_", "compat_syscall_exit_"} {
		if name, ok := strings.CutPrefix(event, prefix); ok {
			return name
		}
	}
	return ""
}

// neverReturns reports whether an event is the entry of a system call that ends its thread.
func neverReturns(event string) bool {
	call := systemCall(event)
	return call == "exit" || call == "exit_group"
}

// returnsTwice reports whether an event is the exit of a system call that makes a thread or process, which returns from it, too.
func returnsTwice(event string) bool {
	switch systemCall(event) {
	case "clone", "clone3", "fork", "vfork":
		return true
	}
	return false
}

// domain returns who has executions whose names tell no provider: the processes of the kernel, or what the trace says.
func (m *metadata) domain() string {
	if m.env["domain"] == kernelDomain {
		return ""
	}
	return cmp.Or(m.env["domain"], kernelDomain)
}

// kernelDomain is what traces of a kernel say of themselves.
const kernelDomain = "kernel"
