package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/pipeline"
)

// graph is the stages of a run in the order of the plan.
type graph struct{ stages []stage } // a stage stands behind all that it reads from

// stage is the seconds of its tasks, those of the ones that run before all others and of the one that runs when all others are
// done, and the stages whose tables it reads.
type stage struct {
	name   string    // as in the plan
	first  []float64 // seconds of the tasks that run before all others
	tasks  []float64 // seconds of those that run side by side
	finish float64   // seconds of the task that runs when all others are done; 0: there is none
	after  []int     // positions in the graph, less than its own
}

// graphOf makes a graph of a plan with costs. Every stage must have been measured: without one of them, the rest would look
// faster than it is.
func graphOf(planned []pipeline.Planned, s settings) (*graph, error) {
	g := new(graph)
	// Tables by the position of the stage that writes them.
	writer := make(map[string]int)
	for i, p := range planned {
		one := stage{name: p.Stage}
		// Tasks of a stage in three groups: those that come first, those that run side by side, and the one at the end.
		for _, t := range p.Tasks {
			switch {
			// A task without a cost was not run yet, or its cost was not noted.
			case t.Cost == nil:
				return nil, fmt.Errorf("stage %s has no costs: analyze the run, with --measured", p.Stage)
			case t.First:
				one.first = append(one.first, float64(t.Cost.CPUNs)/1e9) // on a processor: waiting for a disk does not count
			case t.Finish:
				one.finish = float64(t.Cost.CPUNs) / 1e9
			default:
				one.tasks = append(one.tasks, float64(t.Cost.CPUNs)/1e9)
			}
		}
		if len(p.Tasks) == 0 {
			return nil, fmt.Errorf("stage %s is not analyzed", p.Stage)
		}
		// A plan of fewer buckets is played in as many tasks as there would be.
		one.tasks = mergeTasks(one.tasks, s.tasksOf(p.Stage))
		one.enlarge(s)
		// Edges follow from tables: a stage comes behind the one that writes what it reads.
		for _, table := range p.Reads {
			if w, written := writer[table]; written && !slices.Contains(one.after, w) {
				one.after = append(one.after, w)
			}
		}
		for _, table := range p.Writes {
			writer[table] = i
		}
		g.stages = append(g.stages, one)
	}
	return g, nil
}

// tasksOf is how many tasks a stage is played in at most; 0: as measured.
func (s settings) tasksOf(stage string) int {
	if n, single := s.merge[stage]; single {
		return n
	}
	return s.buckets
}

// mergeTasks puts neighbours together until there are no more than n tasks.
func mergeTasks(tasks []float64, n int) []float64 {
	// Fewer tasks than asked for stay as they are: no task is divided.
	if n == 0 || len(tasks) <= n {
		return tasks
	}
	merged := make([]float64, n)
	// Neighbours have neighbouring buckets, so that the sums are those of larger buckets.
	for i, seconds := range tasks {
		merged[i*n/len(tasks)] += seconds // groups differ by one task at most
	}
	return merged
}

// enlarge makes a stage one of a longer trace.
func (s *stage) enlarge(o settings) {
	times := max(o.times, 1)
	if n := o.tasksOf(s.name); times > 1 && n > len(s.tasks) && (len(s.tasks) > 1 || o.merge[s.name] > 0) {
		divided := make([]float64, n)
		for i := range divided { // each as a task of its place, so that those that are longer than others stay so
			divided[i] = s.tasks[i*len(s.tasks)/n] * float64(len(s.tasks)) / float64(n)
		}
		s.tasks = divided
	}
	for _, side := range [][]float64{s.first, s.tasks} {
		for i := range side {
			side[i] = side[i]*times + o.task
		}
	}
	if s.finish > 0 {
		s.finish = s.finish*times + o.task
	}
}

// work is the CPU seconds of all tasks.
func (g *graph) work() (seconds float64) {
	for _, s := range g.stages {
		seconds += s.finish
		for _, t := range slices.Concat(s.first, s.tasks) {
			seconds += t
		}
	}
	return seconds
}

