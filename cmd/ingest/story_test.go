package main

import (
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/storytest"
)

func TestStories(t *testing.T) {
	storytest.Play(t, "testdata", map[string]storytest.Program{"ingest": run})
}
