package evaluate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/automata"
	"github.com/tracelake/tracelake/stages/behaviour/samples"
	"github.com/tracelake/tracelake/stages/change/sampletests"
	"github.com/tracelake/tracelake/stages/change/stats"
	"github.com/tracelake/tracelake/stages/change/summaries"
	"github.com/tracelake/tracelake/stages/change/verdicts"
	"github.com/tracelake/tracelake/testdata/expect"
)

// recording is a run by hand: a client has so many requests, each of a few steps of its own and a call to a server.
type recording struct {
	events   *schema.Events
	messages *schema.Messages
	now      int64
	rng      *rand.Rand
	speed    map[string]float64 // of a function in this run: what runs differ by
}

const (
	requests = 12
	steps    = 6
)

// record makes a run. Every step takes 100 us and more, and differs by 2 % between runs and 10 % within a run.
func record(seed uint64) *recording {
	r := &recording{events: schema.NewEvents(), rng: rand.New(rand.NewPCG(seed, 7)), speed: make(map[string]float64)}
	r.messages = schema.NewMessages(new(schema.Names))
	for range requests {
		r.request()
	}
	r.event("client", "request", schema.Enter) // never ends
	return r
}

func (r *recording) request() {
	r.event("client", "request", schema.Enter)
	for i := range steps {
		r.call("client", fmt.Sprint("step", i), 100_000*float64(1+i))
	}
	ask := r.event("client", "ask", schema.Enter)
	r.wait(20_000)
	got := r.event("server", "answer", schema.Enter)
	for i := range steps {
		r.call("server", fmt.Sprint("look", i), 200_000)
	}
	reply := r.event("server", "answer", schema.Exit)
	r.wait(20_000)
	back := r.event("client", "ask", schema.Exit)
	r.event("client", "request", schema.Exit)
	for _, m := range [][2]int64{{ask, got}, {reply, back}} {
		r.messages.SendSeq, r.messages.ReceiveSeq = append(r.messages.SendSeq, m[0]), append(r.messages.ReceiveSeq, m[1])
	}
	r.wait(1e6)
}

func (r *recording) call(component, function string, ns float64) {
	if r.speed[function] == 0 {
		r.speed[function] = 1 + .02*r.rng.NormFloat64()
	}
	r.event(component, function, schema.Enter)
	r.wait(ns * r.speed[function])
	r.event(component, function, schema.Exit)
}

func (r *recording) wait(ns float64) { r.now += int64(ns * (1 + .1*r.rng.Float64())) }

func (r *recording) event(component, function string, kind schema.Kind) int64 {
	e, n := r.events, r.events.Names
	seq := int64(len(e.Seq))
	r.wait(1000)
	e.Seq, e.TimeNs, e.Kind = append(e.Seq, seq), append(e.TimeNs, r.now), append(e.Kind, kind)
	e.Component, e.Lifeline = append(e.Component, n.Components.Code(component)), append(e.Lifeline, n.Lifelines.Code(component))
	e.Function, e.Direction, e.Peer = append(e.Function, n.Functions.Code(function)), append(e.Direction, schema.NoMessage), append(e.Peer, schema.NoCode)
	e.Message, e.Series, e.MessageID = append(e.Message, schema.NoCode), append(e.Series, schema.NoCode), append(e.MessageID, schema.NoValue)
	e.ExecutionType, e.Synthetic = append(e.ExecutionType, schema.NoCode), append(e.Synthetic, false)
	return seq
}

