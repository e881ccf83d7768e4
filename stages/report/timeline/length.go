package timeline

import "github.com/tracelake/tracelake/stages/report/canvas"

// Length is a length or a coordinate of a picture.
type Length = canvas.Length

const px = canvas.Px

// scale turns times into places on the axis. Its arithmetic is in steps that no compiler may fuse, for the same reason.
type scale struct {
	fromNs, toNs int64
	left, right  Length
}

// at is the place of a time, which need not be in the window.
func (s scale) at(ns int64) Length {
	share := float64(ns-s.fromNs) / float64(s.toNs-s.fromNs)
	return s.left + Length(float64(share*float64(s.right-s.left))+0.5)
}

// clip is the place of a time, or of the end of the window that is nearest to it.
func (s scale) clip(ns int64) Length { return s.at(min(max(ns, s.fromNs), s.toNs)) }
