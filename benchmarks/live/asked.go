package main

import (
	"errors"
	"fmt"
	"slices"
)

// tell prints the figures.
func (t *trial) tell(recorder, server float64) {
	s := t.length.Seconds()
	fmt.Fprintf(t.out, "%.1f frames/s at the worst of %d pages, %.1f kB each; made in %.2f ms at the median, %.2f at p95\n",
		1000/t.between(), t.pages, quantile(t.bytes, 0.5)/1e3, quantile(t.made, 0.5), quantile(t.made, 0.95))
	fmt.Fprintf(t.out, "from an event being sent to a frame at the page: %.0f ms at the median, %.0f at p95, of %d\n", quantile(t.late, 0.5), quantile(t.late, 0.95), len(t.late))
	if t.browser {
		fmt.Fprintf(t.out, "%.1f frames/s painted; from an event being sent to its being painted: %.0f ms at the median, %.0f at p95, of %d\n",
			float64(t.paints)/(s-warmUp.Seconds()), quantile(t.painted, 0.5), quantile(t.painted, 0.95), len(t.painted))
	}
	fmt.Fprintf(t.out, "any two moments: %.0f ms at the median, %.0f at p95, %.0f at most, of %d\n", quantile(t.moments, 0.5), quantile(t.moments, 0.95), quantile(t.moments, 1), len(t.moments))
	if t.sleeps {
		fmt.Fprintf(t.out, "a page that slept for %v was up to date %.0f ms after it woke at the median, %.0f at most, of %d\n", asleep, quantile(t.woken, 0.5), quantile(t.woken, 1), len(t.woken))
	}
	if t.restarts {
		fmt.Fprintf(t.out, "the server was killed and started again: %d of %d pages went on, %.0f ms after it was killed at most\n", len(t.returned), t.readers(), quantile(t.returned, 1))
	}
	fmt.Fprintf(t.out, "ingest --follow %.1f %% of a core and %.0f MB, serve %.1f %% and %.0f MB; %.2f GB of the disk\n",
		100*recorder/s, float64(t.most[0])/1e3, 100*server/s, float64(t.most[1])/1e3, float64(t.disk)/1e9)
}

// between is the mean time between two frames, in ms, at the page that got fewest of them. The time in which no server was there does not count.
func (t *trial) between() float64 {
	away := 0.0
	if len(t.returned) > 0 {
		away = quantile(t.returned, 1) / 1e3
	}
	return 1000 * (t.length.Seconds() - beginning.Seconds() - away) / float64(slices.Min(t.frames))
}

// figure is one that was asked for: at most so much, or, where it is not, at least so much.
type figure struct {
	what      string
	has, most float64
}

// figures are those that were asked for (issue: "Speed and memory"), and how long a page may take that wakes, or whose server is started again, which
// are ours.
func (t *trial) figures(percent float64) []figure {
	all := []figure{
		{"ms between frames", t.between(), 42}, {"ms to make a frame", quantile(t.made, 0.5), 2}, {"bytes of a frame", quantile(t.bytes, 0.5), 20_000},
		{"ms to the page at the median", quantile(t.late, 0.5), 100}, {"ms to the page at p95", quantile(t.late, 0.95), 200}, {"ms for two moments at p95", quantile(t.moments, 0.95), 100},
		{"% of a core", percent, 30}, {"MB of memory", float64(t.most[0]+t.most[1]) / 1e3, 300},
		{"ms until it is painted at the median", quantile(t.painted, 0.5), 100}, {"ms until it is painted at p95", quantile(t.painted, 0.95), 200},
		{"times an ingest to make the run", t.sealed, 1.2},
		{"ms until a page that woke is up to date", quantile(t.woken, 1), 2000}, {"ms until a page goes on after its server was killed", quantile(t.returned, 1), 5000},
	}
	if t.keep > 0 {
		all = append(all, figure{"bytes of the disk", float64(t.disk), float64(t.keep)})
	}
	return all
}

// asked says which figures are beyond what was asked.
func (t *trial) asked(percent float64) (err error) {
	if !t.check {
		return nil
	}
	for _, f := range t.figures(percent) {
		if f.has > f.most {
			err = errors.Join(err, fmt.Errorf("%.1f %s, and at most %.1f were asked", f.has, f.what, f.most))
		}
	}
	for what, n := range map[string]int{"no event was seen at a page": len(t.late), "no moment that has passed was seen": len(t.moments)} {
		if n == 0 {
			err = errors.Join(err, errors.New(what))
		}
	}
	if t.sleeps && len(t.woken) == 0 {
		err = errors.Join(err, errors.New("no page slept and was up to date again"))
	} else if missing := t.wakings - len(t.woken); missing > 1 { // the last one may be under way
		err = errors.Join(err, fmt.Errorf("after %d of %d wakings the page was not up to date before it slept again", missing, t.wakings))
	}
	if t.left > 2 { // the one at hand, and one of which a run is being made
		err = errors.Join(err, fmt.Errorf("%d recordings are left, of which no run was made", t.left))
	}
	if t.against > 0 && t.compared == 0 {
		err = errors.Join(err, errors.New("no frame had a difference to the baseline"))
	}
	if t.restarts && len(t.returned) < t.readers() {
		err = errors.Join(err, fmt.Errorf("%d of %d pages went on with the server that was started again", len(t.returned), t.readers()))
	}
	return err
}

func quantile(all []float64, share float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[min(len(all)-1, int(share*float64(len(all))))]
}
