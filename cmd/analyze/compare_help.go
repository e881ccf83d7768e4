package main

import (
	"github.com/spf13/cobra"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/stages/change/definitions"
	"github.com/tracelake/tracelake/stages/report/verdict"
)

// compareExamples are shown below the help of analyze compare.
const compareExamples = `  analyze compare --base fast --cand slow
  analyze compare --base release=8.13 --cand release=8.14 --id nightly --fail-on regressed --margin 5%
  analyze compare --base release=8.13 --cand release=8.14 --report junit=junit.xml --report markdown=comment.md
  analyze compare --base a --cand b --noise release=8.12 --fail-on regressed,candidate
  analyze compare --base a --cand b --method ks --p 0.01 --format json
  analyze compare --base release=8.13 --cand release=8.14 --executor slurm --nodes 4`

// compareFlagGroups are the flags of analyze compare by what they are for, the ones that everybody needs first.
var compareFlagGroups = []console.FlagGroup{
	{Title: "What is compared", Flags: []string{"base", "cand", "pair-by", "pool", "noise", "id"}},
	{Title: "What matters", Flags: []string{"margin", "floor", "fdr", "definitions"}},
	{Title: "What is written", Flags: []string{"fail-on", "details", "by", "levels", "rank", "top", "format", "report"}},
	{Title: "How it is compared", Flags: []string{"method", "matching", "normalisation", "abs", "rel", "guard", "p"}, Topic: "verdicts"},
	{Title: "Where it is compared", Flags: []string{"executor", "nodes", "pod", "attempts", "patience", "plan"}, Topic: "executors"},
}

// executorsHelp explains where tasks run.
const executorsHelp = `Tasks of a command run in its own process, on nodes of Slurm, in pods of Kubernetes, or where a program of yours starts them. What they
make is the same, byte by byte. All processes find the lake, and the files that are named, at the same place. With --plan nothing
runs yet: the plan stays in the lake, analyze task does tasks in any process, and analyze commit makes the tables exist. The flags of analyze
compare, which analyze run and ingest have as well:`

// topics are pages of the help that belong to no single command. Flags of the command that compares stand where they are explained.
func topics(compare *cobra.Command) []*cobra.Command {
	flags := func(topic string) string { return console.TopicFlags(compare, topic, compareFlagGroups) }
	return []*cobra.Command{
		{Use: "verdicts", Short: "What the words of a comparison mean, its gate, formats and methods", Long: verdict.Help + flags("verdicts")},
		{Use: "ranking", Short: "How --rank services finds the service that is at fault", Long: verdict.RankingHelp},
		{Use: "executors", Short: "Where tasks run: Slurm, Kubernetes, programs of yours", Long: executorsHelp + flags("executors")},
		{Use: "definitions", Short: "The file of --definitions: own metrics, normalisations, detectors and thresholds", Long: definitions.Help},
	}
}
