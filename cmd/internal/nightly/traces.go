package nightly

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
)

// found is a trace that lies where traces appear: a file or a folder.
type found struct {
	path     string
	source   *source
	night    string
	run      string
	labels   map[string]string
	bytes    int64
	modified time.Time // of the file in it that changed last
}

// find lists the traces that there are, by night and path. Paths that match a pattern, and not the expression beside it, come back as
// unlabelled.
func (c *config) find() (traces []found, unlabelled []string, err error) {
	seen := make(map[string]bool) // a trace belongs to the first pattern that has it
	for i := range c.Traces {
		s := &c.Traces[i]
		paths, err := filepath.Glob(s.Glob)
		if err != nil {
			return nil, nil, err
		}
		for _, path := range paths {
			if seen[path] {
				continue
			}
			seen[path] = true
			t, is, err := s.trace(path)
			if err != nil {
				return nil, nil, err
			}
			if !is {
				unlabelled = append(unlabelled, path)
				continue
			}
			traces = append(traces, t)
		}
	}
	slices.SortFunc(traces, func(a, b found) int { return cmp.Or(cmp.Compare(a.night, b.night), cmp.Compare(a.path, b.path)) })
	return traces, unlabelled, nil
}

// trace describes a trace.
func (s *source) trace(path string) (t found, is bool, err error) {
	slashed := filepath.ToSlash(path)
	match := s.label.FindStringSubmatch(slashed)
	if match == nil {
		return t, false, nil
	}
	t = found{path: path, source: s, labels: maps.Clone(s.Labels)}
	if t.labels == nil {
		t.labels = make(map[string]string)
	}
	var values []string
	for i, group := range s.label.SubexpNames() {
		if group != "" && match[i] != "" {
			t.labels[group] = match[i]
			if group != "night" {
				values = append(values, match[i])
			}
		}
	}
	if t.bytes, t.modified, err = size(path); err != nil {
		return t, false, err
	}
	t.night = cmp.Or(t.labels["night"], t.modified.UTC().Format(time.DateOnly))
	t.labels["night"] = t.night
	stem, _, _ := strings.Cut(filepath.Base(path), ".")
	if s.Run == "" {
		t.run = strings.Join(slices.Concat([]string{t.night}, values, []string{stem}), "-")
	} else {
		t.run = templateWord.ReplaceAllStringFunc(s.Run, func(word string) string {
			if word == "{file}" {
				return stem
			}
			return t.labels[strings.Trim(word, "{}")]
		})
	}
	t.run, t.night = cleanName(t.run), cleanName(t.night)
	t.labels["night"] = t.night
	return t, true, nil
}

// cleanName puts hyphens for what a name of the lake cannot have.
func cleanName(name string) string {
	return strings.Map(func(r rune) rune {
		if lake.CheckName("x"+string(r)) != nil {
			return '-'
		}
		return r
	}, name)
}

// size returns the bytes of a file or of all files of a folder, and when the last of them changed.
func size(path string) (bytes int64, modified time.Time, err error) {
	err = filepath.WalkDir(path, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			if info, err = os.Stat(name); err != nil {
				return err
			}
		}
		bytes += info.Size()
		if info.ModTime().After(modified) {
			modified = info.ModTime()
		}
		return nil
	})
	if err != nil {
		err = fmt.Errorf("trace %s: %w", path, err)
	}
	return bytes, modified, err
}
