// Package skewed makes traces of a service that calls a service that calls a database, each with a clock of its own, in several
// formats. Only tests import it: what is true of the traces is known to the nanosecond.
//
// front works 0.5 ms, calls back (0.2 ms on the way), which works 1 ms, asks db (0.15 ms on the way), which works 3 ms; the way
// back is the same, and everything is up to 10 % longer at random. Clocks change what a trace shows, never what happens.
package skewed

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
)

// Epoch is the time at which traces start, ns since 1970.
const Epoch = 1_700_000_000_000_000_000

// Clock is by how much a clock is ahead: by AheadNs, what it gains, and from StepAtNs of the trace on StepNs.
type Clock struct {
	AheadNs          int64
	GainsPpm         float64
	StepAtNs, StepNs int64
}

// Shown is what the clock shows at a time of the trace, ns since 1970.
func (c Clock) Shown(t int64) int64 {
	shown := Epoch + t + c.AheadNs + int64(math.Round(c.GainsPpm*1e-6*float64(t)))
	if c.StepNs != 0 && t >= c.StepAtNs {
		shown += c.StepNs
	}
	return shown
}

// Trace is what happens, and by which clocks.
type Trace struct {
	Requests int
	EveryNs  int64 // from the start of one request to that of the next; requests overlap below 8 ms
	Seed     uint64
	Clocks   map[string]Clock // by instance: front-1, back-1, back-2, db-1
	Internal bool             // spans do not say which side of a call they are
	Pods     bool             // every other request has its part of back on the instance back-2
}

// span is an execution of a request.
type span struct {
	service, instance, name, kind string
	id, parent                    int // from 1; 0: the request begins with it
	from, to                      int64
}

// requests are the spans of every request, callers before what they call, with times of the trace.
func (t *Trace) requests() (all [][]span) {
	rng := rand.New(rand.NewPCG(t.Seed, 21))
	for r := range t.Requests {
		at, times := 1_000_000+int64(r)*t.EveryNs, []int64(nil)
		for _, step := range []int64{0, 500_000, 200_000, 1_000_000, 150_000, 3_000_000, 150_000, 1_000_000, 200_000, 500_000} {
			at += step + rng.Int64N(step/10+1)
			times = append(times, at)
		}
		back := "back-1"
		if t.Pods && r%2 == 1 {
			back = "back-2"
		}
		spans := []span{
			{"front", "front-1", "GET", "server", 1, 0, times[0], times[9]}, {"front", "front-1", "call", "client", 2, 1, times[1], times[8]},
			{"back", back, "handle", "server", 3, 2, times[2], times[7]}, {"back", back, "query", "client", 4, 3, times[3], times[6]},
			{"db", "db-1", "select", "server", 5, 4, times[4], times[5]},
		}
		for i := range spans {
			if t.Internal {
				spans[i].kind = "internal"
			}
		}
		all = append(all, spans)
	}
	return all
}

// shown is a time as the clock of an instance shows it.
func (t *Trace) shown(instance string, ns int64) int64 { return t.Clocks[instance].Shown(ns) }

// OTLP is the trace as JSON of OpenTelemetry.
func (t *Trace) OTLP() string {
	kinds := map[string]int{"internal": 1, "server": 2, "client": 3}
	var out []string
	for r, spans := range t.requests() {
		for _, s := range spans {
			parent := ""
			if s.parent > 0 {
				parent = fmt.Sprintf(`"parentSpanId":"%016x",`, 10*r+s.parent)
			}
			out = append(out, fmt.Sprintf(`{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"%s"}},{"key":"host.name","value":{"stringValue":"%s"}},`+
				`{"key":"service.instance.id","value":{"stringValue":"%s"}}]},"scopeSpans":[{"spans":[{"traceId":"%032x","spanId":"%016x",%s"name":"%s","kind":%d,`+
				`"startTimeUnixNano":"%d","endTimeUnixNano":"%d"}]}]}`, s.service, s.instance, s.instance, r+1, 10*r+s.id, parent, s.name, kinds[s.kind],
				t.shown(s.instance, s.from), t.shown(s.instance, s.to)))
		}
	}
	return `{"resourceSpans":[` + strings.Join(out, ",") + "]}"
}

