package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// spans writes requests of a web service that calls db, whose query takes a number of ms, one request every 100 ms.
func spans(from int64, requests int, query int64) []byte {
	var out bytes.Buffer
	out.WriteString("TraceID,SpanID,ParentID,PodName,OperationName,StartTimeUnixNano,EndTimeUnixNano,Duration\n")
	for i := range int64(requests) {
		at, took := from+i*1e8, (query+i%3)*1e6
		fmt.Fprintf(&out, "%x,1,root,web-57-abc,GET,%d,%d,0\n", from+i, at, at+4e6+took)
		fmt.Fprintf(&out, "%x,2,1,web-57-abc,ask,%d,%d,0\n", from+i, at+1e6, at+3e6+took)
		fmt.Fprintf(&out, "%x,3,2,db-57-xyz,query,%d,%d,0\n", from+i, at+2e6, at+2e6+took)
	}
	return out.Bytes()
}

// TestServices measures a data set of one fault, before which the faulty minute is like the others.
func TestServices(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) {
		expect.OK(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777))
		expect.OK(t, os.WriteFile(filepath.Join(dir, name), data, 0o666))
	}
	const second = int64(1e9)
	write("faults.tsv", []byte("day\tinject_time\tinject_timestamp\tservice\ttype\tfiles\n2026-01-02\t10:00:02\t1700000002\tdb\tslow\t10_00 10_01\n"))
	write("normal/2026-01-02_09_00.csv", spans(1_600_000_000*second, 20, 5))
	write("fault/2026-01-02_10_00.csv", spans(1_700_000_000*second, 20, 5))
	write("fault/2026-01-02_10_01.csv", spans(1_700_000_002*second, 20, 50))
	var out bytes.Buffer
	expect.OK(t, run(t.Context(), &out, &out, []string{"-splits", "3", dir}))
	for _, want := range []string{"db, regressed", "OnlineBoutique         1 100.0 %", "2026-01-02             3                     0"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
}
