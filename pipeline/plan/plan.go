// Package plan is the table of contents of an analysis: one file a stage, with its declaration and the glue between the
// tables of the lake and the package of the same name under stages, which knows neither lake nor tasks.
//
// A stage's options stand in its declaration and reach its tasks as the text that stands in the manifest, so that a task
// needs nothing but the lake and the plan.
package plan

import (
	"github.com/tracelake/tracelake/pipeline"
	"github.com/tracelake/tracelake/stages/timing/constraints"
)

// Options are what an analysis of a run can be asked for.
type Options struct {
	Constraints constraints.Options
	Models      *Models // nil: no component models
}

// Given are the tables that an ingest leaves.
var Given = []string{"events", "messages", "annotations"}

// Stages lists the stages of a run in reading order.
func Stages(o Options) []pipeline.Stage {
	stages := []pipeline.Stage{
		executionsStage(),
		automataStage(),
		samplesStage(),
		metricsStage(),
		constraintsStage(o.Constraints),
		validateStage(),
		slackStage(),
		compositionsStage(),
		summariesStage(),
	}
	if o.Models != nil {
		stages = append(stages, componentsStage(*o.Models))
	}
	return stages
}

// walkBytes is what a walk over windows of the chart takes, as if every row of a task that streams held so much.
const walkBytes = 1024
