package services

import (
	"cmp"
	"slices"

	"github.com/tracelake/tracelake/schema"
)

// interval is a stretch of time.
type interval struct{ from, to int64 }

// relate finds out who calls whom in a request, and which spans reach other services.
func (m *measurer) relate(spans []Span) {
	m.calls, m.reaches = schema.GrowTo(m.calls, len(spans)), schema.GrowTo(m.reaches, len(spans))
	m.waits = schema.GrowTo(m.waits, len(spans))
	for i := range spans {
		m.calls[i], m.reaches[i] = m.calls[i][:0], false
		if p := spans[i].Parent; p >= 0 {
			m.calls[p] = append(m.calls[p], int32(i))
		}
	}
	for i := len(spans) - 1; i > 0; i-- {
		p := spans[i].Parent
		m.reaches[p] = m.reaches[p] || m.reaches[i] || spans[p].Component != spans[i].Component
	}
	for i := range spans {
		slices.SortStableFunc(m.calls[i], func(a, b int32) int { return cmp.Compare(spans[a].StartNs, spans[b].StartNs) })
		m.waits[i] = m.elsewhere(spans, i)
	}
}

// elsewhere collects when the spans that a caller calls spend time in other services, as intervals that do not overlap.
func (m *measurer) elsewhere(spans []Span, caller int) []interval {
	waits := m.waits[caller][:0]
	for _, c := range m.calls[caller] {
		s := &spans[c]
		if !m.reaches[c] && s.Component == spans[caller].Component {
			continue
		}
		if last := len(waits) - 1; last >= 0 && s.StartNs <= waits[last].to {
			waits[last].to = max(waits[last].to, s.FinishNs)
			continue
		}
		waits = append(waits, interval{s.StartNs, s.FinishNs})
	}
	return waits
}

// ownNs returns the time of a span by itself: what neither the spans that it calls cover nor, if it stays in its service,
// siblings that call another one. Who runs beside a call of its own service waits for that call: gateways have such pairs.
func (m *measurer) ownNs(spans []Span, i int) int64 {
	x := &spans[i]
	m.cover = m.cover[:0]
	for _, c := range m.calls[i] {
		m.cover = append(m.cover, interval{spans[c].StartNs, spans[c].FinishNs})
	}
	if p := x.Parent; p >= 0 && !m.reaches[i] && spans[p].Component == x.Component {
		waits := m.waits[p]
		first, _ := slices.BinarySearchFunc(waits, x.StartNs, func(w interval, at int64) int { return cmp.Compare(w.to, at) })
		for _, w := range waits[first:] {
			if w.from >= x.FinishNs {
				break
			}
			m.cover = append(m.cover, w)
		}
	}
	slices.SortFunc(m.cover, func(a, b interval) int { return cmp.Compare(a.from, b.from) })
	own, at := x.FinishNs-x.StartNs, x.StartNs
	for _, c := range m.cover {
		from, to := max(at, c.from), min(x.FinishNs, c.to)
		if to > from {
			own, at = own-(to-from), to
		}
	}
	return own
}
