package web

import "strings"

// Asset returns a script or a style by its name, such as serve.js, and whether there is one.
func Asset(name string) ([]byte, bool) {
	if strings.ContainsAny(name, `/\`) {
		return nil, false
	}
	text, err := assets.ReadFile("assets/" + name)
	return text, err == nil
}
