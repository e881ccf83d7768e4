// Package distribution reduces the time samples of two sides to the numbers of their pictures (Hilbig 2023, figures 3.10 to 3.12): a
// histogram, an empirical cumulative distribution, a control chart in which runs are told apart, and a shift function.
//
// Nothing is drawn here. What a picture cannot show is left out: a distribution keeps as many points as a page has pixels for, however
// many samples there are, and says of how many samples they are.
package distribution

import (
	"math"
	"slices"

	"github.com/tracelake/tracelake/stages/change/stats"
)

// Sizes of the result.
const (
	bins   = 40
	steps  = 80 // of an empirical distribution
	points = 60 // of the control chart of a run
)

// Run is the samples of one run, in the order in which they were taken.
type Run struct {
	Name      string  // as the lake has it
	SamplesNs []int64 // in nanoseconds
}

// Distribution are the numbers of the pictures. Times are nanoseconds.
type Distribution struct {
	Base      *Side      `json:"base"`      // nil without samples
	Cand      *Side      `json:"cand"`      // likewise
	Histogram *Histogram `json:"histogram"` // nil without samples
	Shift     []Shift    `json:"shift"`     // none where a side has fewer than two samples
	Runs      []Series   `json:"runs"`      // those with samples, baseline first
}

// Side sums up the samples of a side, of all runs together. Quartiles are Harrell-Davis estimates, rounded to nanoseconds.
type Side struct {
	Samples  int     `json:"n"`      // how many there are
	MinNs    int64   `json:"min"`    // the least sample
	Q25Ns    int64   `json:"q25"`    // lower quartile
	MedianNs int64   `json:"median"` // middle
	Q75Ns    int64   `json:"q75"`    // upper quartile
	MaxNs    int64   `json:"max"`    // the greatest sample
	StepsNs  []int64 `json:"ecdf"`   // value i of k is the least time that at least (i+1)/k of the samples do not exceed
}

// Histogram counts samples in bins on one axis.
type Histogram struct {
	EdgesNs     []int64 `json:"edges"` // one more than bins; a bin has its lower edge, and the last one both
	Base        []int64 `json:"base"`  // numbers of samples
	Cand        []int64 `json:"cand"`  // likewise, of the candidate
	Logarithmic bool    `json:"log"`   // edges grow by a constant factor: the greatest sample is more than 20 times the least
}

// Shift is a point of the shift function: by how much a quantile of the candidate lies above that of the baseline.
type Shift struct {
	P    float64 `json:"p"`            // which quantile, from 0 to 1
	Ns   int64   `json:"ns"`           // of Harrell-Davis estimates, rounded
	LoNs *int64  `json:"lo,omitempty"` // ends of its 95 % interval over runs; nil where a side has fewer than two
	HiNs *int64  `json:"hi,omitempty"`
}

// Series is the control chart of a run.
type Series struct {
	Run      string  `json:"run"`                // its name
	Cand     bool    `json:"cand,omitempty"`     // it is of the candidate
	Samples  int     `json:"n"`                  // how many it has
	TotalNs  int64   `json:"total"`              // their sum
	MedianNs int64   `json:"median"`             // the lower one
	Every    int     `json:"every"`              // samples a point stands for: 1, or the medians of so many in a row are shown
	PointsNs []int64 `json:"points"`             // samples, or medians of Every samples, in their order
	LeastNs  []int64 `json:"least,omitempty"`    // of the samples of a point, where it stands for several
	MostNs   []int64 `json:"greatest,omitempty"` // the same
}

// Brief reduces the samples of both sides to what needs no telling apart of runs: neither control chart nor shift function.
func Brief(base, cand []Run) *Distribution {
	b, c := sorted(base), sorted(cand)
	return &Distribution{Base: sideOf(b), Cand: sideOf(c), Histogram: histogramOf(b, c), Shift: []Shift{}, Runs: []Series{}}
}

// Of reduces the samples of both sides.
func Of(base, cand []Run) *Distribution {
	b, c := sorted(base), sorted(cand)
	d := &Distribution{Base: sideOf(b), Cand: sideOf(c), Histogram: histogramOf(b, c), Shift: shiftOf(b, c), Runs: []Series{}}
	addBand(d.Shift, base, cand)
	for _, r := range base {
		d.add(r, false)
	}
	for _, r := range cand {
		d.add(r, true)
	}
	return d
}

