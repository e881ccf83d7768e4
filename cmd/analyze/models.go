package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/report/models"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// modelsFlags are the flags of analyze models.
type modelsFlags struct {
	chosen         []string // names or patterns of components; empty for all
	format, folder string   // the folder is empty for the standard output
	replay         bool     // replay the trace instead of showing models
	buffers        string   // one buffer per "receiver", or per "pair" of receiver and sender
	bound          int      // messages that a buffer has room for; 0 for any number
}

// modelsLong is the help of analyze models.
const modelsLong = `Shows the models that analyze run --components has learned: for every component an automaton that executes its
service fragments one after the other, in any order. Events that two models share are messages, which both take together
(Constructive Model Inference; Hooimeijer et al. 2022; Hilbig 2023, section 2.2).

Without --component it lists the models, with it the transitions of those named. --format cif writes them as MIDS does, for
its tools and those of Eclipse ESCET; dot is for Graphviz.

--replay lets the models run side by side, with first-in first-out buffers between them, and takes the trace through them
event by event: does the system accept it, and how much room do the buffers need? Messages from and to what has no model
pass no buffer. It does so with the models as they were learned, before any operation.

Exit code: 0 fine, 1 failed, 2 wrong usage, 3 the system does not accept the trace.`

// modelsCommand shows component models or replays the trace through them.
func (a *app) modelsCommand() *cobra.Command {
	var f modelsFlags
	c := &cobra.Command{
		Use:   "models RUN",
		Short: "Show the component models of a run, or replay its trace through them",
		Long:  modelsLong,
		Example: `  analyze models nightly
  analyze models nightly --component server
  analyze models nightly --format cif -o models
  analyze models nightly --replay --buffers pair --bound 1`,
		Args: exactly(1, "name a run"),
		RunE: func(c *cobra.Command, args []string) error {
			// Text is for the screen; files are for the tools that read CIF.
			if f.folder != "" && !c.Flags().Changed("format") {
				f.format = "cif"
			}
			// A flag without effect would be taken for one that works.
			if !f.replay && (c.Flags().Changed("buffers") || c.Flags().Changed("bound")) {
				return console.Usagef("--buffers and --bound are for --replay")
			}
			return a.models(c.Context(), args[0], f)
		},
	}
	p := c.Flags()
	p.StringArrayVar(&f.chosen, "component", nil, "only the models of components with this name or pattern, such as 'lib_*'; may be given often")
	a.Choice(p, &f.format, "format", "text", "text, json, cif or dot", "text", "json", "cif", "dot")
	p.StringVarP(&f.folder, "output", "o", "", "the folder to write to, a file for every model, in CIF unless --format says another")
	p.BoolVar(&f.replay, "replay", false, "replay the trace through the models")
	a.Choice(p, &f.buffers, "buffers", "receiver", "of --replay: one buffer for every receiver, or for every pair of a receiver and a sender", "receiver", "pair")
	p.IntVar(&f.bound, "bound", 0, "of --replay: how many messages a buffer has room for; 0: for any number")
	return c
}

// check refuses flags that contradict each other.
func (f *modelsFlags) check() error {
	switch {
	case f.folder != "" && f.format == "text":
		return console.Usagef("--format text goes to the standard output: without -o")
	case f.replay && (f.folder != "" || len(f.chosen) > 0 || f.format == "cif" || f.format == "dot"):
		return console.Usagef("--replay is of all models, and is printed as text or json")
	case f.bound < 0:
		return console.Usagef("--bound is 1 or more, or 0 for any number")
	}
	return nil
}

