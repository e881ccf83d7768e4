package mining

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// Kind says what a proposal is about.
type Kind uint8

// The kinds, as doc.go explains them.
const (
	Response Kind = iota
	Distance
	Precedence
	Exclusion
	InFlight
	Bounds
)

// kindWords are the kinds in words, for names of checks and for counts.
var kindWords = [...]string{"response", "distance", "precedence", "exclusion", "in_flight", "signal"}

func (k Kind) String() string { return kindWords[k] }

// Proposal is a check that all runs keep.
type Proposal struct {
	Kind    Kind
	Name    string   // unique in a specification
	Signals []string // declarations of signals that it needs
	Formula string
	Support string  // what it rests on, in words
	Says    float64 // 0 to 1: the share of a run that it watches, times how close to its bound the runs come
}

// mostExclusions and mostSignals bound what is proposed of these kinds. least is how often two functions would have met by chance, had
// they been called at any time, for their exclusion to say something.
const mostExclusions, mostSignals, leastMeetings = 100, 200, 5

// Proposals are the checks that all runs keep, what says most first, of the functions that like accepts.
func (m *Miner) Proposals(like func(Subject) bool) []Proposal {
	x := &proposer{Miner: m}
	for s, subject := range m.subjects {
		if m.everywhere(s) && like(subject) && quotable(subject.Component) && quotable(subject.Function) {
			x.of = append(x.of, s)
		}
	}
	x.responses()
	x.distances()
	x.precedences()
	x.exclusions()
	x.levels(like)
	slices.SortStableFunc(x.all, func(a, b Proposal) int { return cmp.Compare(b.Says, a.Says) })
	taken := make(map[string]int)
	for i := range x.all {
		p := &x.all[i]
		p.Name = p.Kind.String() + "_" + identifier(p.Name)
		if taken[p.Name]++; taken[p.Name] > 1 {
			p.Name = fmt.Sprintf("%s__%d", p.Name, taken[p.Name]) // no other name has two underscores and a number at its end
		}
	}
	return x.all
}

// proposer collects proposals.
type proposer struct {
	*Miner
	of  []int // subjects that every run calls
	all []Proposal
}

// values are those of a subject in the runs.
func (m *Miner) values(subject int, of func(*seen) int64) []float64 {
	var all []float64
	for _, r := range m.runs {
		all = append(all, float64(of(&r.of[subject])))
	}
	return all
}

// share is the mean share of the runs in which something took time.
func (m *Miner) share(of func(*run) int64) float64 {
	sum := 0.0
	for _, r := range m.runs {
		if length := r.toNs - r.fromNs; length > 0 {
			sum += min(float64(of(r))/float64(length), 1)
		}
	}
	return sum / float64(len(m.runs))
}

// responses proposes how long calls may take. All functions teach the margin, also those that are not asked for.
func (x *proposer) responses() {
	var longest [][]float64
	for s := range x.subjects {
		if x.everywhere(s) {
			longest = append(longest, x.values(s, func(f *seen) int64 { return f.longestNs }))
		}
	}
	m := learn(longest)
	bounds := make(map[int]bound, len(x.of))
	for _, s := range x.of {
		most := slices.Max(x.values(s, func(f *seen) int64 { return f.longestNs }))
		bounds[s] = upwards(most + m.of(most))
	}
	for _, s := range x.of {
		if x.open(s) || x.implied(s, bounds) {
			continue
		}
		values := x.values(s, func(f *seen) int64 { return f.longestNs })
		b, most := bounds[s], slices.Max(values)
		x.all = append(x.all, Proposal{
			Kind: Response, Name: x.subjects[s].Component + "_" + x.subjects[s].Function,
			Formula: fmt.Sprintf("globally if %s then within %s %s", x.begins(s), b, x.returns(s)),
			Support: fmt.Sprintf("%s; the longest took %s to %s", x.calls(s), text(slices.Min(values)), text(most)),
			Says:    x.share(func(r *run) int64 { return r.of[s].openNs }) * most / max(b.ns, 1),
		})
	}
}

// open reports whether a run ends before a call of a function returns: how long it takes is not known then.
func (m *Miner) open(subject int) bool {
	return slices.ContainsFunc(m.runs, func(r *run) bool { return r.of[subject].waitingNs != schema.NoValue })
}

// implied reports whether a function returns in time because one with the same bound does that is always around it.
func (x *proposer) implied(s int, bounds map[int]bound) bool {
	at := x.pairs.paired[s]
	if at < 0 {
		return false
	}
	for other, t := range x.pairs.subjects {
		if b, asked := bounds[t]; asked && other != at && x.pairs.around[at].has(other) && b.ns <= bounds[s].ns && !x.open(t) {
			return true
		}
	}
	return false
}

// distances proposes how far apart calls start, where that is not far below what is usual.
func (x *proposer) distances() {
	var candidates []int
	var all [][]float64
	for _, s := range x.of {
		closest := x.values(s, func(f *seen) int64 { return f.closestNs })
		fewest := slices.Min(x.values(s, func(f *seen) int64 { return f.starts }))
		if fewest < 3 || slices.Min(closest) <= 0 {
			continue
		}
		for i := range closest {
			closest[i] = -closest[i] // the smallest is the extreme
		}
		candidates, all = append(candidates, s), append(all, closest)
	}
	m := learnSmallest(all)
	for i, s := range candidates {
		least := -slices.Max(all[i])
		b := downwards(least - max(m.absolute, m.relative*least))
		says := x.share(func(r *run) int64 { return r.of[s].starts * int64(b.ns) })
		if b.ns < least/2 || says < 0.1 {
			continue
		}
		x.all = append(x.all, Proposal{
			Kind: Distance, Name: x.subjects[s].Component + "_" + x.subjects[s].Function,
			Formula: fmt.Sprintf("globally if %s then not within (0, %s) %s %s", x.begins(s), b.number, b.unit, x.begins(s)),
			Support: fmt.Sprintf("%s; the closest are %s apart", x.calls(s), text(least)), Says: says,
		})
	}
}

