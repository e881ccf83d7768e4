// Package canvas holds the parts that pictures share: lengths that are the same bytes everywhere, text for XML and its width.
// It is a room that stages share.
package canvas
