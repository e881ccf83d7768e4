package main

import (
	"io"
	"testing"

	"github.com/tracelake/tracelake/cmd/internal/testdata/helptest"
)

// Nothing of the help is too long to be read, and no flag is lost by that.
func TestHelpFitsTwoScreens(t *testing.T) {
	f := &flags{stdout: io.Discard, stderr: io.Discard}
	helptest.FitsTwoScreens(t, f.command(), flagGroups)
}
