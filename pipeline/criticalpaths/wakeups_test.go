package criticalpaths_test

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/criticalpaths"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/ingest/testdata/readertest"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/testdata/expect"
)

// wakeup is the message by which a thread is woken.
type wakeup struct{ send, receive int64 }

// TestPathLeavesPollForTheWaker follows the critical paths of polls of a kernel trace whose threads were woken in them: each goes from the
// last wake-up in the poll to the thread that sent it, and does not come back to the poll before.
func TestPathLeavesPollForTheWaker(t *testing.T) {
	root := readertest.Unpack(t, readertest.Recordings(t)+"/../third-party/ctf/tracecompass/many-threads.ctf.tar.zst")
	j := prepared(t, root+"/many-threads", "")
	byLifeline := wakeups(t, j)
	x, followed, idle := schema.NewExecutions(new(schema.Names)), 0, int64(0)
	var polls []findings.Occurrence
	var woken []wakeup
	expect.OK(t, j.Lake.ScanTable(t.Context(), "executions", j.Run, x, lake.ScanOptions{}, func() error {
		for i := range x.Execution {
			if x.Synthetic[i] || !strings.Contains(x.Names.Functions.Name(x.Function[i]), "poll") || x.Depth[i] != 0 {
				continue
			}
			last := wakeup{receive: schema.NoValue}
			for _, w := range byLifeline[x.Names.Lifelines.Name(x.Lifeline[i])] {
				if w.receive > x.Execution[i] && w.receive < x.FinishSeq[i] && w.receive > last.receive && w.send > x.Execution[i] {
					last = w
				}
			}
			if last.receive != schema.NoValue {
				polls = append(polls, findings.Occurrence{From: x.Execution[i], To: x.FinishSeq[i], FromNs: x.StartNs[i], ToNs: x.FinishNs[i]})
				woken = append(woken, last)
			}
		}
		return nil
	}))
	for n, o := range polls {
		if n%(len(polls)/12+1) != 0 {
			continue
		}
		p := expect.Value(j.Trace(t.Context(), o, criticalpaths.Ask{}))(t)
		at := -1
		for k, s := range p.Steps {
			if s.Message && s.Target == woken[n].receive {
				at = k
			}
		}
		if at < 0 || p.Steps[at].Source != woken[n].send {
			t.Errorf("the path towards event %d does not lead over the wake-up from event %d at %d", o.To, woken[n].send, woken[n].receive)
			continue
		}
		if kind := p.Parts[p.Steps[at].Part].Kind; kind != schema.ByWakeup {
			t.Errorf("the step towards event %d is called a %s", woken[n].receive, schema.ConstraintKindWords[kind])
		}
		followed++
		for _, s := range p.Steps[:at] {
			if s.Source == o.From && !s.Message {
				idle++ // the poll itself, before the wake-up
			}
		}
	}
	if followed < 8 || idle > 0 {
		t.Errorf("%d of %d polls with a wake-up followed, %d paths come back to the poll", followed, len(polls), idle)
	}
}

// wakeups lists the wake-ups of a run by the lifeline that is woken.
func wakeups(t *testing.T, j *criticalpaths.Job) map[string][]wakeup {
	t.Helper()
	m, all := schema.NewMessages(new(schema.Names)), make(map[string][]wakeup)
	expect.OK(t, j.Lake.ScanTable(t.Context(), "messages", j.Run, m, lake.ScanOptions{}, func() error {
		for i := range m.SendSeq {
			if m.Pattern[i] == schema.Wakeup {
				name := m.Names.Lifelines.Name(m.ReceiverLifeline[i])
				all[name] = append(all[name], wakeup{m.SendSeq[i], m.ReceiveSeq[i]})
			}
		}
		return nil
	}))
	return all
}
