package kieker

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/chart/executions"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The tables of Tavares de Sousa 2016, chapter 7, from logs of the program of his Fig. 7.3 and 7.4: FileHandler is
// opened, works, and sends to FileEncrypter, which works and saves with FSWriter. Its real execution time is the
// measured (raw) one less those of the components that it called (section 5.1). The logs are in milliseconds, as his
// are, and hold one Before record for the incoming and one After record for the outgoing interface of a component.

// visit is an execution of a component in a trace.
type visit struct {
	trace, component int
	from, to         int // ms
}

var fileHost = []struct{ component, in, out string }{
	{"FileHandler", "open(fileHost.plugins.encrypt.data.File)", "send(fileHost.plugins.encrypt.data.FileWrapper)"},
	{"FileEncrypter", "accept(fileHost.plugins.encrypt.data.FileWrapper)", "saveFile(fileHost.plugins.encrypt.data.EncryptedFile)"},
	{"FSWriter", "save(fileHost.plugins.encrypt.data.EncryptedFile)", "save(fileHost.plugins.encrypt.data.EncryptedFile)"},
}

const tableMap = "$0=kieker.common.record.misc.KiekerMetadataRecord\n$1=kieker.common.record.flow.trace.TraceMetadata\n" +
	"$2=de.cau.se.ntd.kiekerEnhancements.records.BeforeInCompOperationEvent\n" +
	"$3=de.cau.se.ntd.kiekerEnhancements.records.AfterOutCompOperationEvent\n"

// componentLog is the log of visits, each trace in a thread of its own. Those of a trace lie in each other.
func componentLog(visits []visit) fstest.MapFS {
	log := "$0;1;1.12;KIEKER;srv;1;false;0;MILLISECONDS;1\n"
	orders := map[int]int{}
	line := func(number int, ms int, v visit, method string) {
		c := fileHost[v.component-1].component
		class := "fileHost.plugins.encrypt." + c
		log += fmt.Sprintf("$%d;1;%d;%d;%d;public void %s.%s;%s;%d\n", number, ms, v.trace, orders[v.trace], class, method, class, v.component)
		orders[v.trace]++
	}
	for i, v := range visits {
		if i == 0 || visits[i-1].trace != v.trace {
			log += fmt.Sprintf("$1;1;%d;%d;none;srv;%d;-1\n", v.trace, v.trace, v.trace)
		}
		line(2, v.from, v, fileHost[v.component-1].in)
		if i+1 == len(visits) || visits[i+1].trace != v.trace {
			for j := i; j >= 0 && visits[j].trace == v.trace; j-- {
				line(3, visits[j].to, visits[j], fileHost[visits[j].component-1].out)
			}
		}
	}
	return fstest.MapFS{"log/kieker.map": {Data: []byte(tableMap)}, "log/x.dat": {Data: []byte(log)}}
}

// pair gives the executions of what was read.
func pair(out result) *schema.Executions {
	n := new(schema.Names)
	ev := &schema.Events{Names: n}
	for i, r := range out.rows {
		ev.Seq = append(ev.Seq, int64(i))
		ev.TimeNs = append(ev.TimeNs, r.ns)
		ev.Component = append(ev.Component, n.Components.Code(r.key.Component))
		ev.Lifeline = append(ev.Lifeline, n.Lifelines.Code(r.key.Lifeline))
		ev.Function = append(ev.Function, n.Functions.Code(r.key.Function))
		ev.Kind = append(ev.Kind, r.key.Kind)
		ev.Direction = append(ev.Direction, schema.NoMessage)
		ev.Peer = append(ev.Peer, schema.NoCode)
		ev.ExecutionType = append(ev.ExecutionType, schema.NoCode)
		ev.Synthetic = append(ev.Synthetic, false)
	}
	ex := schema.NewExecutions(n)
	executions.NewBuilder(n).Add(ev, ex, new(schema.Ledger))
	return ex
}

// table is the raw and the real execution time of every component in ms, as the paper prints them.
func table(visits []visit, option string) string {
	ex := pair(read(reading(componentLog(visits), "log", option)))
	rows := map[string]string{}
	for i := range ex.Execution {
		name := ex.Names.Components.Name(ex.Component[i])
		rows[name[strings.LastIndexAny(name, ".")+1:]] += fmt.Sprintf(" %d %d", ex.DurationNs[i]/1e6, ex.SelfNs[i]/1e6)
	}
	var out []string
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		out = append(out, name+rows[name])
	}
	return strings.Join(out, "; ")
}

func TestTables(t *testing.T) {
	for name, c := range map[string]struct {
		visits []visit
		want   string
	}{
		// Its text derives 505, 1006 and 504, 1000 from the two columns.
		"table 7.1, Kieker": {
			[]visit{{1, 1, 0, 1815}, {1, 2, 503, 1813}, {1, 3, 1507, 1811}},
			"FSWriter 304 304; FileEncrypter 1310 1006; FileHandler 1815 505",
		},
		"table 7.1, our framework": {
			[]visit{{1, 1, 0, 1812}, {1, 2, 502, 1810}, {1, 3, 1501, 1809}},
			"FSWriter 308 308; FileEncrypter 1308 1000; FileHandler 1812 504",
		},
		"table 7.2": {
			[]visit{{1, 1, 100, 1912}, {1, 2, 606, 1912}, {1, 3, 1607, 1912}},
			"FSWriter 305 305; FileEncrypter 1306 1001; FileHandler 1812 506",
		},
		"table 7.3": {
			[]visit{{1, 1, 2937, 3444}, {2, 2, 3444, 4449}, {3, 3, 4449, 4752}},
			"FSWriter 303 303; FileEncrypter 1005 1005; FileHandler 507 507",
		},
	} {
		expect.Equal(t, table(c.visits, ""), c.want, "%s", name)
		numbered := strings.NewReplacer("FileHandler", "component-1", "FileEncrypter", "component-2", "FSWriter", "component-3").Replace(c.want)
		parts := strings.Split(numbered, "; ")
		slices.Sort(parts)
		expect.Equal(t, table(c.visits, byComponent), strings.Join(parts, "; "), "%s by number", name)
	}
}

// TestOverlappingTraces runs two traces of one component at once: each end belongs to the start of its own trace
// (Fig. 5.1), whether their threads are known or not.
func TestOverlappingTraces(t *testing.T) {
	visits := []visit{{1, 1, 0, 100}, {1, 2, 10, 90}, {2, 1, 5, 50}, {2, 2, 20, 30}}
	want := "FileEncrypter 10 10 80 80; FileHandler 45 35 100 20"
	expect.Equal(t, table(visits, ""), want, "visits")
	visits[0].trace, visits[1].trace, visits[2].trace, visits[3].trace = -1, -1, -2, -2
	expect.Equal(t, table(visits, ""), want, "without threads")
}
