package machine

import (
	"cmp"
	"fmt"
	"math"
)

// Build draws the machine of the given number of components (0: 396) from a seed and plants the
// regressions.
func Build(components int, seed uint64, slow ...Slow) (*Machine, error) {
	components = cmp.Or(components, 396)
	if components < minComponents {
		return nil, fmt.Errorf("a machine has at least %d components, not %d", minComponents, components)
	}
	// Every draw comes from one source in a fixed order, so a seed always gives the same machine.
	b := &builder{m: new(Machine), rng: newSource(seed, math.MaxUint64), byLayer: make(map[int][]int)}
	// (1) Components, and the services that they offer.
	b.layComponents(components)
	b.addLoop()
	b.addSporadicRoots()
	b.addServices()
	b.addUtilities()
	b.addBoot()
	// (2) The calls between services.
	b.connect()
	// (3) The bodies: what a service does between its start and its finish.
	for i := range b.m.services {
		if s := &b.m.services[i]; s.body == nil && i != b.m.loop.expose {
			b.share(s)
			b.grow(s)
		}
	}
	b.growExpose()
	// (4) The numbers of the case study: the ratios of events, and the time of a setpoint.
	b.balance()
	b.tune()
	return b.m, b.compile(slow)
}

// builder holds what is needed only while a machine is drawn.
type builder struct {
	m       *Machine
	rng     source
	byLayer map[int][]int // components
	names   []actions     // by component
}

// layComponents places components: a few controllers, four layers that widen, a few utilities.
// The shares of the layers are 4, 13, 33 and 50 percent.
func (b *builder) layComponents(n int) {
	top, low := max(2, n/60), max(3, n/50)
	rest := n - top - low
	sizes := [innerLayers]int{max(2, rest*4/100), rest * 13 / 100, rest * 33 / 100}
	sizes[3] = rest - sizes[0] - sizes[1] - sizes[2]
	b.addComponent("expose_ctrl", controllers)
	for i := 1; i < top; i++ {
		b.addComponent(schedulerName(i), controllers)
	}
	ordinary := 0
	for l, size := range sizes {
		for range size {
			b.addComponent(componentName(ordinary), l+1)
			ordinary++
		}
	}
	for i := range low {
		b.addComponent(utilityName(i), utilityLayer)
	}
}

// addComponent adds a component to a layer. Its parent, which initializes it, is one of the layer above; parents
// take turns.
func (b *builder) addComponent(name string, layer int) {
	c := component{layer: layer}
	if above := b.byLayer[layer-1]; layer > controllers && layer < utilityLayer {
		c.parent = above[len(b.byLayer[layer])%len(above)]
	}
	i := len(b.m.components)
	b.m.components = append(b.m.components, c)
	b.m.Components = append(b.m.Components, name)
	b.byLayer[layer] = append(b.byLayer[layer], i)
	b.names = append(b.names, newActions(&b.rng))
}

// addService adds a service and returns its position.
func (b *builder) addService(s service) int {
	b.m.services = append(b.m.services, s)
	return len(b.m.services) - 1
}

// offer adds a service with a drawn name. The name carries that of the component, so that the
// function means the same on both sides of a call.
func (b *builder) offer(component, activity int) int {
	return b.addService(service{component: component, activity: activity, replies: b.rng.percent(66),
		function: b.m.Components[component] + "_" + b.names[component].next()})
}

// addSporadicRoots adds the activities that schedulers start every 8 to 4096 exposures.
// Periods are drawn log-uniformly, which spreads how often fragments run over several decades.
func (b *builder) addSporadicRoots() {
	schedulers := b.byLayer[controllers][1:]
	for i := range sporadicKinds {
		c := schedulers[i%len(schedulers)]
		root := b.addService(service{component: c, activity: sporadic + i, function: "on_" + b.names[c].next()})
		period := int(b.rng.octaves(8, 9))
		b.m.activities = append(b.m.activities, activity{root: root, period: period})
	}
}

// addServices gives every component of the inner layers 3 to 7 services, most of them for something
// that seldom happens. The stage is left alone: who called it would wait for a whole scan.
func (b *builder) addServices() {
	for l := 1; l <= innerLayers; l++ {
		for _, c := range b.byLayer[l] {
			if c == b.m.services[b.m.loop.scan].component {
				continue
			}
			for range 3 + b.rng.below(5) {
				b.offer(c, b.pickActivity())
			}
		}
	}
}

// pickActivity draws what a service is for: 17 % of services belong to every exposure, 25 % to every wafer, the
// others to something sporadic.
func (b *builder) pickActivity() int {
	switch k := b.rng.below(100); {
	case k < 17:
		return exposing
	case k < 42:
		return wafer
	default:
		return sporadic + b.rng.below(sporadicKinds)
	}
}

// addUtilities gives every utility four services, which any activity may call.
func (b *builder) addUtilities() {
	for _, c := range b.byLayer[utilityLayer] {
		for range 4 {
			b.offer(c, serving)
		}
	}
}

// share decides how many variants a service has and how likely they are: each is half as likely as
// the one before.
// Eight variants at most keep the number of words of a fragment bounded.
func (b *builder) share(s *service) {
	n := 1 + b.rng.below(8)
	s.shares = make([]uint32, n)
	left := uint64(math.MaxUint32)
	for v := range s.shares {
		left /= 2
		s.shares[v] = uint32(math.MaxUint32 - left)
	}
}
