package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/stages/behaviour/components"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

// optionFlags are the flags that set them.
type optionFlags struct {
	bounds       string        // how time bounds are set; empty: by the trace
	epsilon      []string      // durations, or LABEL=DURATION
	defaultBound time.Duration // of --bounds pps
	callbacks    bool          // inferred callbacks hold back what they start
	stages       []string      // names of stages; empty: all
	given        func() bool   // whether the constraints are asked for in a way
	models       modelFlags
}

// addOptionFlags declares the flags of a command that analyzes runs.
func (a *app) addOptionFlags(c *cobra.Command) *optionFlags {
	f := new(optionFlags)
	p := c.Flags()
	p.StringVar(&f.bounds, "bounds", "", "how time bounds are set: paper, pps or declared (default: declared where the trace declares bounds, else paper)")
	p.StringArrayVar(&f.epsilon, "epsilon", nil, "for --bounds paper: what setting up and communicating take at most, as 10us, or MESSAGE=10us for one label; may be given often (default 0)")
	p.DurationVar(&f.defaultBound, "default-bound", constraints.DefaultBoundNs, "for --bounds pps: idle time before a root execution up to which it counts as critical")
	p.BoolVar(&f.callbacks, "callbacks-hold", false, "a callback that was inferred holds back the lifeline that it starts, as a message does; else the lifeline stays as critical as without it")
	p.StringArrayVar(&f.stages, "stage", nil, "run only this stage and those whose tables it needs; may be given often (analyze stages lists them)")
	f.models.add(a, c)
	f.given = func() bool {
		return p.Changed("bounds") || p.Changed("epsilon") || p.Changed("default-bound") || p.Changed("callbacks-hold")
	}
	return f
}

// options checks the flags.
// The options of one label stand in a list that is sorted by label: equal flags give equal options, whatever their
// order, and so equal fingerprints.
func (f *optionFlags) options() (plan.Options, error) {
	o := constraints.Defaults()
	o.Callbacks = f.callbacks // inferred ones, which are no fact of the trace
	var err error
	if o.Bounds, err = constraints.ParseBounds(f.bounds); err != nil { // paper, pps, declared, or by the trace
		return plan.Options{}, console.Usagef("--bounds: %w", err)
	}
	if o.DefaultNs = f.defaultBound.Nanoseconds(); o.DefaultNs < 0 { // of --bounds pps
		return plan.Options{}, console.Usagef("--default-bound %s: not negative", f.defaultBound)
	}
	for _, text := range f.epsilon {
		at := strings.LastIndexByte(text, '=') // a label may contain =
		d, err := time.ParseDuration(text[at+1:])
		switch {
		case err != nil:
			return plan.Options{}, console.Usagef("--epsilon %s: a duration such as 10us, or MESSAGE=10us", text)
		case d < 0:
			return plan.Options{}, console.Usagef("--epsilon %s: not negative", text)
		case at >= 0:
			o.Epsilons = append(o.Epsilons, constraints.Label{Message: text[:at], EpsilonNs: d.Nanoseconds()})
		default:
			o.EpsilonNs = d.Nanoseconds() // for all other messages
		}
	}
	slices.SortStableFunc(o.Epsilons, func(a, b constraints.Label) int { return strings.Compare(a.Message, b.Message) })
	models, err := f.models.options()
	return plan.Options{Constraints: o, Models: models}, err
}

// optionsOf are the options of a run: those asked for now, else those by which it was analyzed before, else the
// defaults. Of a run that has component models, these are made again when they are out of date.
// A second analysis without flags therefore has nothing to do.
func (f *optionFlags) optionsOf(l *lake.Lake, run string) (plan.Options, error) {
	o, err := f.options()
	// Each group of options is remembered by itself, in the manifest of the table that it shapes.
	if err == nil && !f.given() {
		err = remembered(l, "constraints", run, &o.Constraints) // the options by which the table was made
	}
	if err == nil && !f.models.given() {
		err = remembered(l, "models", run, &o.Models)
	}
	o.Gains = f.wants(l, run, plan.GainsStage, "gains") // a run keeps the tables that it has on demand
	o.Steps = f.wants(l, run, plan.CriticalStepsStage, "critical_steps")
	o.Signals = f.wants(l, run, plan.SignalsStage, "derived_signals")
	// To name the stage asks for models with the default options.
	if o.Models == nil && slices.Contains(f.stages, plan.ComponentsStage) {
		o.Models = new(plan.Models)
	}
	return o, err
}