// Jaeger is the trace as an answer of Jaeger's API, whose times are cut to microseconds.
func (t *Trace) Jaeger() string {
	var traces []string
	for r, spans := range t.requests() {
		var out []string
		processes := make(map[string]string)
		for _, s := range spans {
			references := ""
			if s.parent > 0 {
				references = fmt.Sprintf(`{"refType":"CHILD_OF","traceID":"%x","spanID":"%x"}`, r+1, 10*r+s.parent)
			}
			from, to := t.shown(s.instance, s.from)/1000, t.shown(s.instance, s.to)/1000
			out = append(out, fmt.Sprintf(`{"traceID":"%x","spanID":"%x","operationName":"%s","references":[%s],"startTime":%d,"duration":%d,`+
				`"tags":[{"key":"span.kind","type":"string","value":"%s"}],"processID":"%s"}`, r+1, 10*r+s.id, s.name, references, from, to-from, s.kind, s.instance))
			processes[s.instance] = fmt.Sprintf(`"%s":{"serviceName":"%s","tags":[{"key":"ip","type":"string","value":"%s"}]}`, s.instance, s.service, s.instance)
		}
		var of []string
		for _, text := range processes {
			of = append(of, text)
		}
		slices.Sort(of)
		traces = append(traces, fmt.Sprintf(`{"traceID":"%x","spans":[%s],"processes":{%s}}`, r+1, strings.Join(out, ","), strings.Join(of, ",")))
	}
	return `{"data":[` + strings.Join(traces, ",\n") + "]}"
}

// Zipkin is the trace as a list of spans of Zipkin's API, whose times are cut to microseconds.
func (t *Trace) Zipkin() string {
	addresses := map[string]string{"front-1": "10.0.0.1", "back-1": "10.0.0.2", "back-2": "10.0.0.3", "db-1": "10.0.0.4"}
	var out []string
	for r, spans := range t.requests() {
		for _, s := range spans {
			more := ""
			if s.parent > 0 {
				more = fmt.Sprintf(`"parentId":"%x",`, 10*r+s.parent)
			}
			if !t.Internal {
				more += fmt.Sprintf(`"kind":"%s",`, strings.ToUpper(s.kind))
			}
			from, to := t.shown(s.instance, s.from)/1000, t.shown(s.instance, s.to)/1000
			out = append(out, fmt.Sprintf(`{"traceId":"%x","id":"%x",%s"name":"%s","timestamp":%d,"duration":%d,"localEndpoint":{"serviceName":"%s","ipv4":"%s"}}`,
				r+1, 10*r+s.id, more, s.name, from, to-from, s.service, addresses[s.instance]))
		}
	}
	return "[" + strings.Join(out, ",\n") + "]"
}

// Text is the trace in the dialect of the thesis, its lines in the order of the times shown. Components are those of services.
func (t *Trace) Text() string {
	type line struct {
		ns   int64
		text string
	}
	var lines []line
	for r, spans := range t.requests() {
		for i, s := range spans {
			entered, left := "", ""
			switch s.id {
			case 2, 4: // a call sends a request, and receives the reply
				entered, left = fmt.Sprintf(" !%d", 4*r+i-1), fmt.Sprintf(" ?%d", 4*r+i)
			case 3, 5:
				entered, left = fmt.Sprintf(" ?%d", 4*r+i-2), fmt.Sprintf(" !%d", 4*r+i-1)
			}
			lines = append(lines, line{t.shown(s.instance, s.from), s.service + " > " + s.name + entered}, line{t.shown(s.instance, s.to), s.service + " < " + s.name + left})
		}
	}
	slices.SortStableFunc(lines, func(a, b line) int { return int(a.ns - b.ns) })
	var out strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&out, "%d %s\n", l.ns, l.text)
	}
	return out.String()
}
