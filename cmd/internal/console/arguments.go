package console

import "github.com/spf13/cobra"

// AtLeast accepts n arguments or more. The sentence of an error says what to name, since a number of arguments helps nobody.
func AtLeast(n int, sentence string) cobra.PositionalArgs {
	return counted(func(given int) bool { return given >= n }, sentence)
}

// Exactly accepts n arguments; see AtLeast.
func Exactly(n int, sentence string) cobra.PositionalArgs {
	return counted(func(given int) bool { return given == n }, sentence)
}

// AtMost accepts no more than n arguments; see AtLeast.
func AtMost(n int, sentence string) cobra.PositionalArgs {
	return counted(func(given int) bool { return given <= n }, sentence)
}

// counted makes an error of the sentence unless the number of arguments is right.
func counted(right func(int) bool, sentence string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if !right(len(args)) {
			return Usagef("%s; see %s --help", sentence, c.CommandPath())
		}
		return nil
	}
}

// NoArguments is for commands that take flags only.
var NoArguments = AtMost(0, "flags only, no arguments")
