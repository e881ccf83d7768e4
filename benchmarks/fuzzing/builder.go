package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/tracelake/tracelake/benchmarks/mutated"
)

// builder builds test programs whose targets call mutated.Fuzz in the place of (*testing.F).Fuzz. The tree stays as it is: changed files are given
// to the compiler beside it.
type builder struct {
	root    string            // of the module
	module  string            // its path
	kept    string            // the folder of what the fuzzer kept
	scratch string            // a folder for changed files and programs
	overlay string            // the list of changed files: see go help build
	built   map[string]string // programs by folder
}

// calls is where a target hands over its body, and the name of the package before it.
var (
	calls = regexp.MustCompile(`\bf\.Fuzz\(`)
	named = regexp.MustCompile(`(?m)^package \w+`)
)

// newBuilder changes the files of a module that call Fuzz.
func newBuilder(root string) (b *builder, err error) {
	b = &builder{built: make(map[string]string)}
	if b.root, err = filepath.Abs(root); err != nil {
		return nil, err
	}
	out, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		return nil, fmt.Errorf("go says no module: %w", err)
	}
	b.module = strings.TrimSpace(string(out))
	if out, err = exec.Command("go", "env", "GOCACHE").Output(); err != nil {
		return nil, fmt.Errorf("go says no cache: %w", err)
	}
	b.kept = filepath.Join(strings.TrimSpace(string(out)), "fuzz", filepath.FromSlash(b.module))
	if b.scratch, err = os.MkdirTemp("", "tracelake-fuzzing-"); err != nil {
		return nil, err
	}
	b.overlay = filepath.Join(b.scratch, "overlay.json")
	if err := b.change(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(b.scratch))
	}
	return b, nil
}

// change writes the changed files and their list.
func (b *builder) change() error {
	replace := make(map[string]string)
	own := filepath.Join(b.root, "benchmarks", "mutated") // which has the call itself
	err := filepath.WalkDir(b.root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".go" || strings.HasPrefix(path, own) {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil || !calls.Match(source) {
			return err
		}
		name := filepath.Join(b.scratch, fmt.Sprintf("%d.go", len(replace)))
		replace[path] = name
		return os.WriteFile(name, changed(source, b.module), 0o666)
	})
	if err != nil {
		return err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": replace})
	if err != nil {
		return err
	}
	return os.WriteFile(b.overlay, list, 0o666)
}

// changed is a source whose targets call the body themselves. Its lines keep their numbers.
func changed(source []byte, module string) []byte {
	source = calls.ReplaceAll(source, []byte("mutated.Fuzz(f, "))
	at := named.FindIndex(source)[1]
	return bytes.Join([][]byte{source[:at], fmt.Appendf(nil, "; import %q", module+"/benchmarks/mutated"), source[at:]}, nil)
}

// program is the test program of a folder, which is built once.
func (b *builder) program(ctx context.Context, folder string) (path string, err error) {
	if path = b.built[folder]; path != "" {
		return path, nil
	}
	path = filepath.Join(b.scratch, strings.ReplaceAll(folder, "/", "-")+".test")
	c := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", b.overlay, "-o", path, "./"+folder)
	c.Dir = b.root
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	b.built[folder] = path
	return path, nil
}

// mutate calls the body of a target on one core, and returns what its test printed, too.
func (t *target) mutate(ctx context.Context, b *builder, p mutated.Plan) (s stretch, said string) {
	s = stretch{Package: t.folder, Target: t.name, Mutated: true}
	program, err := b.program(ctx, t.folder)
	if err != nil {
		s.Failed = "it cannot be built"
		return s, err.Error()
	}
	p.Corpus = filepath.Join(b.kept, filepath.FromSlash(t.folder), t.name)
	plan, err := json.Marshal(p)
	if err != nil {
		s.Failed = err.Error()
		return s, ""
	}
	c := exec.CommandContext(ctx, program, "-test.run", "^"+t.name+"$", "-test.timeout", "0")
	c.Dir, c.WaitDelay = filepath.Join(b.root, filepath.FromSlash(t.folder)), time.Second
	c.Env = append(os.Environ(), mutated.Variable+"="+string(plan), "GOMAXPROCS=1", "GOGC=1600", "GOMEMLIMIT=1GiB") // the heaps of targets are small, but for some
	out, err := c.CombinedOutput()
	s.Execs, _ = executions(string(out))
	if c.ProcessState != nil { // on a busy machine the time says nothing of the target
		s.Seconds = (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds()
	}
	if err != nil {
		s.Failed = err.Error()
	}
	return s, string(out)
}
