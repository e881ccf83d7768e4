package console

import (
	"fmt"
	"io"
	"slices"
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
// so that none is ever left out. Commands below it are shown as before.
func GroupFlags(grouped *cobra.Command, groups ...FlagGroup) {
	asBefore := grouped.UsageFunc()
	grouped.SetUsageFunc(func(c *cobra.Command) error {
		if c != grouped {
			return asBefore(c)
		}
		out := c.OutOrStderr()
		width := helpWidth(out)
		text := "Usage:\n  " + c.UseLine() + "\n"
		if c.Example != "" {
			text += "\nExamples:\n" + c.Example + "\n"
		}
		text += commandList(c)
		text += groupText(c, groups, width)
		if rest := ungrouped(c, groups); rest.HasFlags() {
			text += "\nOther flags:\n" + rest.FlagUsagesWrapped(width)
		}
		if c.HasAvailableInheritedFlags() {
			text += "\nGlobal Flags:\n" + c.InheritedFlags().FlagUsagesWrapped(width)
		}
		_, err := fmt.Fprintln(out, strings.TrimRight(text, "\n"))
		return err
	})
}

// groupText are the flags of a command in groups. Groups that pages explain are a line each, without space between them.
func groupText(c *cobra.Command, groups []FlagGroup, width int) string {
	text, last := "", ""
	for _, g := range groups {
		if g.Topic == "" || last == "" {
			text += "\n"
		}
		last = g.Topic
		if g.Topic == "" {
			text += g.Title + ":\n" + g.usages(c, width)
			continue
		}
		named := fmt.Sprintf("%s: --%s; see %s help %s", g.Title, strings.Join(g.Flags, ", --"), c.Root().Name(), g.Topic)
		text += texttab.Wrap(named, width, "  ") + "\n"
	}
	return text
}

// ungrouped are the flags of a command that no group has. Those of a root command are those of all commands, too.
func ungrouped(c *cobra.Command, groups []FlagGroup) *pflag.FlagSet {
	rest := pflag.NewFlagSet("rest", pflag.ContinueOnError)
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !slices.ContainsFunc(groups, func(g FlagGroup) bool { return slices.Contains(g.Flags, f.Name) }) {
			rest.AddFlag(f)
		}
	})
	return rest
}

// commandList lists the commands below one, with the pages of the help.
func commandList(c *cobra.Command) string {
	t := texttab.New("lll") // the first column is the indent
	for _, below := range c.Commands() {
		if below.Name() != "help" {
			t.Row("", below.Name(), below.Short)
			continue
		}
		for _, page := range below.Commands() {
			t.Row("", "help "+page.Name(), page.Short)
		}
	}
	var list strings.Builder
	t.Write(&list) // a strings.Builder takes everything
	if list.Len() == 0 {
		return ""
	}
	return "\nCommands:\n" + list.String()
}

// AddHelp adds the command that shows the help of a command, or a page that belongs to none. These pages stand below that command, so
// that none takes the name of a file that the program is given. What is neither is wrong usage.
func AddHelp(root *cobra.Command, pages ...*cobra.Command) {
	help := &cobra.Command{
		Use: "help [COMMAND]", Short: "Help about any command",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err != nil || len(rest) > 0 {
				return Usagef("the help has no page %q; see %s --help", strings.Join(args, " "), c.Root().Name())
			}
			about.InitDefaultHelpFlag() // so that the help names it
			return about.Help()
		},
	}
	help.AddCommand(pages...)
	root.SetHelpCommand(help)
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
