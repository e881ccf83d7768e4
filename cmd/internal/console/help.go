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
	Topic string   // the page of the help that has them in full; "" where the help of the command has
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
			for _, name := range g.Flags {
				grouped[name] = true
			}
			if g.Topic == "" {
				text += "\n" + g.Title + ":\n" + g.usages(c, width)
				continue
			}
			named := fmt.Sprintf("%s: --%s; see %s help %s", g.Title, strings.Join(g.Flags, ", --"), c.Root().Name(), g.Topic)
			text += "\n" + texttab.Wrap(named, width, "  ") + "\n"
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

// usages are the flags of the group with what they are for, which a command has.
func (g *FlagGroup) usages(c *cobra.Command, width int) string {
	flags := pflag.NewFlagSet(g.Title, pflag.ContinueOnError)
	flags.SortFlags = false
	for _, name := range g.Flags {
		flags.AddFlag(c.LocalFlags().Lookup(name))
	}
	return flags.FlagUsagesWrapped(width)
}

// TopicFlags are the flags of a command that a page of the help has in full, for the end of that page.
func TopicFlags(c *cobra.Command, topic string, groups []FlagGroup) string {
	text := ""
	c.Flags().VisitAll(writeUnits)
	for _, g := range groups {
		if g.Topic == topic {
			text += "\n\n" + g.Title + ":\n" + strings.TrimRight(g.usages(c, plainWidth), "\n")
		}
	}
	return text
}

// writeUnitsAlike makes the help of a command and of those below it write microseconds as all other texts do. The library writes
// defaults of durations with the symbol of the unit.
func writeUnitsAlike(c *cobra.Command) {
	help := c.HelpFunc()
	c.SetHelpFunc(func(c *cobra.Command, args []string) {
		c.Flags().VisitAll(writeUnits)
		help(c, args)
	})
}

// writeUnits writes the default of a flag that is a duration with the letters of all other texts.
func writeUnits(f *pflag.Flag) {
	if d, err := time.ParseDuration(f.DefValue); err == nil && f.Value.Type() == "duration" {
		f.DefValue = texttab.Flag(d)
	}
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
