package main

// makeCompletes writes complete events as Chromium does: each where it ends, with its arguments.
// The events come in the order of their ends, so the reader has to sort them by their starts.
func makeCompletes(f *folder, events int) {
	out := f.create("trace.json")
	out.say(`{"traceEvents":[`)
	var open [threads][]step // enters of the open calls of each thread
	comma := ""              // before every event but the first
	walk(events, func(s step) {
		// A span is written when it ends; until then its start is kept on the stack of its thread.
		stack := &open[s.thread]
		if s.enters {
			*stack = append(*stack, s)
			return
		}
		from := (*stack)[len(*stack)-1].ns // the enter of the innermost open call, ns
		*stack = (*stack)[:len(*stack)-1]
		// Times are microseconds with three digits behind the point, as Chromium writes nanoseconds.
		out.say(`%s{"pid":701,"tid":%d,"ts":%d.%03d,"ph":"X","cat":"toplevel","name":"Function%d","args":{"src_file":"base/unit_%d.cc","src_func":"Run"},"dur":%d.%03d,"tts":%d}`,
			comma, 701+s.thread, from/1000, from%1000, s.function, s.function%units, (s.ns-from)/1000, (s.ns-from)%1000, from/1000)
		comma = ",\n"
	})
	out.say(`],"metadata":{"clock-domain":"LINUX_CLOCK_MONOTONIC"}}`)
}

// makeBegins writes begins and ends as tracers of functions do.
// The events are in order already: it is the least work that a reader of this format may have.
func makeBegins(f *folder, events int) {
	out := f.create("trace.json")
	out.say(`{"traceEvents":[`)
	comma := ""
	walk(events, func(s step) {
		phase := 'E'
		if s.enters {
			phase = 'B'
		}
		out.say(`%s{"name":"function_%d","cat":"unit_%d","ph":"%c","ts":%d.%03d,"pid":701,"tid":%d}`,
			comma, s.function, s.function%units, phase, s.ns/1000, s.ns%1000, 701+s.thread)
		comma = ",\n"
	})
	out.say(`]}`)
}

// makeJaeger writes traces as the API gives them out.
// Every span repeats three tags, as real ones have at least; processes are listed behind the spans.
func makeJaeger(f *folder, events int) {
	out := f.create("traces.json")
	out.say(`{"data":[`)
	requests(events, func(r int, spans []span) { // r counts requests from 0
		if r > 0 {
			out.say(",")
		}
		out.say(`{"traceID":"%016x","spans":[`, spans[0].trace) // all spans of a request have one trace
		for i, s := range spans {
			if i > 0 {
				out.say(",")
			}
			out.say(`{"traceID":"%016x","spanID":"%016x","flags":1,"operationName":"POST /%s","references":[`, s.trace, s.id, s.calls())
			if s.parent != 0 {
				out.say(`{"refType":"CHILD_OF","traceID":"%016x","spanID":"%016x"}`, s.trace, s.parent)
			}
			// Times are whole microseconds, so the reader sees times that were cut.
			out.say(`],"startTime":%d,"duration":%d,"tags":[{"key":"span.kind","type":"string","value":"%s"},`, s.startNs/1000, (s.endNs-s.startNs)/1000, s.kind())
			out.say(`{"key":"http.method","type":"string","value":"POST"},{"key":"http.status_code","type":"int64","value":200},`)
			out.say(`{"key":"internal.span.format","type":"string","value":"proto"}],"logs":[],"processID":"p%d","warnings":null}`, i/2+1)
		}
		out.say(`],"processes":{`)
		// Processes are numbered from 1; a client and its server belong to the services of their positions.
		for p := range services {
			if p > 0 {
				out.say(",")
			}
			out.say(`"p%d":{"serviceName":"%s","tags":[{"key":"hostname","type":"string","value":"host-%d"}]}`, p+1, services[p], p)
		}
		out.say(`},"warnings":null}`)
	})
	out.say(`],"total":0,"limit":0,"offset":0,"errors":null}`)
}

// makeZipkin writes traces as the API gives them out.
// It is a list of traces, each a list of spans.
func makeZipkin(f *folder, events int) {
	out := f.create("traces.json")
	requests(events, func(r int, spans []span) { // r as above
		for i, s := range spans {
			// The first span of the first request opens the list of traces, that of any other its own list.
			switch {
			case i > 0:
				out.say(",")
			case r > 0:
				out.say(",[")
			default:
				out.say("[[")
			}
			out.say(`{"traceId":"%016x","id":"%016x",`, s.trace, s.id)
			if s.parent != 0 {
				out.say(`"parentId":"%016x",`, s.parent)
			}
			kind := "CLIENT"
			if s.server {
				kind = "SERVER"
			}
			// Times are whole microseconds here, too.
			out.say(`"kind":"%s","name":"post /%s","timestamp":%d,"duration":%d,`, kind, s.calls(), s.startNs/1000, (s.endNs-s.startNs)/1000)
			out.say(`"localEndpoint":{"serviceName":"%s","ipv4":"10.0.0.%d"},"tags":{"http.method":"POST","http.path":"/%s","http.status_code":"200"}}`, s.where(), i/2, s.calls())
		}
		out.say("]")
	})
	out.say("]")
}

// makeSpanTable writes traces as a table with a line for each span.
func makeSpanTable(f *folder, events int) {
	out := f.create("spans.csv")
	out.say("trace_id,span_id,parent_id,service,name,kind,start_ns,end_ns,status\n")
	requests(events, func(_ int, spans []span) {
		for _, s := range spans {
			kind := "client"
			if s.server {
				kind = "server"
			}
			// The table has nanoseconds and needs no cut; the status is empty, which is no failure.
			out.say("%016x,%016x,%016x,%s,post /%s,%s,%d,%d,\n", s.trace, s.id, s.parent, s.where(), s.calls(), kind, s.startNs, s.endNs)
		}
	})
}
