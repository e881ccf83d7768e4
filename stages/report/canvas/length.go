package canvas

import "strconv"

// Length is a length or a coordinate of a picture, in hundredths of a pixel: pictures are the same bytes everywhere.
type Length int64

// Px is the unit: x*Px is x pixels.
const Px Length = 100

// String writes a length in pixels.
func (l Length) String() string {
	b := make([]byte, 0, 12)
	if l < 0 {
		b, l = append(b, '-'), -l
	}
	b = strconv.AppendInt(b, int64(l/Px), 10)
	switch part := l % Px; {
	case part == 0:
	case part%10 == 0:
		b = append(b, '.', byte('0'+part/10))
	default:
		b = append(b, '.', byte('0'+part/10), byte('0'+part%10))
	}
	return string(b)
}

// MarshalJSON writes a length in pixels, as a number.
func (l Length) MarshalJSON() ([]byte, error) { return []byte(l.String()), nil }
