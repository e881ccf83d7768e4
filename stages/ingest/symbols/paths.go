package symbols

import (
	"path"
	"strings"
)

// CommonFolder returns the longest folder that holds two clean paths of folders, or is one of them. Of absolute paths
// there is always one, the root; of relative ones it may be ".".
func CommonFolder(a, b string) string {
	for a != b && !strings.HasPrefix(b, strings.TrimSuffix(a, "/")+"/") {
		parent := path.Dir(a)
		if parent == a {
			break
		}
		a = parent
	}
	return a
}

// BaseName returns the last part of the path of a program or library as a valid name, and "program" where the path has
// none. The folder is left out since it differs from machine to machine.
func BaseName(file string) string {
	base := path.Base(strings.ToValidUTF8(file, "?"))
	if base == "." || base == "/" {
		return "program"
	}
	return base
}
