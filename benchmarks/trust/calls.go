package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
)

// function is a function with its calls in every run: what the rules that are no part of the product read.
type function struct {
	name string    // component.function
	runs []runCost // by position of the run
}

// runCost is what the calls of a function cost in one run. Times are own time in ns.
type runCost struct {
	calls                            []int64 // in ascending order
	sum, median, quartile, geometric float64 // the total; and median, lower quartile and geometric mean of a call, times the calls
}

// total is what a run spends in the function.
func (f *function) total(run int) float64 { return f.runs[run].sum }

// totals returns what a function costs in some runs.
func (f *function) totals(runs []int) []float64 {
	out := make([]float64, len(runs))
	for i, r := range runs {
		out[i] = f.total(r)
	}
	return out
}

// readCalls reads the own times of all calls of some runs. Calls whose ends were invented and those that only wait for the call of
// another component are left out.
func readCalls(ctx context.Context, l *lake.Lake, runs []string) ([]function, error) {
	byName := make(map[string]*function)
	// Runs are read one after the other: one run's columns are in memory at a time, and the own times of all runs.
	for at, run := range runs {
		m, err := l.Table("executions", lake.Run(run))
		if err != nil {
			// Names belong to the run's tables, since codes differ from run to run; functions meet by their names.
			return nil, err
		}
		e := schema.NewExecutions(new(schema.Names))
		options := lake.ScanOptions{Columns: []string{"component", "function", "self_ns", "role", "synthetic"}}
		err = l.Scan(ctx, m.Files, e, options, func() error {
			for i := range e.SelfNs {
				if e.Synthetic[i] || e.Role[i] == schema.BlockingCall {
					// The rules compare work: an invented end says nothing, and the time of a blocking call is that of its callee.
					continue
				}
				name := e.Names.Components.Name(e.Component[i]) + "." + e.Names.Functions.Name(e.Function[i])
				f := byName[name]
				if f == nil {
					// A function that some runs lack keeps empty calls there, so that positions stay those of the runs.
					f = &function{name: name, runs: make([]runCost, len(runs))}
					byName[name] = f
				}
				f.runs[at].calls = append(f.runs[at].calls, e.SelfNs[i])
			}
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("run %s: %w", run, err)
		}
	}
	// By name, so that ties between functions of one size fall the same way every time.
	out := make([]function, 0, len(byName))
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		f := byName[name]
		// Sorting once makes quantiles and pooled samples cheap for every split.
		for i := range f.runs {
			f.runs[i].summarise()
		}
		out = append(out, *f)
	}
	return out, nil
}

// summarise sorts the calls and computes the estimates of their cost. A run that lacks the function keeps zeros.
func (c *runCost) summarise() {
	if len(c.calls) == 0 {
		return
	}
	slices.Sort(c.calls)
	n := float64(len(c.calls))
	logs := 0.0
	for _, ns := range c.calls {
		c.sum += float64(ns)
		// One is added so that a call of 0 ns has a logarithm.
		logs += math.Log(float64(ns) + 1)
	}
	// Each is a cost per call times the number of calls, so that all four are totals in ns.
	c.median, c.quartile, c.geometric = n*quantile(c.calls, .5), n*quantile(c.calls, .25), n*math.Exp(logs/n)
}

// quantile interpolates between order statistics (type 7 of Hyndman and Fan 1996). sorted must have an element; p is from 0 to 1.
func quantile[T int64 | float64](sorted []T, p float64) float64 {
	at := p * float64(len(sorted)-1)
	i := int(at)
	// p is 1, or there is a single value.
	if i+1 >= len(sorted) {
		return float64(sorted[len(sorted)-1])
	}
	return float64(sorted[i]) + (at-float64(i))*float64(sorted[i+1]-sorted[i])
}
