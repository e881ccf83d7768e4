package main

// services are called by each other, one after the other: a request has a client and a server for each.
var services = []string{"gateway", "checkout", "cart", "stock", "payment", "mail"}

// span is one end of a call.
// Times are nanoseconds since the epoch; identifiers are never 0.
type span struct {
	trace, id, parent uint64 // parent 0: none
	in                int    // the service
	server            bool   // it receives the call; otherwise it makes it
	startNs, endNs    int64
}

// batch is how many requests a collector writes at a time.
const batch = 64

// requests calls visit for the spans of about so many events, a request after the other, the outermost span first.
// Requests start 100 us apart and take a millisecond, so ten are under way at any time.
// A span of client and server lies in the one before it, 40 us shorter at each end, so all clocks agree and no reader
// finds a defect. The slice is valid during the call only.
func requests(events int, visit func(request int, spans []span)) {
	ends := 2 * len(services)
	spans := make([]span, ends)
	// A span is two events, so a request has twice as many as spans; the number is rounded up.
	for r := range (events + 2*ends - 1) / (2 * ends) {
		at := int64(1_700_000_000_000_000_000) + int64(r)*100_000
		// Each lies 40 us within the one before, with the same distance at its end.
		for i := range spans {
			inwards := int64(i) * 40_000
			spans[i] = span{
				trace: mix(uint64(r)<<8 | 255), id: mix(uint64(r)<<8 | uint64(i)), in: i / 2, server: i%2 == 0,
				startNs: at + inwards, endNs: at + 1_000_000 - inwards,
			}
			if i > 0 {
				spans[i].parent = spans[i-1].id
			}
		}
		visit(r, spans)
	}
}

// where is the name of its service, and calls that of the service that is called; the last one calls a database.
func (s span) where() string { return services[s.in] }

// calls is the name of the service that the call goes to.
func (s span) calls() string {
	switch {
	case s.server:
		return services[s.in]
	case s.in+1 < len(services):
		return services[s.in+1]
	}
	return "database"
}

// kind is the word for it.
// Jaeger and OpenTelemetry write it in small letters.
func (s span) kind() string {
	if s.server {
		return "server"
	}
	return "client"
}

// mix makes identifiers that look drawn: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
// It is a bijection, so distinct requests have distinct identifiers.
func mix(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
