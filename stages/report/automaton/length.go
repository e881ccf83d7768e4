package automaton

import "github.com/tracelake/tracelake/stages/report/canvas"

// Length is a length or a coordinate of a picture.
type Length = canvas.Length

const px = canvas.Px
