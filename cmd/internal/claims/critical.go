package claims

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/claims"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/schema"
	report "github.com/tracelake/tracelake/stages/report/claims"
	"github.com/tracelake/tracelake/stages/report/texttab"
	"github.com/tracelake/tracelake/stages/timing/claimgraph"
)

// criticalCommand is critical-path --graph with its flags.
type criticalCommand struct {
	command
	graph, epsilon, weight, unit string
}

// units are the words of --unit, in ns.
var units = map[string]int64{"": 0, "ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9, "min": 60e9, "hr": 3600e9}

// CriticalPaths adds to the command critical-path the graphs of claims: with --graph it looks at a whole run instead of paths towards
// an execution.
func CriticalPaths(g *console.Globals, stdout *console.Plain, c *cobra.Command) *cobra.Command {
	f := &criticalCommand{command: command{Globals: g, stdout: stdout}}
	c.Long += `

--graph looks at the claims of a whole run instead, from its beginning to its end (Hendriks et al. 2024, section 6.2). claims: a
claim follows every claim that ended at most --epsilon before it starts (0, 20us or inf). dependencies: it follows those that the
dependencies of the trace name, --weight after each (a duration, or the name of an attribute in units of the trace). Printed are what
the longest paths consist of, and the critical claims that follow no critical claim by a dependency: these waited for a
resource. Runs without claims have executions and messages instead. A cycle of dependencies that no trace can keep is an error that
names it. SQL has the critical claims of each graph that was asked for in the table critical_claims, from which they are printed until
the run is another.`
	c.Example += `
  analyze critical-path pipeline --graph claims --epsilon 0 --picture critical.svg
  analyze critical-path pipeline --graph dependencies --weight weight --unit ms`
	p := c.Flags()
	f.Choice(p, &f.graph, "graph", "", "critical paths of the whole run: claims or dependencies", "", "claims", "dependencies")
	p.StringVar(&f.epsilon, "epsilon", "0", "of --graph claims: how long before a claim starts what it waited for may have ended; inf for any time")
	p.StringVar(&f.weight, "weight", "0", "of --graph dependencies: a duration, or an attribute of dependencies")
	f.Choice(p, &f.unit, "unit", "", "unit of time of the attribute of --weight, by default that of the trace's signals", "", "ns", "us", "ms", "s", "min", "hr")
	p.StringArrayVar(&f.filter, "filter", nil, "of --graph: look only at claims with these attributes, as name=A,type=x; given again, also at those with others")
	p.StringVar(&f.picture, "picture", "", "of --graph: draw the claims over time to FILE.svg, critical ones in red")
	f.storeFlag(p, "of --graph: ", "critical_claims")
	args, run := c.Args, c.RunE
	c.Args = func(c *cobra.Command, given []string) error {
		if f.graph != "" {
			return exactly(1, "name one run")(c, given)
		}
		return args(c, given)
	}
	c.RunE = func(c *cobra.Command, given []string) error {
		for _, name := range []string{"epsilon", "weight", "unit", "filter", "picture", "store"} {
			if f.graph == "" && p.Changed(name) {
				return console.Usagef("--%s belongs to --graph claims or --graph dependencies", name)
			}
		}
		if f.graph == "" {
			return run(c, given)
		}
		for _, name := range []string{"to", "from", "metric", "instance", "deadline", "fail-on", "steps", "constraints", "flame", "against", "comparison"} {
			if p.Changed(name) {
				return console.Usagef("--graph looks at the whole run: leave --%s out", name)
			}
		}
		f.format, _ = p.GetString("format")
		f.top, _ = p.GetInt("top")
		f.stderr = c.ErrOrStderr()
		return f.run(c.Context(), given[0])
	}
	return c
}

// parseEpsilon reads 0, a duration or inf.
func parseEpsilon(text string) (int64, error) {
	if text == "inf" {
		return claimgraph.Infinite, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0, console.Usagef("--epsilon %q: write 0, a duration such as 20us, or inf", text)
	}
	return d.Nanoseconds(), nil
}

// weightOf reads --weight with --unit.
func weightOf(weight, unit string) (claims.Weight, error) {
	w, err := claims.ParseWeight(weight)
	if err != nil {
		return w, console.Usagef("--weight: %w", err)
	}
	w.UnitNs = units[unit]
	if unit != "" && w.Attribute == "" {
		return w, console.Usagef("--unit is that of an attribute, and --weight %s is none", weight)
	}
	return w, nil
}

// weightWords is a weight in words.
func weightWords(text string, w claims.Weight) string {
	if w.Attribute == "" {
		return "weight " + text
	}
	return "weights by attribute " + text
}

// criticalAsk is which graph of a run is asked for.
type criticalAsk struct {
	epsilonNs int64 // of the graph of claims
	weight    claims.Weight
	byEnds    bool   // it is the graph of claims
	words     string // for reports and tables
}

// ask reads the flags of the graph.
func (f *criticalCommand) ask() (a criticalAsk, err error) {
	if a.epsilonNs, err = parseEpsilon(f.epsilon); err != nil {
		return a, err
	}
	if a.weight, err = weightOf(f.weight, f.unit); err != nil {
		return a, err
	}
	a.byEnds, a.words = f.graph == "claims", "claims, epsilon inf"
	switch {
	case !a.byEnds:
		a.words = "dependencies, " + weightWords(f.weight, a.weight)
	case a.epsilonNs != claimgraph.Infinite:
		a.words = "claims, epsilon " + texttab.Exact(a.epsilonNs)
	}
	return a, nil
}

// criticalRun is a run with its critical paths.
type criticalRun struct {
	set       *claims.Set
	run       *claims.Run
	described schema.Run
	found     *claims.Critical
}

// inRun reads a run and finds its critical paths.
func (f *criticalCommand) inRun(ctx context.Context, l *lake.Lake, name string, a *criticalAsk) (*criticalRun, error) {
	set, described, err := f.readOf(ctx, l, []string{name})
	if err != nil {
		return nil, err
	}
	r := set.Runs[0]
	found, err := a.find(set, r)
	return &criticalRun{set, r, described[r.Name], found}, err
}

// find finds the critical paths of a run.
func (a *criticalAsk) find(set *claims.Set, r *claims.Run) (*claims.Critical, error) {
	if a.byEnds {
		return set.CriticalByEnds(r, a.epsilonNs), nil
	}
	return set.CriticalByDependencies(r, a.weight)
}

// run finds the critical paths of a run and reports them.
func (f *criticalCommand) run(ctx context.Context, name string) error {
	a, err := f.ask()
	if err != nil {
		return err
	}
	if err := f.checkPicture(); err != nil {
		return err
	}
	if err := f.checkTop(); err != nil {
		return err
	}
	l, err := stores.Open(f.Lake, false)
	if err != nil {
		return err
	}
	names, err := runs.Select(l, []string{name})
	if err != nil {
		return err
	}
	if len(names) != 1 {
		return console.Usagef("--graph looks at one run, and these are %d: name one of them", len(names))
	}
	out, err := f.kept(l, names[0], a.words)
	if err != nil {
		return err
	}
	if out == nil {
		if out, err = f.found(ctx, l, names[0], &a); err != nil {
			return err
		}
	}
	out.ByEnds, out.Top = a.byEnds, f.top
	return f.write(out)
}

// found finds the critical paths of a run, draws them, and keeps the critical claims.
func (f *criticalCommand) found(ctx context.Context, l *lake.Lake, name string, a *criticalAsk) (*report.Critical, error) {
	c, err := f.inRun(ctx, l, name, a)
	if err != nil {
		return nil, err
	}
	if err := f.draw(func() *report.Picture { return criticalPicture(c.set, c.run, c.found, a.words) }); err != nil {
		return nil, err
	}
	out := criticalReport(c.set, c.run, c.found, f.format == "json")
	out.Graph, out.StartNs, out.DurationNs = a.words, c.described.StartNs, c.described.DurationNs
	return out, f.keepCritical(ctx, l, out)
}

// criticalReport is what is reported of critical paths. A text names the claims that waited, and JSON names all claims and has the edges: a
// run may have a million of them.
func criticalReport(set *claims.Set, r *claims.Run, found *claims.Critical, json bool) *report.Critical {
	out := &report.Critical{
		Run: r.Name, WeightNs: found.WeightNs, All: len(r.Execution), EdgeCount: found.Count, Skipped: found.Skipped, Ordered: r.Ordered(), Claims: []report.Claim{}, Edges: []report.Edge{},
	}
	waits := make([]bool, len(r.Execution))
	for _, i := range found.Waits {
		waits[i] = true
	}
	after := make(map[int32][]string) // of claims that are named and waited
	for _, i := range found.Claims {
		if waits[i] {
			after[i] = nil
		}
	}
	for _, e := range found.Edges {
		if json {
			out.Edges = append(out.Edges, report.Edge{From: r.Seq(e.From), To: r.Seq(e.To)})
		}
		if names, named := after[e.To]; named && e.From != e.To && len(names) < mostNamed {
			after[e.To] = append(names, set.Vertex(r, e.From))
		}
	}
	name, resource, lifeline := texts(set, r, "name"), texts(set, r, "resource"), texts(set, r, "lifeline")
	out.Claims = make([]report.Claim, 0, len(found.Claims))
	for _, i := range found.Claims {
		c := report.Claim{
			Execution: r.Execution[i], ID: r.ID[i], Name: name(int(i)), Resource: resource(int(i)), StartNs: r.StartNs[i], EndNs: r.EndNs[i], Wait: waits[i],
		}
		if names, named := after[i]; named || json {
			c.Text, c.After = set.Text(r, int(i), nil), names
		}
		if c.Resource == "" {
			c.Resource = lifeline(int(i))
		}
		out.Claims = append(out.Claims, c)
	}
	return out
}

// mostNamed is how many claims are named that a claim waited for.
const mostNamed = 3

// criticalPicture draws critical claims in red, and those that waited for a resource in bright red.
func criticalPicture(set *claims.Set, r *claims.Run, found *claims.Critical, words string) *report.Picture {
	const critical, waited = "#e08080", "#ff2020"
	colours := make([]string, len(r.Execution))
	for i := range colours {
		colours[i] = report.Red(0)
	}
	for _, i := range found.Claims {
		colours[i] = critical
	}
	for _, i := range found.Waits {
		colours[i] = waited
	}
	return &report.Picture{
		Title:  "Critical claims of " + r.Name + ", graph of " + words,
		Legend: [][2]string{{report.Red(0), "not critical"}, {critical, "critical"}, {waited, "critical, and waited for a resource"}},
		Runs:   []report.Lanes{lanes(set, r, func(i int) string { return colours[i] })},
	}
}
