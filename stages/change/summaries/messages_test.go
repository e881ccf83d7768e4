package summaries_test

import (
	"math/rand"
	"strconv"
	"testing"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/summaries"
	"github.com/tracelake/tracelake/testdata/expect"
)

// talk makes a run in which every event may receive messages of events before it: two lifelines a component, ties.
func talk(rng *rand.Rand) (*schema.Events, *schema.Messages) {
	ev := schema.NewEvents()
	m := schema.NewMessages(ev.Names)
	ns := int64(0)
	for i := range 2 + rng.Intn(80) {
		ns += rng.Int63n(9)
		component := "c" + strconv.Itoa(rng.Intn(3))
		schema.Extend(ev, 1)
		ev.Seq[i], ev.TimeNs[i], ev.Kind[i], ev.Synthetic[i] = int64(3*i), ns, schema.Kind(rng.Intn(2)), false
		ev.Component[i], ev.Lifeline[i] = ev.Names.Components.Code(component), ev.Names.Lifelines.Code(component+"/"+strconv.Itoa(rng.Intn(2)))
		ev.Function[i] = ev.Names.Functions.Code("f" + strconv.Itoa(rng.Intn(3)))
		for range rng.Intn(3) * min(i, 1) {
			send(ev, m, rng.Intn(i), i)
		}
	}
	return ev, m
}

// send adds the message from a row of events to another.
func send(ev *schema.Events, m *schema.Messages, from, to int) {
	schema.Extend(m, 1)
	i := len(m.Label) - 1
	m.Label[i] = m.Names.Messages.Code("t")
	m.SendSeq[i], m.ReceiveSeq[i], m.SendNs[i], m.ReceiveNs[i] = ev.Seq[from], ev.Seq[to], ev.TimeNs[from], ev.TimeNs[to]
	m.LatencyNs[i], m.Sender[i], m.Receiver[i] = ev.TimeNs[to]-ev.TimeNs[from], ev.Component[from], ev.Component[to]
	m.SenderLifeline[i], m.ReceiverLifeline[i] = ev.Lifeline[from], ev.Lifeline[to]
	m.SenderFunction[i], m.ReceiverFunction[i] = ev.Function[from], ev.Function[to]
}

// readyNs is when the lifeline of an event was at the event before it, or when the message was sent where there is none.
func readyNs(ev *schema.Events, seq, sendNs int64) int64 {
	at := int(seq / 3)
	for i := at - 1; i >= 0; i-- {
		if ev.Lifeline[i] == ev.Lifeline[at] {
			return max(sendNs, ev.TimeNs[i])
		}
	}
	return sendNs
}

// Rows are what events and messages say without constraints: lateness until the receiver is ready, then transit; both
// together are the latency.
func TestMessagesByTheLetter(t *testing.T) {
	for seed := range int64(200) {
		ev, m := talk(rand.New(rand.NewSource(seed)))
		want := make(map[string]*heap)
		for i := range m.Label {
			ready := readyNs(ev, m.ReceiveSeq[i], m.SendNs[i])
			for metric, ns := range map[string]int64{schema.Lateness: ready - m.SendNs[i], schema.Transit: m.ReceiveNs[i] - ready} {
				of := schema.Summary{Level: schema.LevelMessage, Component: ev.Names.Components.Name(m.Receiver[i]),
					Peer: ev.Names.Components.Name(m.Sender[i]), Function: ev.Names.Functions.Name(m.ReceiverFunction[i]), Metric: metric}
				if want[key(&of)] == nil {
					want[key(&of)] = new(heap)
				}
				want[key(&of)].count++
				want[key(&of)].values = append(want[key(&of)].values, ns)
			}
		}
		b := summaries.NewMessages(ev.Names, new(stats.Estimator))
		b.Add(constrain(ev, m))
		rows, sum, latency := b.Rows(), int64(0), int64(0)
		expect.Equal(expect.Must(t), len(rows), len(want), "seed %d: rows", seed)
		for i := range rows {
			check(t, &rows[i], want[key(&rows[i])])
			sum += rows[i].TotalNs
		}
		for _, ns := range m.LatencyNs {
			latency += ns
		}
		expect.Equal(expect.Must(t), sum, latency, "seed %d: lateness and transit, and latencies", seed)
	}
}