// sorted returns the samples of all runs together, in ascending order.
func sorted(runs []Run) (all []int64) {
	for _, r := range runs {
		all = append(all, r.SamplesNs...)
	}
	slices.Sort(all)
	return all
}

// sideOf sums up sorted samples.
func sideOf(sorted []int64) *Side {
	n := len(sorted)
	if n == 0 {
		return nil
	}
	quantile := func(p float64) int64 { return int64(math.Round(stats.HarrellDavis(sorted, p))) }
	s := &Side{Samples: n, MinNs: sorted[0], Q25Ns: quantile(.25), MedianNs: quantile(.5), Q75Ns: quantile(.75), MaxNs: sorted[n-1]}
	k := min(n, steps)
	for i := 1; i <= k; i++ {
		s.StepsNs = append(s.StepsNs, sorted[(i*n+k-1)/k-1])
	}
	return s
}

// histogramOf counts the samples of both sides on one axis, from the least to the greatest.
func histogramOf(base, cand []int64) *Histogram {
	if len(base)+len(cand) == 0 {
		return nil
	}
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, side := range [][]int64{base, cand} {
		if len(side) > 0 {
			least, most = min(least, side[0]), max(most, side[len(side)-1])
		}
	}
	h := &Histogram{Logarithmic: least >= 0 && most/20 > max(least, 1)}
	h.EdgesNs = edges(least, most, h.Logarithmic)
	h.Base, h.Cand = h.counts(base), h.counts(cand)
	return h
}

// edges divides an axis into bins. Edges are whole and ascend, so that a short axis has fewer bins.
func edges(least, most int64, logarithmic bool) []int64 {
	all := []int64{least}
	for i := 1; i < bins; i++ {
		share := float64(i) / bins
		at := least + int64(math.Round(share*float64(most-least)))
		if logarithmic {
			from := math.Log(float64(max(least, 1)))
			at = int64(math.Round(math.Exp(from + share*(math.Log(float64(most))-from))))
		}
		if at > all[len(all)-1] && at < most {
			all = append(all, at)
		}
	}
	return append(all, max(most, least+1))
}

// counts counts sorted samples by bin.
func (h *Histogram) counts(sorted []int64) []int64 {
	n := make([]int64, len(h.EdgesNs)-1)
	bin := 0
	for _, ns := range sorted {
		for bin+1 < len(n) && ns >= h.EdgesNs[bin+1] {
			bin++
		}
		n[bin]++
	}
	return n
}

// shiftOf is the shift function from the 10 % to the 90 % quantile: what lies beyond is left out, as few samples decide about it.
func shiftOf(base, cand []int64) []Shift {
	all := []Shift{}
	if len(base) < 2 || len(cand) < 2 {
		return all
	}
	for percent := 10; percent <= 90; percent += 5 {
		p := float64(percent) / 100
		all = append(all, Shift{P: p, Ns: int64(math.Round(stats.HarrellDavis(cand, p) - stats.HarrellDavis(base, p)))})
	}
	return all
}

// add adds the control chart of a run that has samples.
func (d *Distribution) add(r Run, cand bool) {
	n := len(r.SamplesNs)
	if n == 0 {
		return
	}
	s := Series{Run: r.Name, Cand: cand, Samples: n, Every: (n + points - 1) / points, MedianNs: lowerMedian(r.SamplesNs)}
	for _, ns := range r.SamplesNs {
		s.TotalNs += ns
	}
	for at := 0; at < n; at += s.Every {
		some := r.SamplesNs[at:min(at+s.Every, n)]
		s.PointsNs = append(s.PointsNs, lowerMedian(some))
		if s.Every > 1 {
			s.LeastNs, s.MostNs = append(s.LeastNs, slices.Min(some)), append(s.MostNs, slices.Max(some))
		}
	}
	d.Runs = append(d.Runs, s)
}

// lowerMedian is the lower of the middle samples.
func lowerMedian(ns []int64) int64 {
	all := slices.Sorted(slices.Values(ns))
	return all[(len(all)-1)/2]
}
