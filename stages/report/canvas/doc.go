// Package canvas is what pictures have in common: lengths that are the same bytes everywhere, text for XML and its width.
// It is a room that stages share.
package canvas
