// Command tracelake-iceberg keeps tables of an Iceberg catalog equal to those of a lake. analyze publish starts it, and answers what it
// asks: it knows catalogs and no lakes, so that nothing of Iceberg is part of the other programs.
//
//	tracelake-iceberg publish                      mirrors a lake: see wire.go for what is read from stdin and written to stdout
//	tracelake-iceberg rows [--property KEY=VALUE]... URI NAMESPACE TABLE...
//	                                               reads tables as any engine would, and counts their rows
//
// It is a module of its own: make bin/tracelake-iceberg builds it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "tracelake-iceberg:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	switch {
	case len(args) == 1 && args[0] == "publish":
		return publish(ctx, newLines(os.Stdin, os.Stdout))
	case len(args) >= 4 && args[0] == "rows":
		properties, args := takeProperties(args[1:])
		if len(args) >= 3 {
			return countRows(ctx, args[0], properties, args[1], args[2:], os.Stdout)
		}
	}
	return fmt.Errorf("usage: tracelake-iceberg publish | tracelake-iceberg rows [--property KEY=VALUE]... URI NAMESPACE TABLE...; analyze publish starts the first")
}

// takeProperties takes the properties of a catalog from the beginning of a command line.
func takeProperties(args []string) (properties map[string]string, rest []string) {
	properties = make(map[string]string)
	for len(args) >= 2 && args[0] == "--property" {
		key, value, _ := strings.Cut(args[1], "=")
		properties[key], args = value, args[2:]
	}
	return properties, args
}