// wants reports whether a stage that runs only where it is asked for is asked for, now or before: the run has its table then.
func (f *optionFlags) wants(l *lake.Lake, run, stage, table string) bool {
	m, err := l.Manifest(table, lake.Run(run))
	return err == nil && m != nil || slices.Contains(f.stages, stage)
}

// remembered reads the options by which a table of a run was made, if there is one.
// It leaves the options alone where the run has no such table.
func remembered(l *lake.Lake, table, run string, into any) error {
	m, err := l.Manifest(table, lake.Run(run))
	if err != nil || m == nil { // keep the defaults
		return err
	}
	if err := json.Unmarshal([]byte(m.Options), into); err != nil { // as the manifest keeps them
		return fmt.Errorf("options of the %s of run %s: %w", table, run, err)
	}
	return nil
}

// chosen are the stages of a plan that are asked for, and those that write what they read.
// Their order is that of the plan.
func (f *optionFlags) chosen(all []pipeline.Stage) ([]pipeline.Stage, error) {
	if len(f.stages) == 0 {
		return all, nil
	}
	for _, name := range f.stages {
		if !slices.ContainsFunc(all, func(s pipeline.Stage) bool { return s.Name == name }) {
			return nil, console.Usagef("--stage %s: no such stage; analyze stages lists them", name)
		}
	}
	return plan.Needed(all, f.stages), nil // in the order of the plan
}

// keepStoredOptions returns flags that ask for nothing, so that every run keeps the options of its last analysis.
func keepStoredOptions() *optionFlags {
	return &optionFlags{defaultBound: constraints.DefaultBoundNs, given: func() bool { return false }}
}

// modelFlags are the flags that set them.
type modelFlags struct {
	wanted                bool                   // --components
	operations            []string               // in the order in which they are done
	per, include, exclude string                 // what gets a model: lifelines or components, and patterns of their names
	local                 bool                   // both ends of a message have events of their own
	changed               func(flag string) bool // nil: no flag was
}

// add declares the flags of component models.
func (f *modelFlags) add(a *app, c *cobra.Command) {
	p := c.Flags()
	p.BoolVar(&f.wanted, "components", false, "also learn an automaton of every component; a run that has them keeps them (analyze models shows them)")
	p.StringArrayVar(&f.operations, "model-operation", nil, "for --components: change the models, as in 'HideActions(.*_ret)' or '<inclusion,Server.*>PrefixClose'; may be given often, done in order")
	a.Choice(p, &f.per, "model-per", "lifeline", "for --components: learn a model of every lifeline, or of every component", "lifeline", "component")
	p.StringVar(&f.include, "model-include", "", "for --components: only models whose whole name matches this pattern")
	p.StringVar(&f.exclude, "model-exclude", "", "for --components: no models whose whole name matches this pattern")
	p.BoolVar(&f.local, "model-local-names", false, "for --components: name the two ends of a message apart, so that no events happen together")
	f.changed = p.Changed
}

// given says whether models are asked for, or asked not to be made now.
// A run without any of these flags keeps the models that it has.
func (f *modelFlags) given() bool {
	flags := []string{"components", "model-operation", "model-per", "model-include", "model-exclude", "model-local-names"}
	return f.changed != nil && slices.ContainsFunc(flags, f.changed) // any of them asks for models
}

// options checks the flags; they are nil where no models are asked for. What is said of models asks for them.
func (f *modelFlags) options() (*plan.Models, error) {
	if !f.given() || f.changed("components") && !f.wanted {
		return nil, nil // none, or asked not to be made now
	}
	// Each pattern is checked by itself, so that the message can name its flag.
	if _, err := components.Choose(f.include, ""); err != nil {
		return nil, console.Usagef("--model-include: %w", err)
	}
	if _, err := components.Choose("", f.exclude); err != nil {
		return nil, console.Usagef("--model-exclude: %w", err)
	}
	o := &plan.Models{Operations: f.operations}
	o.Options = components.Options{Local: f.local, ByComponent: f.per == "component", Include: f.include, Exclude: f.exclude}
	for _, text := range f.operations {
		if err := o.Check(text, os.ReadFile); err != nil {
			return nil, console.Usagef("--model-operation %w", err)
		}
	}
	return o, nil
}
