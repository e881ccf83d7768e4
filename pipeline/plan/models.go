package plan

import (
	"fmt"
	"slices"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/behaviour/components"
)

// Models are what the component models of a run are asked for. They stand with the models, and with them what is in
// the files that operations name, so that the models can be made again without the files.
type Models struct {
	components.Options
	Operations []string    // as they are written, in order
	Knowledge  []Knowledge // files that the operations name; their texts are a part of the fingerprint
}

// Knowledge is a file of domain knowledge, in CIF.
type Knowledge struct{ Path, Text string } // the file as the user named it, and what stood in it when the analysis was planned

// Model reads the one automaton of a file, with its alphabet. Any other number of automata is an error: domain knowledge is
// combined with every component's model, and a file of several would not say which.
func (k Knowledge) Model() (*schema.Dictionary, *components.Model, error) {
	alphabet := new(schema.Dictionary)
	models, err := components.ReadCIF(k.Path, k.Text, alphabet)
	if err != nil {
		return nil, nil, err
	}
	if len(models) != 1 {
		return nil, nil, fmt.Errorf("%s has %d automata, and domain knowledge is one", k.Path, len(models))
	}
	return alphabet, models[0], nil
}

// Check checks an operation, and reads the file of domain knowledge that it names, which is added to the options. The text of the file
// is kept with the options: models must be the same when they are made again without the file.
func (o *Models) Check(text string, read func(path string) ([]byte, error)) error {
	op, err := components.ParseOperation(text)
	if err != nil || op.Name != "InjectDomainKnowledge" {
		return err
	}
	path := op.Arguments[1]
	content, err := read(path)
	if err != nil {
		return fmt.Errorf("%q: %w", text, err)
	}
	known := Knowledge{Path: path, Text: string(content)}
	// It is parsed here only to refuse a broken file before the analysis begins.
	if _, _, err := known.Model(); err != nil {
		return fmt.Errorf("%q: %w", text, err)
	}
	if !slices.ContainsFunc(o.Knowledge, func(k Knowledge) bool { return k.Path == path }) {
		o.Knowledge = append(o.Knowledge, known)
	}
	return nil
}

// apply applies the operations in their order, each to the result of the one before. Models of files come from the texts that are
// stored with the options, so that a task in another process, and a later reader, need no file.
func (o *Models) apply(s *components.Set) (*components.Set, error) {
	known := func(path string) (*schema.Dictionary, *components.Model, error) {
		i := slices.IndexFunc(o.Knowledge, func(k Knowledge) bool { return k.Path == path })
		return o.Knowledge[i].Model()
	}
	for _, text := range o.Operations {
		op, err := components.ParseOperation(text)
		if err != nil {
			return nil, err
		}
		if s, err = op.Apply(s, known); err != nil {
			return nil, err
		}
	}
	return s, nil
}
