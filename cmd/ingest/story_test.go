package main

import (
	"flag"
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/testdata/playall"
	"github.com/tracelake/tracelake/cmd/internal/testdata/storytest"
)

var update = flag.Bool("update", false, "write the programs' answers into the stories")

func TestStories(t *testing.T) {
	playall.Stories(t, "testdata/*.txtar", map[string]storytest.Program{"ingest": run}, *update)
}
