package console

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/tracelake/tracelake/stages/report/texttab"
)

// FlagGroup is a part of the flags of a command, under a title of its own in the help.
type FlagGroup struct {
	Title string   // without a colon
	Flags []string // names, in the order of the help
}

// plainWidth is the number of columns to which help is wrapped where no terminal says another.
const plainWidth = 120

// GroupFlags shows the flags of a command in groups, and wraps them to the terminal. A flag without a group is shown behind them,
// so that none is ever left out.
func GroupFlags(c *cobra.Command, groups ...FlagGroup) {
	c.SetUsageFunc(func(c *cobra.Command) error {
		out := c.OutOrStderr()
		width := helpWidth(out)
		text := "Usage:\n  " + c.UseLine() + "\n"
		if c.Example != "" {
			text += "\nExamples:\n" + c.Example + "\n"
		}
		grouped := make(map[string]bool)
		for _, g := range groups {
			flags := pflag.NewFlagSet(g.Title, pflag.ContinueOnError)
			flags.SortFlags = false
			for _, name := range g.Flags {
				flags.AddFlag(c.LocalFlags().Lookup(name))
				grouped[name] = true
			}
			text += "\n" + g.Title + ":\n" + flags.FlagUsagesWrapped(width)
		}
		rest := pflag.NewFlagSet("rest", pflag.ContinueOnError)
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			if !grouped[f.Name] {
				rest.AddFlag(f)
			}
		})
		if rest.HasFlags() {
			text += "\nOther flags:\n" + rest.FlagUsagesWrapped(width)
		}
		if c.HasAvailableInheritedFlags() {
			text += "\nGlobal Flags:\n" + c.InheritedFlags().FlagUsagesWrapped(width)
		}
		_, err := fmt.Fprintln(out, strings.TrimRight(text, "\n"))
		return err
	})
}

// writeUnitsAlike makes the help of a command and of those below it write microseconds as all other texts do. The library writes
// defaults of durations with the symbol of the unit.
func writeUnitsAlike(c *cobra.Command) {
	help := c.HelpFunc()
	c.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if d, err := time.ParseDuration(f.DefValue); err == nil && f.Value.Type() == "duration" {
				f.DefValue = texttab.Flag(d)
			}
		})
		help(c, args)
	})
}

// helpWidth returns the number of columns of a terminal, and of other outputs the one that texts are written for.
func helpWidth(out io.Writer) int {
	if f := terminal(out); f != nil {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 40 {
			return columns
		}
	}
	return plainWidth
}
