package machine

// connect draws the calls: every service gets one to three callers in higher places among the
// services of its activity, and some services call a utility.
func (b *builder) connect() {
	// Callers and callees belong to one activity, so what happens every few exposures calls nothing that every
	// exposure needs.
	byActivity := make(map[[2]int][]int) // activity and layer to services
	var callees []int
	for i, s := range b.m.services {
		if s.activity == booting || s.body != nil {
			continue
		}
		key := [2]int{s.activity, b.layer(i)}
		byActivity[key] = append(byActivity[key], i)
		if key[1] > controllers && s.activity != serving {
			callees = append(callees, i)
		}
	}
	for _, i := range callees {
		b.addCallers(i, byActivity)
	}
	utilities := serviceIDs(b.m.services, serving)
	for _, i := range callees {
		if b.rng.percent(30) {
			b.addCall(i, utilities[b.rng.below(len(utilities))])
		}
	}
}

// layer returns the layer of the component that offers a service.
func (b *builder) layer(service int) int {
	return b.m.components[b.m.services[service].component].layer
}

// serviceIDs lists the services of an activity.
func serviceIDs(services []service, activity int) []int {
	var ids []int
	for i, s := range services {
		if s.activity == activity {
			ids = append(ids, i)
		}
	}
	return ids
}

// addCallers draws the callers of a service from the nearest layer above that has any.
func (b *builder) addCallers(callee int, byActivity map[[2]int][]int) {
	s := b.m.services[callee]
	var above []int
	for l := b.layer(callee) - 1; l >= controllers && len(above) == 0; l-- {
		above = byActivity[[2]int{s.activity, l}]
	}
	first := b.rng.below(len(above))
	for k := range min(b.callers(), len(above)) {
		b.addCall(above[(first+k)%len(above)], callee)
	}
}

// callers draws how many callers a service has: one in most cases.
func (b *builder) callers() int {
	switch k := b.rng.below(100); {
	case k < 62:
		return 1
	case k < 91:
		return 2
	default:
		return 3
	}
}

// addCall adds a call. About four of five block.
func (b *builder) addCall(caller, callee int) {
	s := &b.m.services[caller]
	s.calls = append(s.calls, call{target: callee, blocking: b.rng.percent(78),
		optional: b.rng.percent(40), repeating: b.rng.percent(15)})
}

// addBoot adds one service a component that initialises it and its children, once in a trace.
func (b *builder) addBoot() {
	first := len(b.m.services)
	for c, name := range b.m.Components {
		b.addService(service{component: c, activity: booting, replies: c != 0, function: name + "_init",
			shares: []uint32{0}})
	}
	for c := 1; c < len(b.m.components); c++ {
		parent := &b.m.services[first+b.m.components[c].parent]
		parent.calls = append(parent.calls, call{target: first + c, blocking: true})
	}
	for i := first; i < len(b.m.services); i++ {
		b.grow(&b.m.services[i])
		if b.m.services[i].body == nil {
			b.m.services[i].body = []*node{b.localNode("load_config"), b.localNode("self_test")}
		}
	}
	b.m.loop.boot = first
}
