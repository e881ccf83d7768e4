package otf1

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// parts is a trace whose functions have groups and source files: one of the program's, one of the tracer's, one of
// the system's, one without a file, and one of a group that is not defined.
func parts(groups, processes string) map[string]string {
	return map[string]string{
		"t.otf": "1:1\n",
		"t.0.def": "DTR3b9aca00\nDFG3NM\"VT_API\"\n" + groups + processes + `DSF1NM"/home/me/prog/src/../lib/a.c"
DSF2NM"/home/me/prog/src/b.c"
DSF3NM"/usr/include/c.h"
DSF4NM"MPI"
DS1F1LN5
DS2F2LN5
DS3F3LN5
DS4F4LN5
DF1G1NM"a"X1
DF2G2NM"b"X2
DF3G3NM"sync"X1
DF4G1NM"c"X3
DF5G2NM"d"X4
DF6G1NM"e"
DF7G9NM"f"
`,
		"t.1.events": "1\n*1\nE1\nE2\nE3\nE4\nE5\nE6\nE7\n*2\nE1\n",
	}
}

const (
	telling  = "DFG1NM\"parser\"\nDFG2NM\"Application\"\n"
	silent   = "DFG1NM\"MPI\"\nDFG2NM\"Application\"\n"
	threaded = "DP1NM\"p\"\nDP2NM\"t\"PT1\n"
	ranks    = "DP1NM\"p\"\nDP2NM\"q\"\n"
)

// TestComponents chooses what components are, and has it chosen.
func TestComponents(t *testing.T) {
	const (
		groups       = "parser Application VT_API parser Application parser group_9 parser"
		sources      = "lib/a.c src/b.c VT_API /usr/include/c.h MPI %s group_9 lib/a.c"
		threads      = "p p VT_API p p p p p"
		processes    = "p p VT_API p p p p q"
		silentGroups = "MPI Application VT_API MPI Application MPI group_9 MPI"
	)
	for _, c := range []struct{ option, groups, processes, want string }{
		{"", telling, ranks, groups},
		{"", telling, threaded, groups},
		{"", silent, ranks, processes},
		{"", silent, threaded, strings.ReplaceAll(sources, "%s", "MPI")},
		{"group", silent, ranks, silentGroups},
		{"file", telling, ranks, strings.ReplaceAll(sources, "%s", "parser")},
		{"process", telling, ranks, processes},
		{"process", telling, threaded, threads},
		{"", silent, ranks + "DCR\"Tracelake\"\n", silentGroups},
	} {
		out := read(folder(parts(c.groups, c.processes)), "t.otf", component(c.option))
		var got []string
		for _, e := range out.Events {
			got = append(got, strings.ReplaceAll(e.Key.Component, " ", "_"))
		}
		if strings.Join(got, " ") != c.want || out.Err != nil {
			t.Errorf("%q of %q, %q: %s, want %s; %v", c.option, c.groups, c.processes, strings.Join(got, " "), c.want, out.Err)
		}
	}
	expect.Refused(t, Format().CheckComponent("colour"), `"colour": one of group file process`, "error")
}

// TestOwnLabels sees that communicators of this project's writer are labels as they are.
func TestOwnLabels(t *testing.T) {
	files := parts(telling, ranks+"DCR\"Tracelake 1\"\nDPG1M1,NM\"order\"\n")
	files["t.1.events"] = "1\n*1\nE1\nS2L1T3C1\n"
	if out := read(folder(files), "t.otf"); len(out.Events) != 1 || out.Events[0].Mark.Label != "order" {
		t.Errorf("%v", out)
	}
}

// TestStrict stops at what is otherwise counted.
func TestStrict(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"t.1.events", "1\n*1\nE1\nE\n", "t.1.events:4:2: expected a function"},
		{"t.1.events", "1\n*1\nS2L1\n", "t.1.events:3:5: expected TAG"},
		{"t.1.events", "1\n*1\nE1\nVOID\n", "t.1.events:4:1: no record of OTF 1 is called VOID"},
		{"t.1.events", "1\n*1\nE1\nL", "t.1.events:4:1: the file ends within this record"},
		{"t.1.events", "1 2\n*1\nE1\n", "t.1.events:1:3: expected a time before the first record"},
		{"t.1.events", "1\n*1x\nE1\n", "t.1.events:2:3: expected nothing after a process"},
		{"t.0.def", "DTR0\n", "t.0.def:1:5: expected more than 0 ticks a second"},
		{"t.0.def", "DFX1\n", "t.0.def:1:1: no definition of OTF 1 is called DFX"},
		{"t.otf", "1:1\n2:\n", "t.otf:2:1: expected a process"},
	} {
		files := parts(telling, ranks)
		files[c.file] = c.text
		if out := read(folder(files), "t.otf", strict); out.Err == nil || out.Err.Error() != c.want {
			t.Errorf("%s %q: %v", c.file, c.text, out.Err)
		}
	}
}

// TestRefused is of traces of which nothing can be made.
func TestRefused(t *testing.T) {
	for _, c := range []struct{ file, text, path, want string }{
		{"t.0.def", "DP1NM\"p\"\n", "t.otf", "t.0.def: no timer resolution (DTR), without which times mean nothing"},
		{"t.otf", "4:1\n", "t.otf", "t.otf: no stream of the trace has its file t.<id>.events"},
		{"t.otf", "4\n", "t.otf", "t.otf: no stream is named in it"},
		{"t.otf", "1:1\ni2:1:40\n", "t.otf", "t.otf:2:1: the trace was written through an I/O forwarding server (line i); copy it to files of its own with otfmerge"},
		{"t.uctl", "<VTUCTL 5>\n", "t.uctl", "t.uctl: " + unify},
		{"t", "1:1\n", "t", "t: the master file of an OTF trace must be called STUB.otf, for its streams are called STUB.1.events and so on"},
		{"t", "", "x.otf", "open x.otf: file does not exist"},
	} {
		files := parts(telling, ranks)
		files[c.file] = c.text
		if out := read(folder(files), c.path); out.Err == nil || out.Err.Error() != c.want {
			t.Errorf("%s %q: %v", c.file, c.text, out.Err)
		}
	}
}