// tasks is their number, as they are played: neighbours may be merged.
func (g *graph) tasks() (n int) {
	for _, s := range g.stages {
		n += len(s.first) + len(s.tasks)
		if s.finish > 0 {
			n++
		}
	}
	return n
}

// endings are when every stage ends at the earliest, with as many cores as there are tasks.
func (g *graph) endings() []float64 {
	// Stages are in the order of the plan, so what a stage waits for has its end already.
	end := make([]float64, len(g.stages))
	for i, s := range g.stages {
		for _, before := range s.after {
			end[i] = max(end[i], end[before])
		}
		// First tasks and tasks run side by side in their groups, one group after the other; the longest decides.
		for _, side := range [][]float64{s.first, s.tasks} {
			if len(side) > 0 {
				end[i] += slices.Max(side)
			}
		}
		end[i] += s.finish
	}
	return end
}

// longestPath is the seconds below which no number of cores leads; 0 without stages.
func (g *graph) longestPath() float64 {
	if len(g.stages) == 0 {
		return 0
	}
	return slices.Max(g.endings())
}

// path names the stages of the longest path with the longest task of each.
func (g *graph) path() string {
	if len(g.stages) == 0 {
		return "no stages"
	}
	end := g.endings()
	var names []string
	// Backwards from the stage that ends last, always to the one that it waited for longest.
	for at := slices.Index(end, slices.Max(end)); at >= 0; {
		s := &g.stages[at]
		before, began := -1, 0.0
		for _, b := range s.after {
			// Of stages that end together the one named last in the plan is taken, so the path is the same every time.
			if end[b] >= began {
				before, began = b, end[b]
			}
		}
		names = append(names, fmt.Sprintf("%s %.1f", s.name, end[at]-began))
		at = before
	}
	slices.Reverse(names)
	return strings.Join(names, ", ")
}

// play schedules the tasks on some cores and returns when the last one ends. Stages that are ready take turns as the engine's
// goroutines do: the one that was ready first offers all its tasks first.
func (g *graph) play(cores int) float64 {
	// ready and end count in seconds from the start of the analysis.
	free := make([]float64, cores)          // when each core is free again
	ready := make([]float64, len(g.stages)) // seconds when the inputs of a stage stand
	end := make([]float64, len(g.stages))   // seconds when its last task ends
	left := make([]bool, len(g.stages))     // stages that are not placed yet
	for i := range left {
		left[i] = true
	}
	// Stages are taken in the order in which they become ready, which is known when those before them are placed.
	for range g.stages {
		next := -1
		for i, s := range g.stages {
			if !left[i] || slices.ContainsFunc(s.after, func(b int) bool { return left[b] }) {
				continue
			}
			// A stage is ready when the last of those that it reads from ends; 0 with none.
			ready[i] = 0
			for _, b := range s.after {
				ready[i] = max(ready[i], end[b])
			}
			if next < 0 || ready[i] < ready[next] {
				next = i
			}
		}
		s := &g.stages[next]
		end[next] = ready[next] // and stays so for a stage without tasks
		// The tasks of a group begin together, when the group before ends.
		for _, side := range [][]float64{s.first, s.tasks} {
			begun := end[next]
			for _, seconds := range side {
				end[next] = max(end[next], place(free, begun, seconds))
			}
		}
		if s.finish > 0 {
			end[next] = place(free, end[next], s.finish)
		}
		left[next] = false
	}
	return slices.Max(append(end, 0)) // 0 without stages
}

// place puts a task on the core that can begin it first, and returns when it ends. Of cores that are free when the task is
// ready the one that became free last is taken: the others may serve tasks that are ready before.
func place(free []float64, ready, seconds float64) (end float64) {
	core := 0
	for i, at := range free {
		best := max(free[core], ready)
		if begin := max(at, ready); begin < best || begin == best && at > free[core] {
			core = i
		}
	}
	free[core] = max(free[core], ready) + seconds
	return free[core]
}
