package pages

import (
	"fmt"

	"github.com/tracelake/tracelake/stages/report/timeline"
)

// Windows are the windows of an execution of each side that shows a root cause, drawn in one scale; of a run there is one.
type Windows struct {
	Function string   `json:"function"` // COMPONENT.FUNCTION
	Sides    []Window `json:"sides"`    // baseline before candidate; a side without the function has none
}

// Window is the window around an execution.
type Window struct {
	Side       string              `json:"side"` // base or cand; empty of a run
	Run        string              `json:"run"`
	Execution  string              `json:"execution"` // COMPONENT.FUNCTION#I
	DurationNs int64               `json:"duration_ns"`
	FromNs     int64               `json:"from_ns"` // ends of the window, since the run's first event
	ToNs       int64               `json:"to_ns"`
	RunNs      int64               `json:"run_ns"`     // from the run's first event to its last
	Components []string            `json:"components"` // whose lanes it has; empty for all
	Picture    *timeline.Positions `json:"picture"`
}

// How large a picture of a window is.
var windowSize = timeline.Options{Width: pageWidth, Lanes: 14, Boxes: 500}

// Draw lays out a window. Name is that of the function with a colour of its own, COMPONENT.FUNCTION; components are those that stand on top, in their
// order, so that two windows compare.
func Draw(w *timeline.Window, name string, components []string) *timeline.Positions {
	o := windowSize
	o.Order = components
	o.Chosen = []timeline.Chosen{{Name: name, Has: func(component, function string) bool { return component+"."+function == name }}}
	return timeline.Layout(w, o).Positions()
}

// WindowContents says which resource has the windows of a root cause.
type WindowContents struct {
	Finding  int64  `json:"finding,omitempty"`
	Function string `json:"function"`
	Resource string `json:"resource"`
}

// WindowResource names the resource of windows.
func WindowResource(number int) string { return fmt.Sprintf("window/%d", number) }
