package main

import (
	"fmt"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline/plan"
	"github.com/tracelake/tracelake/stages/behaviour/components"
)

// modelFlags are the flags that set them.
type modelFlags struct {
	wanted                bool                   // --components
	operations            []string               // in the order in which they are done
	per, include, exclude string                 // what gets a model: lifelines or components, and patterns of their names
	local                 bool                   // both ends of a message have events of their own
	changed               func(flag string) bool // nil: no flag was
}

// add declares the flags of component models.
func (f *modelFlags) add(c *cobra.Command) {
	p := c.Flags()
	p.BoolVar(&f.wanted, "components", false, "also learn an automaton of every component; a run that has them keeps them (analyze models shows them)")
	p.StringArrayVar(&f.operations, "model-operation", nil, "for --components: change the models, as in 'HideActions(.*_ret)' or '<inclusion,Server.*>PrefixClose'; may be given often, done in order")
	p.StringVar(&f.per, "model-per", "lifeline", "for --components: learn a model of every lifeline, or of every component")
	p.StringVar(&f.include, "model-include", "", "for --components: only models whose whole name matches this pattern")
	p.StringVar(&f.exclude, "model-exclude", "", "for --components: no models whose whole name matches this pattern")
	p.BoolVar(&f.local, "model-local-names", false, "for --components: name the two ends of a message apart, so that no events happen together")
	f.changed = p.Changed
}

// given says whether models are asked for, or asked not to be made now.
// A run without any of these flags keeps the models that it has.
func (f *modelFlags) given() bool {
	flags := []string{"components", "model-operation", "model-per", "model-include", "model-exclude", "model-local-names"}
	return f.changed != nil && slices.ContainsFunc(flags, f.changed)
}

// options checks the flags; they are nil where no models are asked for. What is said of models asks for them.
func (f *modelFlags) options() (*plan.Models, error) {
	if !f.given() || f.changed("components") && !f.wanted {
		return nil, nil
	}
	if f.per != "lifeline" && f.per != "component" {
		return nil, console.Usagef("--model-per %q: lifeline or component", f.per)
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
		if err := checkOperation(o, text); err != nil {
			return nil, console.Usagef("--model-operation %w", err)
		}
	}
	return o, nil
}

// checkOperation reads an operation and the file of domain knowledge that it names, which it adds to the options.
// The text of the file is kept with the options: models must be the same when they are made again without the
// file.
func checkOperation(o *plan.Models, text string) error {
	op, err := components.ParseOperation(text)
	if err != nil || op.Name != "InjectDomainKnowledge" {
		return err
	}
	path := op.Arguments[1]
	content, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("%q: %w", text, err)
	}
	known := plan.Knowledge{Path: path, Text: string(content)}
	// It is parsed here only to refuse a broken file before the analysis begins.
	if _, _, err := known.Model(); err != nil {
		return fmt.Errorf("%q: %w", text, err)
	}
	if !slices.ContainsFunc(o.Knowledge, func(k plan.Knowledge) bool { return k.Path == path }) {
		o.Knowledge = append(o.Knowledge, known)
	}
	return nil
}
