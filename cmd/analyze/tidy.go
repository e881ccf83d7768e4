package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/lake/stores"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// tidyCommand clears up a lake.
func (a *app) tidyCommand() *cobra.Command {
	return &cobra.Command{
		Use: "tidy", Short: "Remove what killed processes left in the lake, and bring it to the present format",
		Long: `Removes what killed processes left behind: files that belong to no table, and files that were being written.
Nothing needs it: such files do not exist for any command, and whoever next writes a run removes what is left of it. It
is for the disk space of runs that nobody writes any more. Staged work stays, so that an analysis that was interrupted
goes on where it was. Runs that other processes are writing are left alone.

It also brings tracelake.duckdb up to date, as every command does that changes the lake: where a process was killed before
it did so, or after a lake was copied.

A lake of format 2, 3 or 4, which earlier programs made, is brought to the present format. Its tables stay as they are; analyze run
makes those of an analysis anew.`,
		Example: "  analyze tidy --lake lake", Args: noArguments,
		RunE: func(c *cobra.Command, _ []string) error { return a.tidy(c.Context()) },
	}
}

// tidy upgrades the lake if it is an old one, and sweeps it.
func (a *app) tidy(ctx context.Context) error {
	log := a.Logger(a.stderr)
	upgraded, err := stores.Upgrade(ctx, a.Lake) // nothing to do for a lake of this format
	if err != nil {
		return err
	}
	if upgraded {
		log.Info(fmt.Sprintf("the lake has format %d now", lake.FormatVersion))
	}
	l, err := a.openToWrite()
	if err != nil {
		return err
	}
	t, err := l.Tidy(ctx)
	if err != nil {
		return err
	}
	for _, busy := range t.Busy { // another process writes it
		log.Info("left alone: " + busy.Error())
	}
	log.Info(texttab.Plural(t.Files, "file") + " removed")
	return views.Follow(ctx, l) // the database of views may be of before
}
