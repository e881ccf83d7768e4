package tmsct

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestElements reads what the declarations say of functions, executors and hosts, by the names that events
// have. Declarations may stand behind their use.
func TestElements(t *testing.T) {
	b, _ := good(t, `
		function "f call" as f implements I.o
		function g implements Unknown.p
		function h implements bare
		function "f call" as f2 implements a.J.q
		function free
		interface "The I" as I { operation "the o" as o  operation o2 { x: 1 } }
		untraced host "Outside" as H { executor E  untraced executor "Far" as F }
		untraced executor G
		host K { executor L }
		1 K.L > f
	`)
	want := []schema.Note{
		{About: "function", Subject: "f", Name: "interface", Value: "The I"},
		{About: "function", Subject: "f", Name: "operation", Value: "the o"},
		{About: "function", Subject: "g", Name: "interface", Value: "Unknown"},
		{About: "function", Subject: "g", Name: "operation", Value: "p"},
		{About: "function", Subject: "h", Name: "operation", Value: "bare"},
		{About: "function", Subject: "f2", Name: "interface", Value: "a.J"},
		{About: "function", Subject: "f2", Name: "operation", Value: "q"},
		{About: "executor", Subject: "Far", Name: "untraced", Value: "true"},
		{About: "executor", Subject: "G", Name: "untraced", Value: "true"},
		{About: "host", Subject: "Outside", Name: "untraced", Value: "true"},
	}
	for i := range want {
		want[i].Row = schema.NoRow
	}
	expect.Slice(t, b.Notes, want, "notes")
}