// precedences proposes which function is first called before which: of those that are earlier in every run the one that is latest.
func (x *proposer) precedences() {
	order := slices.Clone(x.of)
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x.runs[0].of[a].first, x.runs[0].of[b].first) })
	for i, s := range order {
		nearest := -1
		for j := i - 1; j >= 0 && j >= i-mostPaired; j-- { // of the first run's order
			if x.before(order[j], s) {
				nearest = order[j]
				break
			}
		}
		if nearest < 0 {
			continue
		}
		a, b := x.subjects[nearest], x.subjects[s]
		x.all = append(x.all, Proposal{
			Kind: Precedence, Name: b.Component + "_" + b.Function + "_after_" + a.Component + "_" + a.Function,
			Formula: fmt.Sprintf("(until not %s we have that %s or globally not %s)", x.begins(s), x.begins(nearest), x.begins(s)),
			Support: fmt.Sprintf("so it is in all of %s", plural(len(x.runs), "run")),
			Says: x.share(func(r *run) int64 {
				return (r.of[s].first - r.of[nearest].first) * (r.toNs - r.fromNs) / max(r.states, 1)
			}),
		})
	}
}

// before reports whether a function is first called before another one in every run.
func (m *Miner) before(a, b int) bool {
	return !slices.ContainsFunc(m.runs, func(r *run) bool { return r.of[a].first >= r.of[b].first })
}

// exclusions proposes which functions are never open at once, though by chance they would have been.
func (x *proposer) exclusions() {
	var found []Proposal
	p := &x.pairs
	asked := make(map[int]bool, len(x.of))
	for _, s := range x.of {
		asked[s] = true
	}
	for a, s := range p.subjects {
		for b := a + 1; b < len(p.subjects) && asked[s]; b++ {
			t := p.subjects[b]
			if !asked[t] || !p.exclusive(a, b) || x.meetings(s, t) < leastMeetings || p.impliedExclusion(a, b) {
				continue
			}
			found = append(found, Proposal{
				Kind: Exclusion, Name: x.subjects[s].Component + "_" + x.subjects[s].Function + "_and_" + x.subjects[t].Component + "_" + x.subjects[t].Function,
				Formula: fmt.Sprintf("globally (if %s then until not %s we have that %s\n    and if %s then until not %s we have that %s)",
					x.begins(s), x.begins(t), x.returns(s), x.begins(t), x.begins(s), x.returns(t)),
				Support: fmt.Sprintf("by chance they would have met %.0f times a run", x.meetings(s, t)),
				Says:    x.share(func(r *run) int64 { return min(r.of[s].openNs, r.of[t].openNs) }),
			})
		}
	}
	slices.SortStableFunc(found, func(a, b Proposal) int { return cmp.Compare(b.Says, a.Says) })
	x.all = append(x.all, found[:min(len(found), mostExclusions)]...)
}

// meetings is how often two functions would be open at once in the run where that is least, if they were called at any time.
func (m *Miner) meetings(a, b int) float64 {
	least := math.Inf(1)
	for _, r := range m.runs {
		length := float64(max(r.toNs-r.fromNs, 1))
		f, g := &r.of[a], &r.of[b]
		least = min(least, float64(f.starts)*float64(g.openNs)/length+float64(g.starts)*float64(f.openNs)/length)
	}
	return least
}

// impliedExclusion reports whether functions around the two exclude each other, or one around the one excludes the other one.
func (p *pairs) impliedExclusion(a, b int) bool {
	for c := range p.subjects {
		if c != a && c != b && (p.around[a].has(c) && p.exclusive(c, b) || p.around[b].has(c) && p.exclusive(a, c)) {
			return true
		}
	}
	return false
}

// calls says how often every run calls a function.
func (m *Miner) calls(s int) string {
	starts := m.values(s, func(f *seen) int64 { return f.starts })
	least, most := slices.Min(starts), slices.Max(starts)
	if least == most {
		return fmt.Sprintf("called %s in each of %s", plural(int(least), "time"), plural(len(m.runs), "run"))
	}
	return fmt.Sprintf("called %.0f to %.0f times in each of %s", least, most, plural(len(m.runs), "run"))
}

// begins and returns are the start and the end of a function's calls.
func (m *Miner) begins(s int) string  { return m.atom("begins", s) }
func (m *Miner) returns(s int) string { return m.atom("returns", s) }

func (m *Miner) atom(definition string, s int) string {
	return fmt.Sprintf("%s(%s, %s)", definition, quote(m.subjects[s].Component), quote(m.subjects[s].Function))
}

// quotable reports whether a text can be written in a specification.
func quotable(s string) bool {
	return s != "" && !strings.Contains(s, "\n") && (!strings.Contains(s, "'") || !strings.Contains(s, `"`))
}

// quote writes a text that is quotable.
func quote(s string) string {
	if strings.Contains(s, "'") {
		return `"` + s + `"`
	}
	return "'" + s + "'"
}

// identifier makes an ID of a text.
func identifier(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
}

// plural is a number of things.
func plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	first, rest, _ := strings.Cut(thing, " of ")
	if rest != "" {
		rest = " of " + rest
	}
	return fmt.Sprintf("%d %ss%s", n, first, rest)
}
