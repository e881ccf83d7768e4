package hotness

// The functions give a hotness from 0 to 100 a value from 0 to 255: how much of the colour a component has.

// Linear is l(h) of equation 6.2.
func Linear(h int) float64 { return 255 * float64(h) / 100 }

// Quadratic is c(h) of equation 6.1: people tell differences between great values only when they are greater (Weber's law).
func Quadratic(h int) float64 { return float64(h*h) / 100 * 255 / 100 }

// Steps is s_k(h) of equation 6.3, with the thesis' division of whole numbers: k+1 different values at most, from 0 up.
func Steps(h, k int) int {
	step := 255 / k
	return int(Quadratic(h)) / step * step
}
