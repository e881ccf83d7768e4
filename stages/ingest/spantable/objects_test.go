package spantable

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// asObjects writes rows of a table of spans as objects, one a line or all in one list.
func asObjects(header string, rows []string, listed bool) string {
	names := strings.Split(header, ",")
	var all []string
	for _, row := range rows {
		var members []string
		for i, value := range strings.Split(row, ",") {
			if value != "" { // what is not there is not written
				members = append(members, fmt.Sprintf("%q: %q", names[i], value))
			}
		}
		all = append(all, "{"+strings.Join(members, ", ")+"}")
	}
	if listed {
		return `{"spans": [` + strings.Join(all, ",\n") + "]}"
	}
	return strings.Join(all, "\n")
}

// TestObjectsAreTables reads the same spans as a table and as objects, of which more are there than are looked at to find the columns; the
// parent is a member that the first ones lack.
func TestObjectsAreTables(t *testing.T) {
	const header = "name,traceID,spanID,startTime,duration,serviceName,kind,parentSpanID"
	var rows []string
	for i := range 3 * firstSpans {
		parent := ""
		if i >= 5 && i%2 == 1 {
			parent = fmt.Sprintf("%x", i)
		}
		rows = append(rows, fmt.Sprintf("f%d,%x,%x,%d,%d,s%d,%s,%s", i%7, i/2+1, i+1, 1_661_273_974_735_000+1000*i, 500+i, i%2, []string{"client", "server"}[i%2], parent))
	}
	table := readOne(t, header+"\n"+strings.Join(rows, "\n")+"\n", schema.ReadingOptions{})
	for _, listed := range []bool{false, true} {
		got := readOne(t, asObjects(header, rows, listed), schema.ReadingOptions{})
		expect.Equal(t, strings.Join(got.Events, "\n"), strings.Join(table.Events, "\n"), "events, listed: %v", listed)
		expect.Equal(t, fmt.Sprint(got.Losses), fmt.Sprint(table.Losses), "losses, listed: %v", listed)
		expect.Equal(t, fmt.Sprint(got.Said), fmt.Sprint(table.Said), "said, listed: %v", listed)
	}
}

// TestObjects has objects that are spans and objects that are none, and what is wrong with some of them.
func TestObjects(t *testing.T) {
	const good = `{"trace": 1, "span": 2, "service": "s", "name": "f", "start_ns": 5, "end_ns": 7}`
	for _, c := range []struct {
		text, columns string
		isOne         bool
		last, losses  string
	}{
		{good, "", true, "7 s/1 < f", "map[]"},
		{`{"a": [` + good + `, 7, [{"b": {"c": ` + good + `}}]]}`, "", true, "7 s/1 < f", "map[duplicate_execution:1]"},
		{good + ` {"trace": 1, "span": 3, "start_ns": "x", "end_ns": 7}`, "", true, "7 s/1 < f", "map[bad_record:1]"},
		{good + ` {"trace": 1, "span": 3, "start`, "", true, "7 s/1 < f", "map[torn_record:1]"},
		{`{"id": 1, "trace": 1, "start": 5, "end": 7}`, "", false, "", ""},
		{`{"trace": {"id": 1}, "span": {"id": 2}, "start": 5}`, "", false, "", ""},
		{`{"time": 1, "trace": "x", "message": "a line of a log", "id": 7}`, "", false, "", ""},
		{`{"call": 2, "in": 1, "at": {"begin": 5, "end": 7}}`, "trace=in,span=call,start=at.begin:ms,end=at.end:ms", true, "7000000 unknown_service/1 < unnamed", "map[]"},
		{`[1, 2`, "", false, "", ""},
	} {
		o := schema.ReadingOptions{}
		if c.columns != "" {
			o.Columns = make(map[string]string)
			for _, pair := range strings.Split(c.columns, ",") {
				name, value, _ := strings.Cut(pair, "=")
				o.Columns[name] = value
			}
		}
		_, likely, err := Format().Prepare([]byte(c.text), o)
		expect.OK(t, err)
		if expect.Equal(t, likely, c.isOne, "%s", c.text); !likely {
			continue
		}
		got := readOne(t, c.text, o)
		expect.Equal(t, fmt.Sprint(got.Losses), c.losses, "%s", c.text)
		expect.Equal(t, got.Events[len(got.Events)-1], c.last, "%s", c.text)
	}
}
