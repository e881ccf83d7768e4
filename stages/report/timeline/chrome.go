package timeline

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// pathProcess is the process of the critical path; components follow it.
const pathProcess = 1

// chrome writes trace events, one a line.
type chrome struct {
	*bufio.Writer          // buffers the output; its first error is that of Flush
	w             *Window  // what is written
	begun         bool     // an event was written, so the next one needs a comma
	process       []int    // by component; 0 where it has no execution in the window
	functions     []string // their names as JSON strings, by code
	details       bool     // events have args
}

// WriteChrome writes the window as a Chrome trace, with args where details are asked for; see the package comment.
func WriteChrome(out io.Writer, w *Window, details bool) error {
	c := &chrome{Writer: bufio.NewWriter(out), w: w, details: details}
	c.functions = quoted(&w.names().Functions)
	e := newEvents(w.Executions)
	// The object begins with what the file is of; times are those of the window, since the first event of the run.
	fmt.Fprintf(c, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"run\":%s,\"from_ns\":\"%d\",\"to_ns\":\"%d\"},\n\"traceEvents\":[",
		quote(w.Run), w.FromNs-w.OriginNs, w.ToNs-w.OriginNs)
	// Names come first, so that viewers know processes and threads when their events come.
	rows := inOrder(w.Executions)
	c.nameProcesses(rows)
	c.executions(rows)
	c.messages(e)
	c.path()
	fmt.Fprint(c, "\n]}\n")
	return c.Flush()
}

// quote makes a JSON string; what UTF-8 does not know becomes U+FFFD.
func quote(s string) string {
	b, _ := json.Marshal(s) // a string always has a form
	return string(b)
}

// quoted are the names of a dictionary as JSON strings, by code: each is made once.
func quoted(d *schema.Dictionary) []string {
	all := make([]string, d.Len())
	for i := range all {
		all[i] = quote(d.Name(schema.Code(i)))
	}
	return all
}

// event begins an event.
func (c *chrome) event(format string, args ...any) {
	if c.begun {
		c.WriteByte(',')
	}
	c.begun = true
	c.WriteString("\n")
	fmt.Fprintf(c, format, args...)
}

// micros is a span of time in microseconds, with its nanoseconds.
type micros int64

// String writes all three decimals: trace viewers read the number as a float, and nanoseconds must survive.
func (m micros) String() string {
	sign := ""
	if m < 0 {
		sign, m = "-", -m
	}
	return fmt.Sprintf("%s%d.%03d", sign, m/1000, m%1000)
}

// ts is a time of the trace as the file counts it.
func (c *chrome) ts(ns int64) micros { return micros(ns - c.w.OriginNs) }

// nameProcesses numbers the components and names them and their lifelines, in the order of their first starts.
func (c *chrome) nameProcesses(rows []int32) {
	x, names := c.w.Executions, c.w.names()
	c.process = make([]int, names.Components.Len())
	seen := make([]bool, names.Lifelines.Len())
	// The path has the first process, whether there is one or not, so that components have the same numbers.
	last := pathProcess
	if len(c.w.Path) > 0 {
		c.nameProcess(last, "critical path")
	}
	for _, row := range rows {
		component, lifeline := x.Component[row], x.Lifeline[row]
		if c.process[component] == 0 {
			last++
			c.process[component] = last
			c.nameProcess(last, names.Components.Name(component))
		}
		if !seen[lifeline] {
			seen[lifeline] = true
			c.event(`{"ph":"M","name":"thread_name","pid":%d,"tid":%d,"args":{"name":%s}}`,
				c.process[component], thread(lifeline), quote(names.Lifelines.Name(lifeline)))
		}
	}
}

// nameProcess names a process and puts it in its place among the others, in the order of their numbers.
func (c *chrome) nameProcess(pid int, name string) {
	c.event(`{"ph":"M","name":"process_name","pid":%d,"args":{"name":%s}}`, pid, quote(name))
	c.event(`{"ph":"M","name":"process_sort_index","pid":%d,"args":{"sort_index":%d}}`, pid, pid)
}

