package nightly

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/console"
	report "github.com/tracelake/tracelake/stages/report/nightly"
)

// recordName is the file in which a night is remembered.
const recordName = "night.json"

// folder is where the reports of a night are.
func (n *nights) folder(night string) string { return filepath.Join(n.config.Reports, night) }

// load reads what is remembered of all nights, in ascending order.
func (n *nights) load() error {
	paths, err := filepath.Glob(filepath.Join(n.config.Reports, "*", recordName))
	if err != nil {
		return err
	}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		night := new(report.Night)
		if err := json.Unmarshal(text, night); err != nil || night.Name != filepath.Base(filepath.Dir(path)) {
			return fmt.Errorf("%s is damaged: remove it, and the night is made anew: %w", path, errors.Join(err, errors.New("it is not of this night")))
		}
		n.known = append(n.known, night)
	}
	n.sort()
	return nil
}

// sort puts the nights in ascending order. Names that are dates are in the order of time.
func (n *nights) sort() {
	slices.SortFunc(n.known, func(a, b *report.Night) int { return strings.Compare(a.Name, b.Name) })
}

// night returns a night, which it begins where it is new.
func (n *nights) night(name string) *report.Night {
	for _, night := range n.known {
		if night.Name == name {
			return night
		}
	}
	night := &report.Night{Name: name}
	n.known = append(n.known, night)
	n.sort()
	return night
}

// newest is the last night of which anything is known, or nil.
func (n *nights) newest() *report.Night {
	if len(n.known) == 0 {
		return nil
	}
	return n.known[len(n.known)-1]
}

// save remembers a night.
func (n *nights) save(night *report.Night) error {
	if n.dry {
		return nil
	}
	text, err := json.MarshalIndent(night, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(n.folder(night.Name), 0o777); err != nil {
		return err
	}
	return n.write(filepath.Join(n.folder(night.Name), recordName), func(out io.Writer) error {
		_, err := out.Write(append(text, '\n'))
		return err
	})
}

// write writes a file completely or not at all.
func (n *nights) write(name string, write func(io.Writer) error) error {
	return console.WriteFile(name, n.stdout.Raw(), write)
}

// publish writes the pages of a night.
func (n *nights) publish(night *report.Night) error {
	if n.dry {
		return nil
	}
	if err := os.MkdirAll(n.folder(night.Name), 0o777); err != nil {
		return err
	}
	p := n.page(night)
	return errors.Join(
		n.write(filepath.Join(n.folder(night.Name), "summary.md"), p.WriteMarkdown),
		n.write(filepath.Join(n.folder(night.Name), "index.html"), p.WriteHTML),
	)
}

// page is a night as its summary shows it. That of the newest one also says what became of others.
func (n *nights) page(night *report.Night) *report.Page {
	p := &report.Page{Night: night}
	if night == n.newest() {
		p.Earlier = report.Earlier(n.known, night.Name)
	}
	return p
}

// index writes the page of all nights, the newest first.
func (n *nights) index() error {
	if n.dry || len(n.known) == 0 {
		return nil
	}
	reversed := slices.Clone(n.known)
	slices.Reverse(reversed)
	return n.write(filepath.Join(n.config.Reports, "index.html"), func(out io.Writer) error { return report.WriteIndex(out, reversed) })
}

// removeReports removes the reports of the steps of a night. Its summaries stay.
func (n *nights) removeReports(night *report.Night) error {
	for i := range night.Steps {
		for _, file := range night.Steps[i].Files {
			if err := os.Remove(filepath.Join(n.folder(night.Name), file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		night.Steps[i].Files = nil
	}
	return nil
}
