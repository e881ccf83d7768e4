package main

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// lineFormats are the formats of lines, without a Reader.
var lineFormats = []known{
	{format: schema.Format{Name: "thesis"}, what: "lines of TIME COMPONENT >|< FUNCTION [!id|?id]", components: "-"},
	{format: schema.Format{Name: "tmsctrace"}, what: "lines of TIME EXECUTOR COMPONENT >|< FUNCTION [!id|?id]*", components: "-"},
	{format: schema.Format{Name: "table"}, what: "CSV or TSV with a header", components: "-"},
	{format: schema.Format{Name: "tmsct"}, what: "the textual language of TMSC", components: "-"},
}

// formatsCommand lists the formats.
func (f *flags) formatsCommand() *cobra.Command {
	return &cobra.Command{
		Use: "formats", Short: "List the formats of traces",
		Long: `Lists the formats that ingest reads, by their names for --format, with the words that --component may say for each.
The first word is the default; where it has nothing to say, as where all functions are of one file, the next one holds.`,
		Example: "  ingest formats",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			t := texttab.New("lll")
			t.Row("format", "--component", "what it is")
			for _, k := range slices.Concat(lineFormats, readers) {
				t.Row(k.format.Name, k.components, k.what)
			}
			return t.Write(f.stdout)
		},
	}
}
