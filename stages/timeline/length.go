package timeline

import "strconv"

// Length is a length or a coordinate of a picture, in hundredths of a pixel: pictures are the same bytes everywhere.
type Length int64

// px is the unit: x*px is x pixels.
const px Length = 100

// String writes a length in pixels.
func (l Length) String() string {
	b := make([]byte, 0, 12)
	if l < 0 {
		b, l = append(b, '-'), -l
	}
	b = strconv.AppendInt(b, int64(l/px), 10)
	switch part := l % px; {
	case part == 0:
	case part%10 == 0:
		b = append(b, '.', byte('0'+part/10))
	default:
		b = append(b, '.', byte('0'+part/10), byte('0'+part%10))
	}
	return string(b)
}

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
