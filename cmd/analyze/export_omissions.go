package main

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/export/otf1"
	"github.com/tracelake/tracelake/stages/export/text"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// omission is something that a format could not say.
type omission struct {
	count int64
	what  string
}

func ofText(o text.Omissions) []omission {
	return []omission{
		{o.Synthetic, "events left out: they were invented on ingest"},
		{o.Messages, "messages left out: a line has room for one"},
		{o.Lifelines, "events whose thread is not told: the text has components only"},
		{o.Names, "names with characters replaced by _"},
		{o.Identifiers, "identifiers with _ between series and number"},
		{o.Times, "events before time 0, written at 0"},
	}
}

func ofFiles(o otf1.Omissions) []omission {
	return []omission{
		{o.Synthetic, "events left out: they were invented on ingest"},
		{o.Times, "events earlier than the one before, written at its time"},
		{o.Names, "names with characters replaced"},
		{o.Guessed, "messages whose receiver was guessed, as its receipt was far away"},
		{o.Missed, "of these messages guessed wrongly, so that their ends are not tied"},
	}
}

// tellOmissions says what an export could not say.
func (a *app) tellOmissions(run string, omissions []omission) {
	for _, o := range omissions {
		if o.count > 0 && !a.Quiet {
			fmt.Fprintf(a.stderr, "run %s: %s %s\n", run, texttab.Count(o.count), o.what)
		}
	}
}
