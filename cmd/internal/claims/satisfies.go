package claims

import (
	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	report "github.com/tracelake/tracelake/stages/report/claims"
)

// satisfiesCommand is analyze satisfies.
func satisfiesCommand(g *console.Globals, stdout *console.Plain) *cobra.Command {
	f := &command{Globals: g, stdout: stdout}
	var constraints, weight, unit, failOn string
	c := &cobra.Command{
		Use: "satisfies RUN [--constraints OTHER]", Short: "Say which dependencies of another run a run does not keep",
		Long: `Holds a run against the dependencies of another one (Hendriks et al. 2024, section 6.4.3): the target of each must come at least
its weight after its source. Lists those that are not kept, and by how much. A model whose claims carry their shortest times as
weights is so held against a recorded system, or the other way around.

Claims and events are the same in both runs where their attributes are, of equal ones the i-th is the i-th. --by names the attributes;
without it all count. Without --constraints a run is held against its own dependencies.

Exit code: 0 fine, 1 failed, 2 wrong usage, 3 a dependency is not kept and --fail-on is broken.`,
		Example: `  analyze satisfies system --constraints model --weight weight --unit ms
  analyze satisfies pipeline --weight 1ms --fail-on broken`,
		Args: exactly(1, "name one run"),
		RunE: func(c *cobra.Command, args []string) error {
			w, err := weightOf(weight, unit)
			if err != nil {
				return err
			}
			if err := f.checkTop(); err != nil {
				return err
			}
			other := constraints
			if other == "" {
				other = args[0]
			}
			set, _, err := f.read(c.Context(), []string{args[0], other})
			if err != nil {
				return err
			}
			if want := min(2, 1+len(constraints)); len(set.Runs) > 2 || len(set.Runs) != want && args[0] != other {
				return console.Usagef("one run is held against one other, and these are %d: name them", len(set.Runs))
			}
			run, against := set.Runs[0], set.Runs[len(set.Runs)-1]
			s, err := set.Satisfies(run, against, w, f.by)
			if err != nil {
				return err
			}
			r := &report.Satisfied{Run: run.Name, Constraints: against.Name, Weight: weightWords(weight, w), Dependencies: s.Dependencies, Asked: s.Asked, Skipped: s.Skipped, Broken: []report.Broken{}, Top: f.top}
			for _, b := range s.Broken {
				r.Broken = append(r.Broken, report.Broken{Dependency: b.Dependency.Number, From: b.From, To: b.To, FromNs: b.FromNs, ToNs: b.ToNs, WeightNs: b.WeightNs, ByNs: b.ByNs, OriginNs: run.OriginNs})
			}
			if err := f.write(r); err != nil {
				return err
			}
			if failOn == "broken" && len(s.Broken) > 0 {
				return console.Exit(console.Changed)
			}
			return nil
		},
	}
	f.flags(c, "attributes by which claims and events of both runs are the same")
	p := c.Flags()
	p.StringVar(&constraints, "constraints", "", "the run whose dependencies are constraints")
	p.StringVar(&weight, "weight", "0", "how long after its source a target comes at least: a duration, or an attribute of dependencies")
	f.Choice(p, &unit, "unit", "", "unit of time of the attribute of --weight, by default that of the trace's signals", "", "ns", "us", "ms", "s", "min", "hr")
	f.Choice(p, &failOn, "fail-on", "", "exit with code 3 when a dependency is not kept: broken", "", "broken")
	return c
}
