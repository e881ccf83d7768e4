package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracelake/tracelake/stages/report/figures"
)

// writeCurves draws, for every cell and number of runs, the receiver operating characteristic of all rules into a folder: how
// often the changed function is named over how often any function is named in unchanged runs, as the level of the rule varies. A rule
// that decides at one level is a point of its curve.
func writeCurves(folder string, records []record) error {
	// An existing folder is kept; a file of the same name is replaced.
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	type key struct {
		cell string
		runs int64
	}
	// 1. The records of a cell and a number of runs make one figure; figures come in the order of the records.
	of := make(map[key][]record)
	var keys []key
	for _, r := range records {
		k := key{r.Cell, r.Runs}
		if of[k] == nil {
			keys = append(keys, k)
		}
		of[k] = append(of[k], r)
	}
	// 2. A file for each figure. A cell without unchanged runs has no curves: there is no rate to draw over.
	for _, k := range keys {
		c := curvesOf(of[k])
		if len(c.Panels) == 0 {
			continue
		}
		c.Title = fmt.Sprintf("%s, %d runs per side", k.cell, k.runs)
		f, err := os.Create(filepath.Join(folder, fmt.Sprintf("%s-%d.svg", name(k.cell), k.runs)))
		if err != nil {
			return err
		}
		err = c.WriteSVG(f)
		// Only a close reports that a disk was full.
		if closed := f.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// curvesOf returns the figure of a cell: a panel for every planted change, a line for every rule. There is none without splits of unchanged runs.
func curvesOf(records []record) figures.Curves {
	// By rule, and by condition and rule: the levels from which on a split has a finding, one for each split.
	null, named := make(map[string][]float64), make(map[string]map[string][]float64)
	var rules, changes []string
	for i := range records {
		r := &records[i]
		if !slices.Contains(rules, r.Rule) {
			rules = append(rules, r.Rule)
		}
		if r.Planted == "" {
			// Least: any finding is a false one, so the level at which the first function would be named counts.
			null[r.Rule] = append(null[r.Rule], r.Least)
			continue
		}
		if named[r.Planted] == nil {
			named[r.Planted] = make(map[string][]float64)
			changes = append(changes, r.Planted)
		}
		// OfPlanted: of a planted change only the level of the changed function counts.
		named[r.Planted][r.Rule] = append(named[r.Planted][r.Rule], r.OfPlanted)
	}
	// Axes are the same in all panels, so that they compare.
	c := figures.Curves{
		XLabel: "splits of unchanged runs with a finding, %", YLabel: "planted change named",
		Caption: "go run ./benchmarks/trust; a rate of 0 is drawn at half a split",
	}
	// Nothing planted was measured beside unchanged runs: there is nothing to draw against.
	if len(null) == 0 {
		return c
	}
	for _, change := range changes {
		p := figures.Panel{Heading: change}
		for _, rule := range rules {
			p.Lines = append(p.Lines, figures.Line{Name: rule, Points: characteristic(null[rule], named[change][rule])})
		}
		c.Panels = append(c.Panels, p)
	}
	return c
}

// characteristic returns the points of a curve: for every level at which a split of unchanged runs begins to have a finding, the
// share of splits with one in per cent, and the share of planted changes that are named at it. What has a level of 1 is never named.
func characteristic(null, named []float64) (points []figures.Point) {
	// The levels of a rule are shared by its panels, so they are sorted in copies.
	null, named = slices.Clone(null), slices.Clone(named)
	slices.Sort(null)
	slices.Sort(named)
	// share counts the levels below one, or up to and with it, as a part of all.
	share := func(levels []float64, level float64, with bool) float64 {
		n := 0
		for n < len(levels) && levels[n] < 1 && (levels[n] < level || with && levels[n] == level) {
			n++
		}
		return float64(n) / float64(len(levels))
	}
	// A rate of 0 is drawn at half a split, as the caption says; in percent.
	half := 50 / float64(len(null))
	points = append(points, figures.Point{X: half, Y: share(named, null[0], false)})
	// Each level once: equal levels begin to have findings together.
	for i, level := range null {
		if level < 1 && (i == 0 || level != null[i-1]) {
			points = append(points, figures.Point{X: 100 * share(null, level, true), Y: share(named, level, true)})
		}
	}
	// At a level of 1 everything is named, which ends all curves in the same corner.
	return corners(append(points, figures.Point{X: 100, Y: 1}))
}

// corners leaves out points between two of the same height, which a level line passes anyway.
func corners(points []figures.Point) (out []figures.Point) {
	for i, p := range points {
		if i == 0 || i == len(points)-1 || points[i-1].Y != p.Y || points[i+1].Y != p.Y {
			out = append(out, p)
		}
	}
	return out
}