// thread is the thread of a lifeline; 0 would mean the idle thread.
func thread(lifeline schema.Code) int { return int(lifeline) + 1 }

// executions writes a slice for every execution. The UI sorts by ts and leaves ties as they stand, so callers come
// before what they call at the same time.
func (c *chrome) executions(rows []int32) {
	x := c.w.Executions
	for _, row := range rows {
		if c.w.moment(int(row)) {
			c.event(`{"ph":"i","s":"t","cat":"event","name":%s,"pid":%d,"tid":%d,"ts":%v}`,
				c.functions[x.Function[row]], c.process[x.Component[row]], thread(x.Lifeline[row]), c.ts(x.StartNs[row]))
			continue
		}
		c.event(`{"ph":"X","cat":"execution","name":%s,"pid":%d,"tid":%d,"ts":%v,"dur":%v`,
			c.functions[x.Function[row]], c.process[x.Component[row]], thread(x.Lifeline[row]), c.ts(x.StartNs[row]), micros(max(x.FinishNs[row]-x.StartNs[row], 0)))
		if c.details {
			fmt.Fprintf(c, `,"args":{"execution":%d,"depth":%d`, x.Execution[row], x.Depth[row])
			if x.Synthetic[row] {
				c.WriteString(`,"synthetic":true`)
			}
			c.WriteByte('}')
		}
		c.WriteByte('}')
	}
}

// place is where an event stands in the file.
type place struct {
	pid, tid int   // numbers of component and lifeline in the file
	ns       int64 // in trace time
}

// place finds the slice of an event. An event of the window that is no end of an execution is a further message of
// the one before it; the lifeline of such an event outside the window is not known.
func (c *chrome) place(e *events, component schema.Code, seq, ns int64) (place, bool) {
	at, exact, found := e.find(component, seq)
	if !found || !exact && !c.w.inside(ns) {
		return place{}, false
	}
	// At its very end a slice is closed already: a flow binds to it one nanosecond earlier, unless it has no length.
	if at.finish && e.x.FinishNs[at.row] > e.x.StartNs[at.row] {
		ns--
	}
	return place{c.process[component], thread(e.x.Lifeline[at.row]), ns}, true
}

// messages writes a flow for every message with both ends in the file, and an instant for one end alone.
func (c *chrome) messages(e *events) {
	m, names := c.w.Messages, c.w.names()
	for id, i := range bySend(m) {
		name := quote(c.w.messageName(m, int(i)))
		sent, isSent := c.place(e, m.Sender[i], m.SendSeq[i], m.SendNs[i])
		received, isReceived := c.place(e, m.Receiver[i], m.ReceiveSeq[i], m.ReceiveNs[i])
		// Both ends: a flow. A receipt is never before its send, since viewers draw no flow backwards.
		switch {
		case isSent && isReceived:
			c.event(`{"ph":"s","cat":"message","name":%s,"id":%d,"pid":%d,"tid":%d,"ts":%v}`, name, id+1, sent.pid, sent.tid, c.ts(sent.ns))
			c.event(`{"ph":"f","bp":"e","cat":"message","name":%s,"id":%d,"pid":%d,"tid":%d,"ts":%v}`,
				name, id+1, received.pid, received.tid, c.ts(max(received.ns, sent.ns)))
		case isSent:
			c.instant(sent, "to "+names.Components.Name(m.Receiver[i])+": "+c.w.messageName(m, int(i)))
		case isReceived:
			c.instant(received, "from "+names.Components.Name(m.Sender[i])+": "+c.w.messageName(m, int(i)))
		}
	}
}

// instant writes a mark on a thread.
func (c *chrome) instant(p place, name string) {
	c.event(`{"ph":"i","s":"t","cat":"message","name":%s,"pid":%d,"tid":%d,"ts":%v}`, quote(name), p.pid, p.tid, c.ts(p.ns))
}