// models reads the models of a run and writes them in the chosen format. The lake is only read.
func (a *app) models(ctx context.Context, run string, f modelsFlags) error {
	if err := f.check(); err != nil {
		return err
	}
	l, err := a.open()
	if err != nil {
		return err
	}
	m, err := runs.OpenModels(l, run) // wrong usage where the run has none
	if err != nil {
		return err
	}
	// A replay learns the models again and needs none of those in the tables.
	if f.replay {
		return a.replay(ctx, m, f)
	}
	set, err := m.Read()
	if err != nil {
		return err
	}
	if err := choose(set, run, f.chosen); err != nil { // a pattern that matches nothing is wrong usage
		return err
	}
	listing := &models.Listing{Run: run, Options: m.Options, Operations: m.Operations, Set: set}
	switch {
	case f.format == "json":
		return a.writeModelsJSON(listing, f.folder)
	case f.format == "cif":
		return a.eachModel(set, f.format, f.folder, set.WriteCIF)
	case f.format == "dot":
		return a.eachModel(set, f.format, f.folder, set.WriteDOT)
	case len(f.chosen) > 0: // those that were chosen, in full
		return models.WriteTransitions(a.stdout, set)
	}
	return listing.WriteText(a.stdout)
}

// replay takes the trace of a run through its models. A trace that the system does not accept is exit code 3.
// It reads the run twice.
func (a *app) replay(ctx context.Context, m *runs.Models, f modelsFlags) error {
	meter, done := a.Progress(a.stderr, "replay", false)
	verdict, n, err := m.Replay(ctx, components.Buffers{BySender: f.buffers == "pair", Bound: f.bound}, meter)
	done()
	if err != nil {
		return fmt.Errorf("replay of run %s: %w", m.Run, err)
	}
	report := &models.Replay{Run: m.Run, Models: n, Changed: len(m.Operations) > 0, Verdict: verdict}
	err = inFormat(f.format, report.WriteText, report.WriteJSON)(a.stdout) // the verdict is no error of the command
	if err == nil && !verdict.Accepted {
		return console.Exit(console.Changed)
	}
	return err
}

// choose removes the models that no pattern matches. Every pattern must match a model.
// The order of the models stays.
func choose(set *components.Set, run string, patterns []string) error {
	var names []string
	for _, m := range set.Models {
		names = append(names, m.Component) // for the message of an error
	}
	for _, p := range patterns {
		if !slices.ContainsFunc(names, func(name string) bool { return runs.MatchesPattern(name, p) }) {
			return console.Usagef("--component %q: run %s has no such model; it has %s", p, run, runs.FirstNames(names))
		}
	}
	if len(patterns) > 0 {
		set.Models = slices.DeleteFunc(set.Models, func(m *components.Model) bool {
			return !slices.ContainsFunc(patterns, func(p string) bool { return runs.MatchesPattern(m.Component, p) })
		})
	}
	return nil
}

// eachModel writes every model to a file of its own in a folder, or to the standard output where none is given.
// The file of a model is named after its component, and its ending is the format.
func (a *app) eachModel(set *components.Set, format, folder string, write func(io.Writer, *components.Model) error) error {
	if folder == "" {
		for _, m := range set.Models {
			if err := write(a.stdout, m); err != nil {
				return err
			}
		}
		return nil
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	for _, m := range set.Models {
		err := a.writeOutput(filepath.Join(folder, m.Component+"."+format), func(out io.Writer) error { return write(out, m) }) // complete or not at all
		if err != nil {
			return err
		}
	}
	a.Logger(a.stderr).Info(fmt.Sprintf("%s: %s", folder, texttab.Plural(len(set.Models), strings.ToUpper(format)+" file")))
	return nil
}

// writeModelsJSON writes one object of all models, or a file for each of them.
// Each file has the same form as the one object of all models.
func (a *app) writeModelsJSON(all *models.Listing, folder string) error {
	if folder == "" {
		return all.WriteJSON(a.stdout)
	}
	return a.eachModel(all.Set, "json", folder, func(out io.Writer, m *components.Model) error {
		one := *all
		one.Set = &components.Set{Alphabet: all.Set.Alphabet, Models: []*components.Model{m}} // the alphabet is shared by all models
		return one.WriteJSON(out)
	})
}
