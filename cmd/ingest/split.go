package main

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/pipeline/ingest"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/report/texttab"
)

// splitBy reads the word of --split.
// Any other word is an error of usage.
func splitBy(word string) (schema.Split, error) {
	// The word first, then a number of parts, then a time: 6 is no time, and 10s no number.
	if word == "trace" {
		return schema.Split{ByTrace: true}, nil
	}
	if n, err := strconv.Atoi(word); err == nil && n >= 2 { // one part would be no split
		return schema.Split{Parts: n}, nil
	}
	if every, err := time.ParseDuration(word); err == nil && every > 0 {
		return schema.Split{EveryNs: every.Nanoseconds()}, nil
	}
	return schema.Split{}, console.Usagef("--split %q: a time, as 10s; trace, for a run each request; or a number of parts from 2", word)
}

// mostSlices is how many runs of a split have a line of their own.
const mostSlices = 20

// ingestSplit ingests the slices of a trace as runs. What was lost is told of all of them together. The trace is one job: it is
// read once, and the runs are committed one after the other.
func (f *flags) ingestSplit(ctx context.Context, j ingest.Job) error {
	log := f.Logger(f.stderr)
	by, err := splitBy(f.split)
	if err != nil {
		return err
	}
	s := ingest.Split{Job: j, By: by, Text: f.split}
	standing, err := s.Standing()
	if err != nil {
		return err
	}
	// Fresh means all slices: a split that was cut short is made again.
	if standing.Fresh {
		log.Info(fmt.Sprintf("runs %s-*: nothing to do, the lake has all %d of them", j.Run, len(standing.Runs)))
		return nil
	}
	var done func()
	s.Progress, done = f.Progress(f.stderr, j.Run, true)
	var said []string // sentences for the end, when no progress is drawn
	s.Say = func(sentence string) { said = append(said, sentence) }
	made, executions, lost := 0, int64(0), new(schema.Ledger) // runs so far, their executions, and what all of them lost
	err = s.Ingest(ctx, func(run string, of *schema.Run, losses []schema.Loss) error {
		// Hundreds of slices would bury the summary: the first ones have a line, the others are counted.
		if made++; made <= mostSlices {
			said = append(said, fmt.Sprintf("%s: %s, %s from %s on", run, texttab.Plural(of.Executions, "execution"),
				texttab.Duration(of.DurationNs), time.Unix(0, of.StartNs).UTC().Format("2006-01-02T15:04:05.000Z")))
		}
		executions += of.Executions
		lost.MergeLosses(losses)
		return pipeline.WriteLosses(ctx, j.Lake, lake.Run(run))
	})
	done()
	if err != nil {
		return err
	}
	// The labels are said, since they are how the runs are selected.
	log.Info(fmt.Sprintf("trace %s: %s with %s, labelled %s=%s and %s=...", j.Run, texttab.Plural(int64(made), "run"),
		texttab.Plural(executions, "execution"), schema.LabelSplit, j.Run, schema.LabelSlice))
	if more := made - mostSlices; more > 0 {
		said = append(said, fmt.Sprintf("... and %d more runs", more))
	}
	for _, sentence := range said {
		log.Info("trace " + j.Run + ": " + sentence)
	}
	f.tellLosses(j.Run, lost.Losses(ingest.StageName))
	return nil
}
