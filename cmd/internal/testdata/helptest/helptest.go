// Package helptest checks the help of a program.
package helptest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/testdata/expect"
)

// twoScreens is the number of lines of two terminals.
const twoScreens = 80

// FitsTwoScreens checks that the help of each command has at most two screens of 40 lines: what is looked up stands in pages of its own.
// No flag is lost by that: each is named in the help of its command, and those that a page explains are explained there. The list of
// commands that a root command without a task of its own shows may be longer.
func FitsTwoScreens(t *testing.T, root *cobra.Command, groups []console.FlagGroup) {
	t.Helper()
	root.InitDefaultHelpCmd() // which is added when a program runs
	var visit func(c *cobra.Command)
	visit = func(c *cobra.Command) {
		text := help(t, c)
		if lines := strings.Count(text, "\n"); lines > twoScreens && !isList(c) {
			t.Errorf("%s --help has %d lines", c.CommandPath(), lines)
		}
		c.LocalFlags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden && c.Runnable() && !strings.Contains(text, "--"+f.Name) {
				t.Errorf("%s --help does not name --%s", c.CommandPath(), f.Name)
			}
		})
		for _, below := range c.Commands() {
			visit(below)
		}
	}
	visit(root)
	for _, g := range groups {
		if g.Topic != "" {
			explains(t, page(t, root, g.Topic), g.Flags)
		}
	}
}

// isList reports whether a command is a root command that only lists others.
func isList(c *cobra.Command) bool { return !c.HasParent() && !strings.Contains(c.Use, " ") }

// page returns a page of the help: a command, or one below the command that shows help.
func page(t *testing.T, root *cobra.Command, topic string) *cobra.Command {
	for _, path := range [][]string{{"help", topic}, {topic}} {
		if found, rest, err := root.Find(path); err == nil && len(rest) == 0 && found != root {
			return found
		}
	}
	t.Fatalf("the help has no page %s", topic)
	return nil
}

// explains checks that a page says what flags are for.
func explains(t *testing.T, page *cobra.Command, flags []string) {
	for _, flag := range flags {
		if !strings.Contains(page.Long, "--"+flag+" ") && !strings.Contains(page.Long, "--"+flag+"[") {
			t.Errorf("the page %s does not explain --%s", page.Name(), flag)
		}
	}
}

// help returns what a command shows for --help.
func help(t *testing.T, c *cobra.Command) string {
	var out bytes.Buffer
	c.SetOut(&out)
	expect.OK(t, c.Help())
	return out.String()
}
