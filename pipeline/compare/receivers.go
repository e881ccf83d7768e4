package compare

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/samplechanges"
)

// calls are the calls between components in the transitions of a run, under the name of either side.
type calls struct {
	made     map[samplechanges.Call]bool
	received map[samplechanges.Call]bool // the callee is the component, and the caller its peer
	callees  map[string]bool             // components that receive any call
}

func newCalls() *calls {
	return &calls{make(map[samplechanges.Call]bool), make(map[samplechanges.Call]bool), make(map[string]bool)}
}

// add takes a transition into account.
func (c *calls) add(names *schema.Dictionary, rows *transitionColumns, i int) {
	if rows.kind[i] != schema.Enter {
		return
	}
	call := samplechanges.Call{
		Component: names.Name(rows.component[i]), Function: names.Name(rows.function[i]), Peer: names.Name(rows.peer[i]),
	}
	switch rows.direction[i] {
	case schema.Send:
		c.made[call] = true
	case schema.Receive:
		c.received[call], c.callees[call.Component] = true, true
	}
}

// renamed returns the calls that the callee receives, but not under the name that the caller has for them.
func (c *calls) renamed() map[samplechanges.Call]bool {
	maps.DeleteFunc(c.made, func(call samplechanges.Call, _ bool) bool {
		return !c.callees[call.Peer] || c.received[samplechanges.Call{Component: call.Peer, Function: call.Function, Peer: call.Component}]
	})
	return c.made
}

// findReceivers finds out which functions receive the calls that caller and callee have under different names: that of most of
// their messages in all runs, the first by name of several. Most traces have one name for a call, or record only one side of it;
// the messages of a run are read only where neither holds.
func (j *comparison) findReceivers(ctx context.Context, models []*model) error {
	count := make(map[samplechanges.Call]map[string]int64)
	names := new(schema.Names)
	for _, m := range models {
		wanted := m.calls.renamed()
		m.calls = nil
		if len(wanted) == 0 {
			continue
		}
		// The table is of the ingest that made the run, so that the fingerprints of the tables read stand for it.
		table, err := j.Lake.Table("messages", lake.Run(m.run))
		if err != nil {
			return err
		}
		rows := schema.NewMessages(names)
		columns := []string{"sender", "receiver", "sender_function", "receiver_function"}
		err = j.Lake.Scan(ctx, table.Files, rows, lake.ScanOptions{Columns: columns}, func() error {
			addReceivers(count, rows, wanted)
			return nil
		})
		if err != nil {
			return err
		}
	}
	j.receivers = make(samplechanges.Receivers, len(count))
	for call, of := range count {
		j.receivers[call] = slices.MaxFunc(slices.Sorted(maps.Keys(of)), func(a, b string) int {
			return cmp.Or(cmp.Compare(of[a], of[b]), cmp.Compare(b, a))
		})
	}
	return nil
}

// addReceivers counts the functions that receive the messages of wanted calls. Names are looked up once for each pair of ends in
// a row group.
func addReceivers(count map[samplechanges.Call]map[string]int64, rows *schema.Messages, wanted map[samplechanges.Call]bool) {
	type ends struct{ sender, receiver, from, to schema.Code }
	n := make(map[ends]int64)
	for i := range rows.Sender {
		n[ends{rows.Sender[i], rows.Receiver[i], rows.SenderFunction[i], rows.ReceiverFunction[i]}]++
	}
	for e, messages := range n {
		call := samplechanges.Call{
			Component: rows.Names.Components.Name(e.sender), Function: rows.Names.Functions.Name(e.from), Peer: rows.Names.Components.Name(e.receiver),
		}
		if !wanted[call] || e.to == schema.NoCode {
			continue
		}
		if count[call] == nil {
			count[call] = make(map[string]int64)
		}
		count[call][rows.Names.Functions.Name(e.to)] += messages
	}
}
