package compare

import (
	"math"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// messageKey is a part of the latency of messages between two components.
type messageKey struct{ component, function, peer, part string }

// functionKey is a function of a component.
type functionKey struct{ component, function string }

// summarised holds the summaries of a run by what they are of: a few quantiles and sums instead of all samples.
type summarised struct {
	steps     map[stepKey]verdicts.Run
	metrics   map[metricKey]verdicts.Run
	messages  map[messageKey]verdicts.Run
	functions map[functionKey]verdicts.Run // own times
}

var metricOf = metricNumbers()

// metricNumbers inverts schema.MetricWords.
func metricNumbers() map[string]schema.Metric {
	numbers := make(map[string]schema.Metric)
	for i, word := range schema.MetricWords {
		numbers[word] = schema.Metric(i)
	}
	return numbers
}

// summarise reads the summaries of a run, under the names of the baseline.
func (m *model) summarise(l *lake.Lake) error {
	s := &summarised{
		steps: make(map[stepKey]verdicts.Run), metrics: make(map[metricKey]verdicts.Run), messages: make(map[messageKey]verdicts.Run),
		functions: make(map[functionKey]verdicts.Run),
	}
	m.summaries = s
	return lake.ReadBuckets(l, "summaries", lake.Run(m.run), func(_ int, rows []schema.Summary) {
		for i := range rows {
			m.addSummary(s, &rows[i])
		}
	})
}

// addSummary files a row under the names of the baseline.
func (m *model) addSummary(s *summarised, row *schema.Summary) {
	run := verdicts.Run{Count: float64(row.Count), N: float64(row.N), TotalNs: float64(row.TotalNs), ArrivalNs: float64(row.ArrivalNs), Quantiles: quantiles(row)}
	switch row.Level {
	case schema.LevelTransition:
		s.steps[stepKey{m.known(row.Fragment), *row.Transition}] = run
	case schema.LevelMetric:
		s.metrics[m.knownMetric(metricKey{row.Component, row.Fragment, metricOf[row.Metric]})] = run
	case schema.LevelMessage:
		s.messages[messageKey{row.Component, row.Function, row.Peer, row.Metric}] = run
	case schema.LevelFunction:
		s.functions[functionKey{row.Component, row.Function}] = run
	}
}

// quantiles are those of a summary: NaN where it has none.
func quantiles(row *schema.Summary) *[len(verdicts.Quantiles)]float64 {
	if row.N == 0 {
		return nil
	}
	out := new([len(verdicts.Quantiles)]float64)
	for i, q := range []*float64{
		row.Q10Ns, row.Q20Ns, row.Q30Ns, row.Q40Ns, row.Q50Ns, row.Q60Ns, row.Q70Ns, row.Q80Ns, row.Q90Ns, row.Q95Ns, row.Q99Ns,
	} {
		if out[i] = math.NaN(); q != nil {
			out[i] = *q
		}
	}
	return out
}

// knownMetric is the key under which a metric is compared.
func (m *model) knownMetric(k metricKey) metricKey {
	if name, moved := m.called[k.fragment]; moved {
		k.component, k.fragment = m.fragments[name].Component, name
	}
	return k
}

// roots counts the root executions of a run that no message starts: the ends in themselves, by which costs are
// divided.
func (m *model) roots() float64 {
	sum := int64(0)
	for name, f := range m.fragments {
		if m.initial(name) {
			sum += f.Occurrences
		}
	}
	return float64(sum)
}

// initial reports whether a fragment begins without a message from another component: a root, an end in itself.
func (m *model) initial(fragment string) bool {
	list := m.transitions[fragment]
	return len(list) > 0 && list[0].Direction != schema.DirectionWords[schema.Receive]
}
