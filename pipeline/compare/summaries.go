package compare

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/change/verdicts"
)

// messageKey is a part of the latency of messages between two components.
type messageKey struct{ component, function, peer, part string }

// functionKey is a function of a component.
type functionKey struct{ component, function string }

// compare orders functions by component and name.
func (k functionKey) compare(o functionKey) int {
	return cmp.Or(cmp.Compare(k.component, o.component), cmp.Compare(k.function, o.function))
}

// numbers gives the subjects of all runs of a portion the positions that they have in the slices of every run: a map for all
// runs takes a fraction of one for each.
type numbers struct {
	metrics   map[metricKey]int
	messages  map[messageKey]int
	functions map[functionKey]int
	lifetimes map[functionKey]int
}

func newNumbers() *numbers {
	return &numbers{make(map[metricKey]int), make(map[messageKey]int), make(map[functionKey]int), make(map[functionKey]int)}
}

// summarised holds summaries of a run by what they are of: a few quantiles and sums instead of all samples.
type summarised struct {
	*numbers
	ofSteps     map[string][]packed // by fragment, by number of the transition
	ofMetrics   []packed
	ofMessages  []packed
	ofFunctions []packed // own times
	ofLifetimes []packed
	quantiles   [][]float64 // in pieces of chunk numbers, so that nothing is copied and left behind as they become more
	costsOnly   bool        // see comparison
}

// packed is a verdicts.Run in a third of its memory: many subjects have one value a run, and all quantiles of it are that value.
type packed struct {
	count, n, totalNs, longestNs, arrivalNs float64

	at    uint32 // of its quantiles in summarised.quantiles: a piece, and a position in it
	known uint8  // how many stand there: all, one for all, or none
}

// chunk is the number of quantiles in a piece: 8 KiB of them.
const chunk = 1 << 10

// put keeps the summary of a subject at its number, a new one if it is the first run that has it.
func put[K comparable](numbers map[K]int, runs *[]packed, k K, r packed) {
	n, known := numbers[k]
	if !known {
		n = len(numbers)
		numbers[k] = n
	}
	if n >= len(*runs) {
		*runs = slices.Grow(*runs, max(len(numbers), n+1)-len(*runs))[:max(len(numbers), n+1)]
	}
	(*runs)[n] = r
}

