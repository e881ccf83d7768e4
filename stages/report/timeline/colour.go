package timeline

// palette holds light fills for dark text, told apart by people with any colour vision (after the light scheme of
// P. Tol, Colour Schemes, 2021, without its reds: red is the critical path).
var palette = []string{"#a9c8e8", "#bfe5ee", "#a8d8c4", "#d9e3a0", "#efe3a4", "#d3c7e4", "#e3d5c3", "#c8d2dc"}

// What else is drawn.
const (
	ink      = "#1f2933" // text
	paleInk  = "#5c6773" // text of less weight
	line     = "#5c6b7a" // edges of boxes
	grid     = "#e3e7eb" // lines at the labels of the axis
	band     = "#f6f8fa" // every other lane
	arrowInk = "#44546a" // messages
	red      = "#c8102e" // the critical path, and nothing else
)

// colour is the position of a function's fill in the palette: the same in every picture.
func colour(function string) int {
	h := uint32(2166136261) // FNV-1a, 32 bits
	for i := range len(function) {
		h = (h ^ uint32(function[i])) * 16777619
	}
	h ^= h >> 15
	return int(h % uint32(len(palette)))
}
