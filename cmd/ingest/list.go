package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	readers "github.com/tracelake/tracelake/stages/ingest"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// formatList is the part of the help that lists the formats.
// It is one line a format, as the help must fit two screens; ingest formats has the words of each.
// In the order in which formats are tried, which is that of the list.
func formatList() string {
	t := texttab.New("lll") // the first column is the indent
	for _, format := range readers.Formats() {
		t.Row("", format.Name, format.Doc)
	}
	var out strings.Builder
	t.Write(&out) // a strings.Builder takes everything
	return out.String()
}

// formatsCommand lists the formats. Its help has the flags of ingest that belong to single ones.
func (f *flags) formatsCommand(ingest *cobra.Command) *cobra.Command {
	return &cobra.Command{
		Use: "formats", Short: "List the formats of traces",
		Long: `Lists the formats that ingest reads, by their names for --format and in the order in which a trace is tried, with the
words that --component may say for each, then what is read of each, and what each word takes for the component of a
function. The first word is the default; where it has nothing to say, as where all functions are of one file, the next
one holds. The flags of ingest for single formats:` + console.TopicFlags(ingest, "formats", flagGroups),
		Example: "  ingest formats",
		Args:    cobra.NoArgs,
		RunE:    func(*cobra.Command, []string) error { return writeFormats(f.stdout) },
	}
}

// writeFormats writes the formats, what is read of each, and their words for --component.
// Quotation marks of Markdown are taken out.
func writeFormats(out io.Writer) error {
	// Three tables, since a remark and the doc of a word would make one too wide for a screen.
	formats, remarks, words := texttab.New("lll"), texttab.New("ll"), texttab.New("lll")
	formats.Row("format", "--component", "what it is")
	remarks.Row("format", "what is read of it, or what a line looks like")
	words.Row("format", "--component", "what is taken for the component of a function")
	plain := strings.NewReplacer("`", "") // docs are Markdown, whose words in backquotes a terminal shows as they are
	for _, format := range readers.Formats() {
		// A format that has no choice of components shows a dash.
		formats.Row(format.Name, cmp.Or(strings.Join(format.ComponentWords(), " "), "-"), format.Doc)
		remarks.Row(format.Name, plain.Replace(format.Remarks))
		for _, c := range format.Components {
			words.Row(format.Name, c.Word, plain.Replace(c.Doc))
		}
	}
	for i, t := range []*texttab.Table{formats, remarks, words} {
		if i > 0 {
			fmt.Fprintln(out)
		}
		if err := t.Write(out); err != nil {
			return err
		}
	}
	return nil
}
