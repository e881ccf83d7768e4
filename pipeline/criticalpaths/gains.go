package criticalpaths

import (
	"cmp"
	"context"
	"slices"

	"github.com/tracelake/tracelake/pipeline/chartwindow"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/stages/timing/criticalpath"
	"github.com/tracelake/tracelake/stages/timing/findings"
	"github.com/tracelake/tracelake/stages/timing/window"
)

// NearShare is the share of an occurrence's time that a function beside its critical path may have to spare to be near-critical.
const NearShare = 0.05

// LateShare is the share of the occurrences that are late where no deadline says it: the slowest.
const LateShare = 0.05

// Gains follows the critical paths of occurrences with their detours: what each would gain from faster functions, and which functions
// are critical, also where an occurrence took longer than lateNs. Without it, the slowest LateShare are late.
func (j *Job) Gains(ctx context.Context, occurrences []findings.Occurrence, lateNs int64) (*findings.Gains, error) {
	c, err := chartwindow.Of(j.Lake, j.Run, chartwindow.Want{Parts: true, Bounds: true}, j.Jobs)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	g := &gainSums{lateNs: lateNs, near: make(map[uint32]int64)}
	if lateNs == 0 {
		g.lateNs = Slowest(occurrences)
	}
	tracer := &criticalpath.Tracer{Done: func(*criticalpath.Target, []criticalpath.Share, int64) {}, Route: g.add}
	ranges := make([]chartwindow.Range, len(occurrences))
	for i := range occurrences {
		tracer.Add(targetOf(&occurrences[i], 0))
		ranges[i] = chartwindow.Range{Lo: lowestEvent(c, &occurrences[i]), Hi: occurrences[i].To + 1}
	}
	windows := c.Cover(ranges, j.edgesPerWindow())
	j.Progress.Expect(int64(len(windows)))
	err = c.Down(ctx, windows, func(w *window.Window) error {
		tracer.Down(w, c.Parts())
		j.Progress.Advance(1)
		return nil
	})
	tracer.Finish()
	return g.found(c, int64(len(occurrences))), err
}

// Slowest is the time that all occurrences but the slowest LateShare keep to. There is at least one.
func Slowest(occurrences []findings.Occurrence) int64 {
	spans := make([]int64, len(occurrences))
	for i := range occurrences {
		spans[i] = occurrences[i].SpanNs()
	}
	slices.Sort(spans)
	return spans[min(int(float64(len(spans))*(1-LateShare)), len(spans)-1)]
}

// The groups of gainSums.
const (
	inTime = iota
	late
)

// gainSums sums up routes.
type gainSums struct {
	lateNs int64
	late   int64              // occurrences that took longer
	gains  criticalpath.Gains // of those in time, and of those that were late
	near   map[uint32]int64   // by part: occurrences beside whose path it executes with little to spare, and not on it
	seen   []uint32           // parts of the route at hand
}

// add takes the route towards an occurrence.
func (g *gainSums) add(t *criticalpath.Target, r *criticalpath.Route) {
	group, span := uint32(inTime), t.ToNs-t.FromNs
	if span > g.lateNs {
		group = late
		g.late++
	}
	g.gains.Add(group, r)
	g.seen = g.seen[:0]
	for _, s := range r.Beside {
		if float64(s.SpareNs) <= NearShare*float64(span) {
			g.seen = append(g.seen, s.Part)
		}
	}
	slices.Sort(g.seen)
	g.seen = slices.Compact(g.seen)
	for _, s := range r.Steps {
		if at, is := slices.BinarySearch(g.seen, s.Part); is && s.Ns > 0 {
			g.seen = slices.Delete(g.seen, at, at+1)
		}
	}
	for _, part := range g.seen {
		g.near[part]++
	}
}

// found returns the gains by function, when all paths are complete.
func (g *gainSums) found(c *chartwindow.Chart, occurrences int64) *findings.Gains {
	out := &findings.Gains{Occurrences: occurrences, Late: g.late, LateNs: g.lateNs, NearShare: NearShare}
	parts, byPart := c.Parts(), make(map[uint32]*findings.FunctionGain)
	of := func(part uint32) *findings.FunctionGain {
		if byPart[part] == nil {
			p := parts[part]
			byPart[part] = &findings.FunctionGain{Name: c.Names.Components.Name(p.Component) + "." + c.Names.Functions.Name(p.Function)}
		}
		return byPart[part]
	}
	for group := uint32(inTime); group <= late; group++ {
		for _, gain := range g.gains.Of(group, c.Names, parts) {
			f := of(gain.Part)
			f.Critical += gain.Occurrences
			if group == late {
				f.Late = gain.Occurrences
			}
			f.TotalNs += gain.TotalNs
			for k, ns := range gain.Ns {
				f.Ns[k] += ns
			}
		}
	}
	for part, n := range g.near {
		of(part).Near = n
	}
	for _, f := range byPart {
		out.Functions = append(out.Functions, *f)
	}
	sortGains(out.Functions)
	return out
}

// sortGains sorts functions: by what would be gained if they took no time, then by how often they are critical or nearly.
func sortGains(functions []findings.FunctionGain) {
	slices.SortFunc(functions, func(a, b findings.FunctionGain) int {
		return cmp.Or(cmp.Compare(b.Ns[2], a.Ns[2]), cmp.Compare(b.TotalNs, a.TotalNs), cmp.Compare(b.Near, a.Near), cmp.Compare(a.Name, b.Name))
	})
}

// AllGains sums up the table gains over the root executions that no message starts. The others are parts of their paths.
func (j *Job) AllGains(ctx context.Context) (*findings.Gains, error) {
	out, rows := new(findings.Gains), schema.NewGains(new(schema.Names))
	byName, roots := make(map[string]*findings.FunctionGain), make(map[string]int64)
	err := j.Lake.ScanTable(ctx, "gains", j.Run, rows, lake.ScanOptions{}, func() error {
		for i, initial := range rows.Initial {
			if !initial {
				continue
			}
			roots[rows.Names.Fragments.Name(rows.Fragment[i])] = rows.Roots[i]
			if rows.Component[i] == schema.NoCode { // no function takes time on the paths of the fragment
				continue
			}
			name := rows.Names.Components.Name(rows.Component[i]) + "." + rows.Names.Functions.Name(rows.Function[i])
			if byName[name] == nil {
				byName[name] = &findings.FunctionGain{Name: name}
			}
			f := byName[name]
			f.Critical += rows.Occurrences[i]
			f.TotalNs += rows.TotalNs[i]
			for k, ns := range [3]int64{rows.Gain10Ns[i], rows.Gain50Ns[i], rows.Gain100Ns[i]} {
				f.Ns[k] += ns
			}
		}
		return nil
	})
	for _, n := range roots {
		out.Occurrences += n
	}
	for _, f := range byName {
		out.Functions = append(out.Functions, *f)
	}
	sortGains(out.Functions)
	return out, err
}