// path writes the steps of the critical path, each on the first thread that is free. Steps touch, so that a begin and
// an end of their own have the very same time (some readers want to know both by name); readers that add a duration in floating point would see them overlap.
func (c *chrome) path() {
	steps := slices.Clone(c.w.Path)
	slices.SortFunc(steps, func(x, y Step) int {
		return cmp.Or(cmp.Compare(x.SourceNs, y.SourceNs), cmp.Compare(x.TargetNs, y.TargetNs), cmp.Compare(x.Target, y.Target), cmp.Compare(x.Source, y.Source))
	})
	// Steps that overlap, which clocks apart can make, are on threads of their own; otherwise there is one.
	var busyUntil []int64
	for _, s := range steps {
		t := slices.IndexFunc(busyUntil, func(ns int64) bool { return ns <= s.SourceNs })
		if t < 0 {
			t = len(busyUntil)
			busyUntil = append(busyUntil, 0)
			c.event(`{"ph":"M","name":"thread_name","pid":%d,"tid":%d,"args":{"name":"critical path"}}`, pathProcess, t+1)
		}
		busyUntil[t] = s.TargetNs
		about := fmt.Sprintf(`"cat":"critical path","name":%s,"pid":%d,"tid":%d`, quote(c.w.stepName(&s)), pathProcess, t+1)
		if c.details {
			about += fmt.Sprintf(`,"args":{"source":%d,"target":%d,"critical":%t}`, s.Source, s.Target, s.Critical)
		}
		c.event(`{"ph":"B","ts":%v,%s}`, c.ts(s.SourceNs), about)
		c.event(`{"ph":"E","ts":%v,%s}`, c.ts(max(s.TargetNs, s.SourceNs)), about)
	}
}

// end is an end of an execution: the event that enters or leaves it.
type end struct {
	seq       int64       // of the event
	component schema.Code // of the execution
	row       int32       // in Executions
	finish    bool        // it is the finish; otherwise the start
}

// events finds the executions to which events belong.
type events struct {
	x    *schema.Executions
	ends []end // by component and sequence number
}

// newEvents sorts the ends of executions, so that an event is found by bisection and no map is needed.
func newEvents(x *schema.Executions) *events {
	e := &events{x: x, ends: make([]end, 0, 2*len(x.Execution))}
	for i := range x.Execution {
		e.ends = append(e.ends, end{x.Execution[i], x.Component[i], int32(i), false}, end{x.FinishSeq[i], x.Component[i], int32(i), true})
	}
	slices.SortFunc(e.ends, compareEnds)
	return e
}

// compareEnds orders by component, as messages know the component of their events and not the lifeline.
func compareEnds(x, y end) int {
	return cmp.Or(cmp.Compare(x.component, y.component), cmp.Compare(x.seq, y.seq))
}

// find returns the end of an execution that is the event, or, for a further message of an event, the one before it
// on its component. It is not exact, and may be another lifeline's, where the event's own is not in the window.
func (e *events) find(component schema.Code, seq int64) (at end, exact, found bool) {
	i, exact := slices.BinarySearchFunc(e.ends, end{component: component, seq: seq}, compareEnds)
	if !exact {
		i--
	}
	if i < 0 || e.ends[i].component != component {
		return end{}, false, false
	}
	return e.ends[i], exact, true
}

// level is how many executions are open on the lifeline right after the event.
func (e *events) level(at end) int {
	depth := int(e.x.Depth[at.row])
	if at.finish {
		return depth
	}
	return depth + 1
}

// inOrder returns the rows of executions in the order of their starts, in which callers precede what they call.
func inOrder(x *schema.Executions) []int32 {
	rows := make([]int32, len(x.Execution))
	for i := range rows {
		rows[i] = int32(i)
	}
	slices.SortFunc(rows, func(a, b int32) int { return cmp.Compare(x.Execution[a], x.Execution[b]) })
	return rows
}

// bySend returns the rows of messages in the order of their send events.
func bySend(m *schema.Messages) []int32 {
	rows := make([]int32, len(m.SendSeq))
	for i := range rows {
		rows[i] = int32(i)
	}
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(m.SendSeq[a], m.SendSeq[b]), cmp.Compare(m.ReceiveSeq[a], m.ReceiveSeq[b]))
	})
	return rows
}
