package chartwindow

import "github.com/tracelake/tracelake/stages/timing/window"

// Held is the number of row groups for which a chart has memory.
func (c *Chart) Held() (n int) {
	for _, f := range c.files {
		for _, s := range f.readers {
			if s.rows.Target != nil {
				n++
			}
		}
	}
	return n + len(c.spare)
}

// Needed is how many row groups the window needs that needs most, and how many there are when every bucket has as many as it ever
// needs.
func (c *Chart) Needed(windows []Range) (together, each int) {
	most := make([]int, len(c.files))
	for _, r := range windows {
		all := 0
		for i, f := range c.files {
			own := 0
			for k := range f.groups {
				if f.groups[k].within(&window.Window{Lo: r.Lo, Hi: r.Hi}) {
					own++
				}
			}
			all, most[i] = all+own, max(most[i], own)
		}
		together = max(together, all)
	}
	for _, n := range most {
		each += n
	}
	return together, each
}