// at returns the summary of a subject; that of a run which lacks it is zero.
func at[K comparable](numbers map[K]int, runs []packed, k K) packed {
	if n, known := numbers[k]; known && n < len(runs) {
		return runs[n]
	}
	return packed{}
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

// readSummaries reads the summaries of a run for a portion, under the names of the baseline.
func (j *comparison) readSummaries(
	ctx context.Context, m *model, p *portion, rows *summaryColumns, automata map[string]automaton, known *numbers,
) (*summarised, error) {
	s := &summarised{
		numbers: known, ofSteps: make(map[string][]packed, len(automata)), ofMetrics: make([]packed, 0, len(known.metrics)),
		ofMessages: make([]packed, 0, len(known.messages)), ofFunctions: make([]packed, 0, len(known.functions)), costsOnly: j.costsOnly,
	}
	n := 0
	for _, a := range automata {
		n += len(a.counts)
	}
	all := make([]packed, n)
	for name, a := range automata {
		s.ofSteps[name], all = all[:len(a.counts):len(a.counts)], all[len(a.counts):]
	}
	err := j.Lake.Scan(ctx, m.tables["summaries"].InBuckets(m.buckets(p.group)...), rows, lake.ScanOptions{}, func() error {
		for i := range rows.level {
			m.addSummary(s, p, rows, i)
		}
		return nil
	})
	return s, err
}

// addSummary files a row under the names of the baseline, if the portion has its subject.
func (m *model) addSummary(s *summarised, p *portion, rows *summaryColumns, i int) {
	name := rows.names.Name
	component := name(rows.component[i])
	switch rows.level[i] {
	case ofTransition:
		// A transition that the automaton lacks is of another analysis; there is no step that would ask for it.
		fragment := m.known(name(rows.fragment[i]))
		if n := rows.transition[i]; p.has[fragment] && n >= 0 && n < int64(len(s.ofSteps[fragment])) {
			s.ofSteps[fragment][n] = s.pack(rows, i)
		}
	case ofMetric:
		k := m.knownMetric(metricKey{component, name(rows.fragment[i]), metricOf[name(rows.metric[i])]})
		if p.hasMetric(k) {
			put(s.metrics, &s.ofMetrics, k, s.pack(rows, i))
		}
	case ofMessage:
		if p.group.hasAny(component) && p.others.has(component, name(rows.function[i])) {
			k := messageKey{component, name(rows.function[i]), name(rows.peer[i]), name(rows.metric[i])}
			put(s.messages, &s.ofMessages, k, s.pack(rows, i))
		}
	case ofFunction:
		if p.group.hasAny(component) && p.others.has(component, name(rows.function[i])) {
			put(s.functions, &s.ofFunctions, functionKey{component, name(rows.function[i])}, s.pack(rows, i))
		}
	case ofLifetime:
		if p.group.hasAny(component) && p.others.has(component, name(rows.function[i])) {
			put(s.lifetimes, &s.ofLifetimes, functionKey{component, name(rows.function[i])}, s.pack(rows, i))
		}
	}
}

// hasAny reports whether a component belongs to the group, with fragments or without.
func (g *group) hasAny(component string) bool { return g.components[component] || g.bare[component] }

// pack takes a summary over from the columns. It has quantiles where it has values, NaN for those that it lacks.
func (s *summarised) pack(rows *summaryColumns, i int) packed {
	r := packed{
		count: float64(rows.count[i]), n: float64(rows.number[i]), totalNs: float64(rows.totalNs[i]), longestNs: float64(rows.maxNs[i]), arrivalNs: float64(rows.arrivalNs[i]),
	}
	// One value has no spread, which is all that costs are asked for beside their sums.
	if rows.number[i] == 0 || s.costsOnly && rows.number[i] == 1 {
		return r
	}
	r.known = 1
	first := math.Float64bits(rows.quantiles[0][i])
	for q := range rows.quantiles {
		if math.Float64bits(rows.quantiles[q][i]) != first {
			r.known = uint8(len(rows.quantiles))
		}
	}
	last := len(s.quantiles) - 1
	if last < 0 || len(s.quantiles[last])+int(r.known) > chunk {
		s.quantiles = append(s.quantiles, make([]float64, 0, chunk))
		last++
	}
	r.at = uint32(last*chunk + len(s.quantiles[last]))
	for q := range r.known {
		s.quantiles[last] = append(s.quantiles[last], rows.quantiles[q][i])
	}
	return r
}

// unpack is what a run says of a subject. The quantiles are memory of their own.
func (s *summarised) unpack(p packed) verdicts.Run {
	r := verdicts.Run{Count: p.count, N: p.n, TotalNs: p.totalNs, LongestNs: p.longestNs, ArrivalNs: p.arrivalNs}
	if p.known > 0 {
		r.Quantiles = spread(s.quantiles[p.at/chunk][p.at%chunk:][:p.known])
	}
	return r
}

// spread returns all quantiles, of which all are given, or one that all are equal to.
func spread(given []float64) *[len(verdicts.Quantiles)]float64 {
	all := new([len(verdicts.Quantiles)]float64)
	for q := range all {
		all[q] = given[min(q, len(given)-1)]
	}
	return all
}

// step returns the summary of a transition of a fragment; that of a run which lacks it is zero.
func (s *summarised) step(of []packed, transition int64) verdicts.Run {
	if transition >= 0 && transition < int64(len(of)) {
		return s.unpack(of[transition])
	}
	return verdicts.Run{}
}

// knownMetric is the key under which a metric is compared.
func (m *model) knownMetric(k metricKey) metricKey {
	if name, moved := m.called[k.fragment]; moved {
		k.component, k.fragment = m.fragments[name].Component, name
	}
	return k
}
