package automaton

// What a colour means. Red and green differ in lightness, and lines differ in style, for people who cannot tell red
// from green.
const (
	ink      = "#1f2933"
	paleInk  = "#5c6773"
	red      = "#b3261e" // removed, and the baseline's bars
	green    = "#13884a" // added, and the candidate's bars
	purple   = "#7b1fa2" // timing changed
	softRed  = "#e08a80"
	softBlue = "#7f9cc0" // bars where nothing is compared
	softLime = "#74c69d"
)

// look is how a state or a transition is drawn.
type look struct {
	name          string // in words, for the legend
	colour, fill  string
	width, dashes string
	double        bool
}

// looks of what is unchanged, removed, added, and changed in its timing.
var looks = []look{
	{name: "unchanged", colour: ink, fill: "#ffffff", width: "1.2"},
	{name: "removed: only in the baseline", colour: red, fill: "#fbe9e7", width: "1.6", dashes: "6 3"},
	{name: "added: only in the candidate", colour: green, fill: "#e3f5ea", width: "4.2", double: true},
	{name: "timing changed", colour: purple, fill: "#ffffff", width: "2.8"},
}

// timing is the look of a changed timing, after those of the sides.
const timing = 3

// look is how a transition looks.
func (t *Transition) look() int {
	if t.Side == Both && t.Changed {
		return timing
	}
	return int(t.Side)
}
