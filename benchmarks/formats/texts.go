package main

import (
	"fmt"
	"strings"
)

// texts are short traces of the formats that Parsers read, by the name of the format.
var texts = map[string]string{
	"thesis": exchangesText(func(ns int, component, sign, function, id string) string {
		return fmt.Sprintf("0.%09d %s %s %s%s\n", ns, component, sign, function, id)
	}),
	"tmsctrace": exchangesText(func(ns int, component, sign, function, id string) string {
		return fmt.Sprintf("0.%09d E_%s %s %s %s%s\n", ns, component, component, sign, function, id)
	}),
	"table": tableText(),
	"tmsct": tmsctText(),
}

// exchangesText writes a client that asks a server thirty times, in the words of a dialect.
func exchangesText(line func(ns int, component, sign, function, id string) string) string {
	var b strings.Builder
	for i := range 30 {
		// A request Q and its reply R, each with the mark of its end: ! sends, ? receives.
		for k, s := range []struct{ component, sign, function, id string }{
			{"client", ">", "fetch", ""}, {"client", ">", "lookup", " !Q"}, {"server", ">", "lookup", " ?Q"},
			{"server", "<", "lookup", " !R"}, {"client", "<", "lookup", " ?R"}, {"client", "<", "fetch", ""},
		} {
			id := s.id
			if id != "" {
				id += fmt.Sprint(i)
			}
			// A round takes 1,000 ns, and its events are 100 ns apart.
			b.WriteString(line(1000*i+100*k, s.component, s.sign, s.function, id))
		}
	}
	return b.String()
}

// tableText is the same as a table.
func tableText() string {
	// The table says in words what the text says in marks.
	kinds, types := map[string]string{">": "start", "<": "finish"}, map[byte]string{'!': "send", '?': "receive"}
	return "time_ns,component,function,kind,id,type\n" + exchangesText(func(ns int, component, sign, function, id string) string {
		direction, id := "", strings.TrimSpace(id)
		if id != "" {
			direction, id = types[id[0]], id[1:]
		}
		return fmt.Sprintf("%d,%s,%s,%s,%s,%s\n", ns, component, function, kinds[sign], id, direction)
	})
}

// tmsctText declares what it traces.
func tmsctText() string {
	var b strings.Builder
	b.WriteString(`executor Client as Client
executor Server as Server

interface IServer {
    operation f
}

component ClientComp
function "f call" as f_call implements IServer.f { execType: blk }

component ServerComp
function "f call handle" as f_call_handle implements IServer.f { execType: sync }

`)
	// Ten rounds: a call, its handling, and the reply, with numbers that pair their messages.
	for i := range 10 {
		fmt.Fprintf(&b, "%d Client ClientComp > f_call !M%d\n%[1]d.12 Server ServerComp > f_call_handle ?M%[2]d\n", i, 2*i)
		fmt.Fprintf(&b, "%d.5 Server ServerComp < f_call_handle !M%d\n%[1]d.6 Client ClientComp < f_call ?M%[2]d\n", i, 2*i+1)
	}
	return b.String()
}
