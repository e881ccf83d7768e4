package machine

// Executions and messages of the case study of Jonk et al. 2019, section V-B, in 100,000 each.
const (
	caseExecutions = 243
	caseMessages   = 117
)

// balance adds local functions that call nothing until executions and messages are in the ratio of
// the case study.
// Leaves add executions and no messages, so they move the ratio one way. A machine that has enough gets none.
func (b *builder) balance() {
	// (1) What one exposure brings about on average, from the rates of all services.
	rates := b.rates()
	var executions, messages float64
	for i := range b.m.services {
		e, m := b.m.services[i].expected()
		executions += rates[i] * e
		messages += rates[i] * m
	}
	// (2) The executions that are missing are spread over the services by wishes that are drawn.
	missing := messages*caseExecutions/caseMessages - executions
	wish := make([]int, len(rates))
	var wished float64
	for i := range wish {
		if s := &b.m.services[i]; s.activity != booting && s.activity != serving && !b.inLoop(i) {
			wish[i] = b.rng.below(5)
			wished += rates[i] * float64(wish[i])
		}
	}
	// (3) A wish becomes a number of leaves, rounded at random so that small wishes count, too.
	for i, w := range wish {
		n := float64(w)*missing/wished + float64(b.rng.below(1000))/1000
		for range int(max(n, 0)) {
			b.addLeaf(&b.m.services[i], b.names[b.m.services[i].component].next())
		}
	}
}

// inLoop reports whether a service is one of the wafer exposure loop, whose times and calls are those of the case
// study.
func (b *builder) inLoop(service int) bool {
	l := b.m.loop
	return service == l.expose || service == l.exposeFirst || service == l.finishWafer || service == l.scan ||
		service == l.trigger
}

// rates are how often the services run in an exposure, on average.
// Calls go to lower layers only, so one pass from the top to the bottom has all callers before their callees.
func (b *builder) rates() []float64 {
	rates := make([]float64, len(b.m.services))
	rates[b.m.loop.expose] = 1
	rates[b.m.loop.startWafer] = 1.0 / fieldsOnWafer
	for _, a := range b.m.activities {
		rates[a.root] = 1 / float64(a.period)
	}
	for l := controllers; l <= utilityLayer; l++ {
		for i := range b.m.services {
			if s := &b.m.services[i]; b.layer(i) == l && s.activity != booting {
				s.eachCall(func(n *node, times float64) { rates[n.target] += rates[i] * times })
			}
		}
	}
	return rates
}

// eachCall calls f with the calls of a service and how often they are made on average.
// Local functions and waits are no calls.
func (s *service) eachCall(f func(n *node, times float64)) {
	s.each(func(n *node, times float64) {
		if n.kind != local && n.kind != wait {
			f(n, times)
		}
	})
}

// each calls f with the functions of a service and how often they run on average.
// The share of a variant is an interval of 32-bit numbers, as a run draws them.
func (s *service) each(f func(n *node, times float64)) {
	low := uint32(0)
	for v, high := range s.shares {
		if v == len(s.shares)-1 {
			high = 1<<32 - 1
		}
		walk(s.body, v, float64(high-low)/(1<<32), f)
		low = high
	}
}

// walk calls f with all nodes of a body and how often each runs in variant v, times how often the body does.
func walk(nodes []*node, v int, times float64, f func(*node, float64)) {
	for _, n := range nodes {
		t := times * float64(n.count(v))
		f(n, t)
		walk(n.children, v, t, f)
	}
}

// count is how often a function runs in a variant.
func (n *node) count(v int) int {
	if n.times == nil {
		return 1
	}
	return int(n.times[v])
}

// expected is how many executions and messages one execution of the service brings about: its own,
// those of its local functions, and the messages that it sends or that answer it.
// The executions of the services that it calls are their own.
func (s *service) expected() (executions, messages float64) {
	executions = 1
	s.each(func(n *node, times float64) {
		executions += times
		switch n.kind {
		case blockingCall, request:
			messages += 2 * times
		case triggerCall:
			messages += times
		}
	})
	return executions, messages
}

// tune scales all times so that the computation of a setpoint takes computeNs when nothing queues.
// Callees are tuned before their callers, as a caller waits for them.
func (b *builder) tune() {
	took := make([]float64, len(b.m.services))
	for l := utilityLayer; l >= controllers; l-- {
		for i := range b.m.services {
			if b.layer(i) == l && b.m.services[i].activity != booting {
				took[i] = b.m.services[i].takes(took)
			}
		}
	}
	// The fixed times of the physical actions stay: only code is scaled.
	scale := computeNs / took[b.m.loop.exposeFirst]
	scaled := make(map[*node]bool) // the loop has nodes in two services
	for i := range b.m.services {
		s := &b.m.services[i]
		s.gapNs = int64(float64(s.gapNs) * scale)
		scaleNodes(s.body, scale, scaled)
	}
}

// scaleNodes multiplies the times of nodes, each once.
func scaleNodes(nodes []*node, scale float64, scaled map[*node]bool) {
	for _, n := range nodes {
		if !scaled[n] {
			scaled[n] = true
			n.beforeNs = int64(float64(n.beforeNs) * scale)
			n.gapNs = int64(float64(n.gapNs) * scale)
			scaleNodes(n.children, scale, scaled)
		}
	}
}

// takes is how long a service takes on average when those that it waits for take what took says.
// Waits for replies of non-blocking calls are left out: the reply is mostly there by then.
func (s *service) takes(took []float64) float64 {
	sum := float64(s.gapNs)
	s.each(func(n *node, times float64) {
		sum += times * float64(n.beforeNs+n.gapNs)
		if n.kind == blockingCall {
			sum += times * took[n.target]
		}
	})
	return sum
}