// fill makes the columns of the messages that no one reads as long as the others.
func (r *recording) fill() {
	m, n := r.messages, r.messages.Names
	for range m.SendSeq {
		for _, codes := range []*[]schema.Code{&m.Series, &m.Label} {
			*codes = append(*codes, schema.NoCode)
		}
		m.Sender, m.Receiver = append(m.Sender, n.Components.Code("c")), append(m.Receiver, n.Components.Code("c"))
		m.SenderFunction, m.ReceiverFunction = append(m.SenderFunction, n.Functions.Code("f")), append(m.ReceiverFunction, n.Functions.Code("f"))
		m.SenderLifeline, m.ReceiverLifeline = append(m.SenderLifeline, n.Lifelines.Code("c")), append(m.ReceiverLifeline, n.Lifelines.Code("c"))
		for _, numbers := range []*[]int64{&m.MessageID, &m.SendNs, &m.ReceiveNs, &m.LatencyNs, &m.RequestSeq, &m.RoundTripNs} {
			*numbers = append(*numbers, 0)
		}
		m.Pattern = append(m.Pattern, schema.Trigger)
	}
}

// analyzed are the tables that follow from a recording.
type analyzed struct {
	model     *automata.Model
	samples   *schema.Samples
	summaries []schema.Summary
}

func analyze(t *testing.T, r *recording) analyzed {
	t.Helper()
	led := new(schema.Ledger)
	b := automata.NewBuilder(r.events.Names)
	b.Add(r.events, led)
	a := analyzed{model: b.Model(led)}
	replayer := expect.Value(samples.NewReplayer(r.events.Names, a.model.Transitions))(t)
	replayer.Start(replayer.Ranges(0)[0])
	expect.OK(t, replayer.Add(r.events))
	a.samples = schema.NewSamples(r.events.Names)
	expect.OK(t, replayer.Finish(a.samples, func() error { return nil }))
	s := summaries.NewTransitions(a.samples.Names, a.model.Fragments, new(stats.Estimator))
	s.Add(a.samples)
	a.summaries = s.Rows()
	return a
}

// laboratory is a lake of so many runs.
func laboratory(t *testing.T, runs int) (l *lake.Lake, names []string) {
	t.Helper()
	l = expect.Value(lake.Open(t.TempDir(), true))(t)
	for i := range runs {
		name := fmt.Sprint("run", i)
		names = append(names, name)
		put(t, l, name, record(uint64(i)))
	}
	return l, names
}

// put commits the tables of a run that an evaluation reads.
func put(t *testing.T, l *lake.Lake, run string, r *recording) {
	t.Helper()
	a := analyze(t, r)
	r.fill()
	fingerprint := lake.Fingerprint(run, 1, nil, nil)
	s := expect.Value(l.Stage("hand", lake.Run(run), fingerprint))(t)
	var manifests []*lake.Manifest
	add := func(table string, f lake.File, err error) {
		expect.OK(t, err)
		manifests = append(manifests, &lake.Manifest{Table: table, Fingerprint: fingerprint, Files: []lake.File{f}})
	}
	for _, c := range []struct {
		table string
		rows  schema.Columns
	}{{"events", r.events}, {"messages", r.messages}, {"samples", a.samples}, {"metrics", schema.NewMetrics(r.events.Names)}} {
		w, err := s.CreateTable(c.table, 0, 0, c.rows)
		if err == nil {
			err = w.Finish(c.rows)
		}
		add(c.table, w.File, err)
	}
	f, err := lake.Write(s, "fragments", 0, a.model.Fragments)
	add("fragments", f, err)
	f, err = lake.Write(s, "transitions", 0, a.model.Transitions)
	add("transitions", f, err)
	f, err = lake.Write(s, "summaries", 0, a.summaries)
	add("summaries", f, err)
	expect.OK(t, s.Commit(manifests...))
}

// job evaluates all parts of a laboratory of so many runs.
func job(t *testing.T, runs int) Job {
	l, names := laboratory(t, runs)
	return Job{
		&pipeline.Engine{Lake: l, Jobs: 2, Memory: 1 << 30}, Spec{
			Cells: []Cell{{"all", names}}, Trace: names[0], Parts: Parts{true, true, true}, Seeds: 2, Splits: 10,
			Verdicts: verdicts.Defaults(), Thresholds: sampletests.Defaults(),
		},
	}
}
