package console

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// Sibling returns the path of another program: beside this one, or on the PATH.
func Sibling(name string) (string, error) {
	program, err := os.Executable()
	if err != nil {
		return "", err
	}
	path := filepath.Join(filepath.Dir(program), name)
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	found, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("the program %s lies neither beside %s nor on the PATH", name, program)
	}
	return filepath.Abs(found)
}
