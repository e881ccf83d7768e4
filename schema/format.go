package schema

import (
	"fmt"
	"io/fs"
	"regexp"
	"strings"
)

// Format describes a format of traces: what it is called, how a trace of it is found, and how it is read. The package of
// a format returns its description, and package stages/ingest lists them all; help, detection, documentation and
// measurements follow from that list.
//
// A format is read in one of two ways. A trace of lines in the order of time is cut into pieces, which Parsers parse
// at the same time: such a format has Prepare. Any other trace is read by one Reader: such a format has NewReader.
type Format struct {
	Name    string // the word for --format, and the format of a run in the table runs
	Doc     string // what it is and which tools write it, in less than a line
	Remarks string // what is read of it, or what a line of it looks like, in about a line; Markdown

	// Components are the words for --component that the format knows, the default first. It is empty where there
	// is no choice, as where every line of a trace names its component.
	Components []ComponentWord

	// Endings of file names, such as ".otf2", are left out where a run is named after its trace.
	Endings []string

	// CommonNames are names that tools give the file of every trace, in a folder of its own. The run is named after the
	// folder then.
	CommonNames []string

	// IsFile reports whether a file is a trace, or names one, by its first bytes, which may end anywhere: 64 KiB, and
	// 4 MiB where no format knows these. It is nil where no single file is a trace, and where Prepare decides.
	IsFile func(head []byte) bool
	// Folder says that a trace is a whole folder, of which a file that IsFile knows is a part.
	Folder bool
	// FindIn lists the traces that lie right in a folder of a file system: files in it, or the folder itself where
	// all of it is one trace. It is nil where traces are found only when their files are named.
	FindIn func(fsys fs.FS, dir string) (traces []string)

	NewReader  func(*Reading) Reader // returns a Reader of one run; nil where Parsers parse the trace
	Clocks     string                // the word of Components whose components have clocks of their own; "": none, or the Reader is a ClockReader
	NameArgs   bool                  // the Reader knows ReadingOptions.NameArgs
	Attributes bool                  // the Reader knows ReadingOptions.Attributes
	Several    bool                  // a Reader takes several traces as one run
	AllTraced  bool                  // traces have all components, so that nobody else can have called one back that waits
	Anchor     bool                  // the trace is named by one file, and its other files lie beside it under the same name

	// Prepare completes the format for a text that begins with head: it sets Header and NewParser, and reports whether
	// the text looks like one of the format. Where it does not, the format is complete nevertheless if the text can be
	// parsed all the same, and has no NewParser otherwise. The error is for a text of the format that cannot be read,
	// or for options that do not fit. Prepare is nil where a Reader reads the trace, unless options say what its beginning means.
	Prepare   func(head []byte, options ReadingOptions) (f Format, likely bool, err error)
	Ending    string        // of files that are of the format whatever Prepare says; "" where there is none
	Whole     bool          // a file must be parsed in one piece, since any part of it may bear on any other
	Header    int           // bytes at the start of the trace that are no events
	NewParser func() Parser // returns a Parser for one goroutine

	// NewGrowing returns a parser of a trace that a Reader reads, for whoever watches the trace while it is being written. Its Parse takes any
	// bytes and keeps what is not whole; events come in the order of the trace, and those of one lifeline in the order of time. It is nil
	// where a trace shows nothing before it is whole, and where Parsers parse it.
	NewGrowing func(ReadingOptions) Parser
}

// ComponentWord is a word that says what a format takes for the component of a function.
type ComponentWord struct {
	Word string // as --component has it
	Doc  string // what it takes for the component, in less than a line
	Any  bool   // Word stands for any word, such as the name of an attribute
	Rule bool   // it may be followed by a rule, see ComponentRule
}

// ComponentRule takes a word of --component apart: the word itself, and, where "=" stands behind it, the regular expression whose first
// group takes the component out of what the word says. The rule is nil where there is none.
func ComponentRule(text string) (word string, rule *regexp.Regexp, err error) {
	word, expression, ok := strings.Cut(text, "=")
	if !ok {
		return text, nil, nil
	}
	if rule, err = regexp.Compile(expression); err == nil && rule.NumSubexp() == 0 {
		err = fmt.Errorf("%q has no group: put what is to be the component into ()", expression)
	}
	return word, rule, err
}

// CheckComponent returns an *UnknownComponentError for a word of --component that the format does not know. The empty
// word is the default of every format.
func (f Format) CheckComponent(word string) error {
	for _, c := range f.Components {
		if c.Any || c.Word == word {
			return nil
		}
		if before, _, err := ComponentRule(word); c.Rule && c.Word == before {
			if err != nil {
				return &UnknownComponentError{Format: f.Name, Word: word, Err: err}
			}
			return nil
		}
	}
	if word == "" {
		return nil
	}
	return &UnknownComponentError{Format: f.Name, Word: word, Known: f.ComponentWords()}
}

// ComponentWords are the words of Components alone.
func (f Format) ComponentWords() []string {
	words := make([]string, len(f.Components))
	for i, c := range f.Components {
		words[i] = c.Word
	}
	return words
}

// UnknownArgumentError is an argument asked for in the names of calls of a format whose calls have none.
type UnknownArgumentError struct {
	Format string // the name of the format
	Field  string // the first argument that was asked for
}

func (e *UnknownArgumentError) Error() string {
	return fmt.Sprintf("--name-arg %q: calls in %s traces have no arguments that could become part of their names", e.Field, e.Format)
}

// NoAttributesError says that attributes are asked for of a trace of which none are kept.
type NoAttributesError struct {
	Format string // the name of the format
}

func (e *NoAttributesError) Error() string {
	return fmt.Sprintf("--attributes: calls in %s traces have no attributes that are kept", e.Format)
}

// UnknownComponentError is a word of --component that the format of a trace does not know.
type UnknownComponentError struct {
	Format string   // the name of the format
	Word   string   // the word that was asked for
	Known  []string // the words of the format; empty where there is no choice
	Err    error    // what is wrong with its rule; nil where the word is not known
}

func (e *UnknownComponentError) Error() string {
	switch {
	case e.Err != nil:
		return fmt.Sprintf("--component %q: %v", e.Word, e.Err)
	case len(e.Known) == 0:
		return fmt.Sprintf("--component %q: there is no choice of components in %s traces", e.Word, e.Format)
	}
	return fmt.Sprintf("--component %q: one of %s in %s traces", e.Word, strings.Join(e.Known, " "), e.Format)
}
