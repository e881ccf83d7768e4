package machine

// scanSlot is where the replies of Scan actions wait for R(i-2); lower slots serve the other
// non-blocking calls, slot 0 the blocking ones.
const (
	scanSlot  = 7
	slotCount = 8
)

// The physical actions: together they take T_SS of Jonk et al. 2019, equation (3). The
// computation of a setpoint is tuned to take computeNs on average when nothing queues. With queueing it
// takes about twice as long and meets its deadline, unless it is delayed.
const (
	stepNs    = 58_000_000 // moving to the next field
	scanNs    = 92_000_000 // exposing it
	computeNs = 50_000_000 // mean, without queueing
	delayNs   = 90_000_000 // shortest planted delay: misses the deadline
)

// addLoop adds the services of the wafer exposure loop (Jonk et al. 2019, Fig. 8) and those that run
// into contention (Fig. 10): a trigger to the model of the lens just before a blocking call to it.
// Their functions are named after their components, as those of all services are.
func (b *builder) addLoop() {
	layer1 := b.byLayer[1]
	stage, model := layer1[0], layer1[min(3, len(layer1)-1)]
	name := b.m.Components
	l := &b.m.loop
	// Step and Scan are one service of the stage; the model is triggered, and asked afterwards.
	l.scan = b.addService(service{component: stage, activity: exposing, replies: true,
		function: name[stage] + "_execute_scan"})
	l.trigger = b.addService(service{component: model, activity: exposing,
		function: name[model] + "_update_model"})
	get := b.addService(service{component: model, activity: exposing, replies: true,
		function: name[model] + "_get_adjustment"})
	l.startWafer = b.addService(service{activity: wafer, function: "start_wafer"})
	l.expose = b.addService(service{activity: exposing, function: "expose_field"})
	for _, i := range []int{l.scan, l.trigger, get} {
		b.share(&b.m.services[i])
	}
	b.m.services[l.scan].body = b.physics()
	b.m.services[l.trigger].body = []*node{b.localNode("solve_model"), b.localNode("store_model")}
	b.m.services[get].body = []*node{b.localNode("interpolate")}
	expose := &b.m.services[l.expose]
	expose.calls = []call{{target: l.trigger, planted: true}, {target: get, blocking: true}}
	l.finishWafer = b.addService(service{activity: wafer, function: "finish_wafer", shares: []uint32{0},
		body: []*node{b.retrieve(), b.retrieve()}})
}

// physics is the body of Step(i) and Scan(i).
// Its times are fixed, without noise: T_SS is a constant of the machine.
func (b *builder) physics() []*node {
	step, scan := b.localNode("step"), b.localNode("scan")
	step.children = []*node{b.localNode("load_profile")}
	scan.children = []*node{b.localNode("sample_positions")}
	step.fixedNs, scan.fixedNs = stepNs, scanNs
	return []*node{step, scan}
}

// retrieve is R(i): it waits for the result of Scan(i).
// The reply may have come long before.
func (b *builder) retrieve() *node {
	scan := b.m.services[b.m.loop.scan]
	w := &node{kind: wait, function: "await_" + scan.function, target: b.m.loop.scan, slot: scanSlot,
		beforeNs: b.gap(), gapNs: b.gap()}
	r := b.localNode("retrieve_result")
	r.children = []*node{w}
	return r
}

// queue is Q(i): it asks for Step(i) and Scan(i) and does not wait for them.
// Its slot is that of Scan alone, so replies of two actions wait in the order in which they were asked for.
func (b *builder) queue() *node {
	scan := b.m.services[b.m.loop.scan]
	q := b.localNode("queue_actions")
	q.children = []*node{{kind: request, function: scan.function, target: b.m.loop.scan, slot: scanSlot,
		beforeNs: b.gap(), gapNs: b.gap()}}
	return q
}

// growExpose makes the bodies of the loop from the calls that C(i) makes. The first two fields of a
// wafer have nothing to retrieve.
func (b *builder) growExpose() {
	l := &b.m.loop
	s := &b.m.services[l.expose]
	b.share(s)
	// The trigger and the blocking call to the model come first, one right after the other: that is the
	// contention.
	planted := s.calls[:2]
	s.calls = s.calls[2:]
	b.grow(s)
	var slot uint8
	trigger, _ := b.callNode(planted[0], &slot)
	get, _ := b.callNode(planted[1], &slot)
	compute := b.localNode("compute_setpoint")
	compute.children = append([]*node{trigger, get}, s.body...)
	s.calls = append(planted, s.calls...)
	first := *s
	first.body = []*node{compute, b.queue()}
	s.body = append([]*node{b.retrieve()}, first.body...)
	l.exposeFirst = b.addService(first)
}
