package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// truth is what is known of a folder of recordings: a file truth.json in it, or one that -truth names.
type truth struct {
	Cells []cell `json:"cells"` // each makes rows of its own in the tables
}

// cell is recordings of one program under one load: runs that do not differ, and runs with a change that is known.
type cell struct {
	Name      string    `json:"name"`      // in tables
	Folder    string    `json:"folder"`    // of the recordings, within that of the truth
	Files     string    `json:"files"`     // a pattern in which {condition} stands for the name of a condition
	Symbols   string    `json:"symbols"`   // a program with its symbols or a table of addresses, within the folder of the truth; "" where traces have names
	Component string    `json:"component"` // as --component of ingest; "" is the default of the format
	Unchanged []string  `json:"unchanged"` // conditions between which nothing differs
	Planted   []planted `json:"planted"`   // conditions with a known change
}

// planted is a condition with a change in one function.
type planted struct {
	Condition string   `json:"condition"` // the name of the condition
	Function  string   `json:"function"`  // component.function
	Share     *float64 `json:"share"`     // by which its own time grows; nil where that is not known
}

// readTruth reads what is known of a folder and checks that its recordings are there, before hours are spent on some of them. Paths
// in the result are relative to the working directory. Errors name the file of the truth.
func readTruth(folder, file string) (*truth, error) {
	if file == "" {
		file = filepath.Join(folder, "truth.json")
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	// Unknown fields are ignored, so that a truth may have remarks.
	var t truth
	if err := json.Unmarshal(text, &t); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if len(t.Cells) == 0 {
		return nil, fmt.Errorf("%s names no cells", file)
	}
	for i := range t.Cells {
		c := &t.Cells[i]
		// Paths in the file count from its folder.
		c.Folder = filepath.Join(folder, c.Folder)
		if c.Symbols != "" {
			c.Symbols = filepath.Join(folder, c.Symbols)
		}
		for _, condition := range c.conditions() {
			if _, err := c.recordings(condition); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return &t, nil
}

// conditions lists all conditions, the unchanged ones first.
func (c *cell) conditions() []string {
	all := append([]string(nil), c.Unchanged...)
	for _, p := range c.Planted {
		all = append(all, p.Condition)
	}
	return all
}

// recordings lists the files of a condition in the order of their names, by which runs are numbered. None is an error.
func (c *cell) recordings(condition string) ([]string, error) {
	pattern := filepath.Join(c.Folder, strings.ReplaceAll(c.Files, "{condition}", condition))
	files, err := filepath.Glob(pattern)
	if err == nil && len(files) == 0 {
		err = fmt.Errorf("cell %s has no recordings %s", c.Name, pattern)
	}
	return files, err
}
