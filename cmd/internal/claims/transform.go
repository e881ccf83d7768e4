package claims

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/pipeline/transform"
	"github.com/tracelake/tracelake/stages/checks/spec"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// transformCommand is analyze transform.
func transformCommand(g *console.Globals, stdout *console.Plain) *cobra.Command {
	f := &command{Globals: g, stdout: stdout}
	var file, as, match string
	var labels []string
	var replace bool
	c := &cobra.Command{
		Use: "transform RUN --spec FILE --run NEW", Short: "Make a run of events, claims and signals that temporal logic finds in another one",
		Long: `Makes a run of a run (Hendriks et al. 2024, section 5), such as claims of actions out of low-level events and motor positions, so that a
recording and a model can be compared. The file has transformations, each of which works on what the one before made:

  transformation actions {
    interval : [0, 2.5] s;                       only what lies in it, by the clock of the trace
    event-filter : {'type'='spike'};             also claim-filter, signal-filter; one of several filters suffices
    def up : {'name'='NEEDLE_UP'};               definitions and signals, as in a specification
    signal pos : {'name'='position'};
    claim-spec extend : (up and pos <= 0.5), (up and pos >= 1.5), {'resource'='needle', 'action'='extend'};
    event-spec top : (up and pos >= 1.5), {'name'='top'};
    signal-spec half : min(pos, pos), {'name'='half'};
    trim : extend[0] to extend[49];              counted from 0, the second from where the first starts
    shift : to-zero;                             or a time, such as -1.5 s
    strategy : augment;                          beside what there was; without it instead of it
  }

A claim goes from a state where the first formula holds to the earliest later one of the second; with --match shared one end may be that
of several claims. Dependencies are followed over what is left out; their attribute weight is the longest sum of the durations of claims
on the way, in the unit of time of the run's signals, or seconds. The new run has the times of the old one in nanoseconds, and the
labels of --label.`,
		Example: `  analyze transform bonder --spec actions.etl --run bonder-actions
  analyze transform bonder --spec actions.etl --run bonder-actions --replace --match shared`,
		Args: exactly(1, "name one run"),
		RunE: func(c *cobra.Command, args []string) error {
			if file == "" || as == "" {
				return console.Usagef("name a file of transformations and the new run: --spec FILE --run NEW")
			}
			if err := lake.CheckName(as); err != nil {
				return console.Usagef("--run: %w", err)
			}
			given, err := console.Labels(labels)
			if err != nil {
				return err
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			steps, err := spec.ParseTransformations(file, string(text))
			if err != nil {
				return &console.UsageError{Err: err}
			}
			l, err := stores.Open(f.Lake, false)
			if err != nil {
				return err
			}
			names, err := runs.Select(l, args)
			if err != nil {
				return err
			}
			if len(names) != 1 || names[0] == as {
				return console.Usagef("one run is made of one other: name a run, and another name with --run")
			}
			j := &transform.Job{Lake: l, Run: names[0], As: as, Steps: steps, Shared: match == "shared", Replace: replace, Labels: given, Jobs: f.Jobs, Memory: f.TaskMemory()}
			r, err := j.Transform(c.Context())
			if err != nil {
				return err
			}
			if err := f.writeMade(as, r); err != nil {
				return err
			}
			return views.Follow(c.Context(), l)
		},
	}
	p := c.Flags()
	p.StringVar(&file, "spec", "", "the transformations")
	p.StringVar(&as, "run", "", "the name of the new run")
	f.Choice(p, &match, "match", "once", "whether an end of claims is that of one only: once or shared", "once", "shared")
	p.StringArrayVar(&labels, "label", nil, "label of the new run, KEY=VALUE; several may be given")
	p.BoolVar(&replace, "replace", false, "replace a run of that name")
	f.Choice(p, &f.format, "format", "text", "text or json", "text", "json")
	return c
}

// writeMade says what was made.
func (f *command) writeMade(as string, r *transform.Result) error {
	if f.format == "json" {
		return json.NewEncoder(f.stdout).Encode(r.Made)
	}
	t := texttab.New("lrrrrrr")
	t.Row("transformation", "claims", "events", "signals", "dependencies", "starts without end", "trimmed")
	for _, m := range r.Made {
		t.Row(texttab.Printable(m.Name), texttab.Count(m.Claims), texttab.Count(m.Events), texttab.Count(m.Signals), texttab.Count(m.Dependencies), texttab.Count(m.Unmatched), texttab.Count(m.Left))
	}
	if err := t.Write(f.stdout); err != nil {
		return err
	}
	fmt.Fprintf(f.stdout, "run %s: %s\n", as, texttab.Plural(r.Run.Events, "event"))
	if r.Unspelled > 0 {
		fmt.Fprintf(f.stdout, "%d dependencies between a start and an event left out: ETF has no form for them\n", r.Unspelled)
	}
	return nil
}
