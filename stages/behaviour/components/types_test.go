package components

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestTold infers execution types from the messages at the start and the finish of an execution.
func TestTold(t *testing.T) {
	sends := func(p schema.Pattern) *link { return &link{sends: true, pattern: p} }
	receives := func(p schema.Pattern) *link { return &link{pattern: p} }
	for i, c := range []struct {
		start, finish *link
		want          string
	}{
		{sends(schema.Trigger), nil, "trig"}, {receives(schema.Trigger), sends(schema.Trigger), "trigh"},
		{sends(schema.Blocking), receives(schema.BlockingReply), "blk"}, {nil, receives(schema.BlockingReply), "blk"},
		{sends(schema.NonBlocking), nil, "req"}, {nil, receives(schema.NonBlockingReply), "wait"},
		{sends(schema.Callback), nil, "fcn"}, {receives(schema.CallbackReply), nil, "fcncb"},
		{receives(schema.Blocking), sends(schema.BlockingReply), "sync"}, {receives(schema.Callback), sends(schema.CallbackReply), "sync"},
		{receives(schema.NonBlocking), nil, "async"}, {receives(schema.Blocking), sends(schema.Trigger), "async"},
		{receives(schema.Blocking), receives(schema.BlockingReply), "async"}, {sends(schema.NonBlockingReply), nil, "arslt"},
	} {
		n, x := new(naming), execution{start: -1, finish: -1}
		if c.start != nil {
			n.links, x.start = append(n.links, *c.start), 0
		}
		if c.finish != nil {
			n.links, x.finish = append(n.links, *c.finish), int32(len(n.links))
		}
		expect.Equal(t, Types[n.inferredType(&x)-1], c.want, "%d", i)
	}
}
