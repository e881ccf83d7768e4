package figures

import (
	"math"

	"github.com/tracelake/tracelake/stages/report/canvas"
)

// Length is a length or a coordinate of a picture.
type Length = canvas.Length

const px = canvas.Px

// Font sizes.
const (
	titleSize = 15 * px
	textSize  = 11 * px
	smallSize = 10 * px
)

// margin is what stays free at the edges of a figure.
const margin = 20 * px

// along is the place of a share of the way between two places; from 0 to 1, others at the nearer end, but not NaN.
func along(share float64, from, to Length) Length {
	share = min(max(share, 0), 1)
	return from + Length(math.Round(share*float64(to-from)))
}

// slanted is how far text of a width reaches to the side, and down, at an angle of 45 degrees.
func slanted(width Length) Length { return width * 71 / 100 }
