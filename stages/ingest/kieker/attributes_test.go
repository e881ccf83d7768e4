package kieker

import (
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestAttributes keeps the number of the trace and its session, by TraceMetadata or by each execution.
func TestAttributes(t *testing.T) {
	log := fstest.MapFS{
		"kieker.map": {Data: []byte("$1=kieker.common.record.controlflow.OperationExecutionRecord\n$2=kieker.common.record.flow.trace.TraceMetadata\n" +
			"$3=kieker.common.record.flow.trace.operation.BeforeOperationEvent\n$4=kieker.common.record.flow.trace.operation.AfterOperationEvent\n")},
		"a.dat": {Data: []byte("$2;1;7;1;ann;srv;-1;-1\n$3;2;10;7;0;void a.A.run();a.A\n$4;3;20;7;1;void a.A.run();a.A\n" +
			"$1;9;void b.B.run();bob;9;30;35;srv;0;0\n$1;9;void b.B.run();<no-session-id>;10;40;41;srv;0;0\n")},
	}
	read := func(names ...string) []string {
		r := reading(log, ".", "")
		r.Options.Attributes = names
		return readertest.Attributes(t, Format(), r)
	}
	expect.Slice(t, read("all"), []string{
		"10 execution a.A.void a.A.run() trace=7 session=ann", "30 execution b.B.void b.B.run() trace=9 session=bob", "40 execution b.B.void b.B.run() trace=10",
	}, "attributes")
	expect.Slice(t, read("session"), []string{"10 execution a.A.void a.A.run() session=ann", "30 execution b.B.void b.B.run() session=bob"}, "sessions")
}
