package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/live"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/stages/chart/componentmodel"
	"github.com/tracelake/tracelake/stages/timing/hotness"
)

// liveRoutes adds what shows a system while it runs, and runs of the lake in the same way.
func (s *site) liveRoutes(mux *http.ServeMux) {
	w := &watched{site: s, open: make(map[string]*look), baselines: baselines{site: s}, critical: criticalRuns{site: s}}
	mux.HandleFunc("GET /live/{$}", livePage)
	mux.HandleFunc("GET /live/{name}", livePage)
	mux.HandleFunc("GET /api/live", s.answer(w.recordings))
	mux.HandleFunc("GET /api/frames", w.pages)
	mux.HandleFunc("GET /api/live/{name}/frame", s.answer(w.oneFrame))
	mux.HandleFunc("GET /api/live/{name}/frames", w.frames)
}

// recordings lists the runs that are being recorded, or were left behind, those that the lake has, and the metrics.
func (s *watched) recordings(*http.Request) (any, error) {
	recorded, err := live.Unfinished(s.lake)
	var stored []string
	if all, fault := s.lake.Partitions("run"); fault == nil {
		for _, p := range all {
			stored = append(stored, p.Name)
		}
	}
	type metric struct {
		Word string `json:"word"`
		Name string `json:"name"`
		Doc  string `json:"doc"`
	}
	out := struct {
		Recordings []string    `json:"recordings"`
		Runs       []string    `json:"runs"`
		Metrics    []metric    `json:"metrics"`
		Model      *shownModel `json:"model,omitempty"`
	}{Recordings: append([]string{}, recorded...), Runs: append([]string{}, stored...), Model: drawnModel(s.model)}
	for _, m := range hotness.Metrics() {
		out.Metrics = append(out.Metrics, metric{m.Word, m.Name, m.Doc})
	}
	return out, err
}

// watched are the views that pages look at, each opened once.
type watched struct {
	*site
	mu        sync.Mutex
	open      map[string]*look
	baselines baselines
	critical  criticalRuns
}

// look is a view with the number of pages that look at it. A stored one stays until another stored one is looked at.
type look struct {
	*live.Look
	users int
	tag   string // of a stored run: which contents of it
}

// resolve finds the run that a name stands for: that of a series, which is no run itself, stands for the one that is recorded now, or was last.
func (s *watched) resolve(name string) (run string, isRecorded bool, err error) {
	recorded, err := live.Unfinished(s.lake)
	if err != nil {
		return "", false, err
	}
	if slices.Contains(recorded, name) {
		return name, true, nil
	}
	stored, err := runs.Names(s.lake) // a name of an address is compared with these, and is never part of a path
	if err != nil || slices.Contains(stored, name) {
		return name, false, err
	}
	if all, _ := live.InSeries(name, recorded); len(all) > 0 {
		return all[len(all)-1], true, nil
	}
	if all, _ := live.InSeries(name, stored); len(all) > 0 {
		return all[len(all)-1], false, nil
	}
	return name, false, nil
}

// acquire opens the view of a run, or gives the one that is open. Whoever has it calls release.
func (s *watched) acquire(ctx context.Context, run string, isRecorded bool) (l *live.Look, release func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	k, tag := s.open[run], ""
	if !isRecorded {
		v, err := s.partition("run", run)
		if err != nil {
			return nil, nil, err
		}
		events := v.Table("events")
		if events == nil {
			return nil, nil, &lake.NotAnalyzedError{Run: run, Table: "events"}
		}
		tag = events.Fingerprint
	}
	if k == nil || !k.Current() || k.tag != tag {
		k = &look{tag: tag}
		if isRecorded {
			k.Look, err = live.OpenLook(s.lake, run)
			if errors.Is(err, fs.ErrNotExist) {
				err = notFound(fmt.Sprintf("run %s is recorded by a program that does not show it, or was left behind: ingest seal %s makes a run of it", run, run))
			}
		} else {
			k.Look, err = live.LookStored(ctx, s.lake, run)
		}
		if err != nil {
			return nil, nil, err
		}
		s.forget()
		s.open[run] = k
	}
	k.users++
	return k.Look, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if k.users--; k.users == 0 && s.open[run] != k {
			k.Close()
		} else if k.users == 0 && !k.Stored() {
			delete(s.open, run)
			k.Close()
		}
	}, nil
}

// forget closes what nobody looks at.
func (l *watched) forget() {
	for run, k := range l.open {
		if k.users == 0 {
			k.Close()
			delete(l.open, run)
		}
	}
}

// sight is what a page looks at: a reference point that stands, or moves on with the time, a window before it, and the scale that ends there.
type sight struct {
	ask            live.Ask
	follow         bool  // the reference point is now
	at             int64 // else where it was when the page asked
	speed          float64
	offset, anchor int64
	span           int64 // of the scale and of the timing diagram
	began          time.Time
	against        string // a run of the lake to compare with; "" for none
}

const mostNs = math.MaxInt64 / 4

// sightOf reads what a page asks for.
func sightOf(r *http.Request) (v *sight, err error) {
	v = &sight{follow: r.URL.Query().Get("at") == "", began: time.Now()}
	var pixels, steps, percent int64
	for _, p := range []struct {
		into                 *int64
		name                 string
		least, most, initial int64
	}{
		{&v.at, "at", 0, mostNs, 0}, {&percent, "speed", 0, 10_000, 0}, {&v.offset, "offset", 0, mostNs, 0}, {&v.anchor, "anchor", 0, mostNs, -1},
		{&v.ask.IntervalNs, "interval", 1, mostNs, int64(time.Second)}, {&v.span, "span", 1, mostNs, 5 * int64(time.Second)},
		{&pixels, "pixels", 0, 10_000, 0}, {&steps, "steps", 1, 255, 5},
	} {
		if *p.into, err = number(r, p.name, p.least, p.most, p.initial); err != nil {
			return nil, err
		}
	}
	v.speed, v.ask.Pixels = float64(percent)/100, int(pixels)
	word, known := r.URL.Query().Get("metric"), false
	if word == "" {
		word = "overall"
	}
	if v.ask.Metric, known = hotness.MetricOf(word); !known {
		return nil, badRequest(fmt.Sprintf("metric=%q: there is no such metric", word))
	}
	v.ask.Real = r.URL.Query().Get("times") == "real"
	switch name := r.URL.Query().Get("colour"); name {
	case "", "quadratic":
		v.ask.Colour = hotness.Quadratic
	case "linear":
		v.ask.Colour = hotness.Linear
	case "steps":
		v.ask.Colour = func(h int) float64 { return float64(hotness.Steps(h, int(steps))) }
	default:
		return nil, badRequest(fmt.Sprintf("colour=%q: one of quadratic, linear, steps", name))
	}
	if v.against = r.URL.Query().Get("against"); v.against != "" {
		v.ask.Against = new(live.Against)
		if name := (live.Named{Component: r.URL.Query().Get("component"), Function: r.URL.Query().Get("function")}); name != (live.Named{}) {
			v.ask.Against.Chart = &name
		}
	}
	return v, nil
}

// reference is the point at which the page is, given how far the view reaches.
func (v *sight) reference(nowNs int64, now time.Time) int64 {
	if v.follow {
		return nowNs
	}
	return min(nowNs, v.at+int64(v.speed*float64(now.Sub(v.began))))
}

// frame makes the frame of a moment.
func (v *sight) frame(w *live.Watcher, nowNs int64, now time.Time) (*shownFrame, error) {
	at := v.reference(nowNs, now)
	ask := v.ask
	ask.ToNs = at - v.offset
	if v.anchor >= 0 {
		ask.ToNs = v.anchor
	}
	ask.NowNs, ask.Latest = nowNs, v.follow && v.offset == 0 && v.anchor < 0
	ask.BoxesFromNs, ask.BoxesToNs = at-v.span, at
	f, err := w.Frame(ask)
	if err == nil && ask.Latest {
		at = f.ToNs // rows may have come since
	}
	return &shownFrame{Frame: f, AtNs: at}, err
}

// shownFrame is a frame with the reference point of the page.
type shownFrame struct {
	*live.Frame
	AtNs int64  `json:"at_ns"`
	Run  string `json:"run"`            // which it is of a series
	Over []int  `json:"over,omitempty"` // by link: the connection of the component model, or undeclared
}

// oneFrame answers with one frame.
func (s *watched) oneFrame(r *http.Request) (any, error) {
	v, err := sightOf(r)
	if err != nil {
		return nil, err
	}
	run, isRecorded, err := s.resolve(r.PathValue("name"))
	if err != nil {
		return nil, err
	}
	l, release, err := s.acquire(r.Context(), run, isRecorded)
	if err != nil {
		return nil, err
	}
	defer release()
	s.critical.on(r.Context(), &v.ask, run, isRecorded)
	if v.against != "" {
		b, err := s.baselines.of(v.against)
		if err == nil {
			err = b.wait(r.Context())
		}
		if err != nil {
			return nil, err
		}
		v.ask.Against.Judge = b.on(v.ask.Against)
	}
	if err := l.Refresh(); err != nil {
		return nil, err
	}
	now := time.Now()
	f, err := v.frame(l.Watch(), l.Extent(now).NowNs(), now)
	if err != nil {
		return nil, err
	}
	f.Run = run
	f.declare(s.model)
	return f, nil
}

const (
	frameEvery = 38 * time.Millisecond // 25 a second, though now and then one is late, which none makes up for
	linksEvery = time.Second           // what changes slowly, or takes longer to make
	quietAfter = 10 * time.Second      // a stream without anything new says that it is there
)

// frames streams frames until the page leaves, as server-sent events. A page that reads slowly gets fewer of them: the next one is made when the
// one before is written.
func (s *watched) frames(w http.ResponseWriter, r *http.Request) {
	t, release, err := s.stream(w, r, r.PathValue("name"))
	if err != nil {
		code, sentence := told(err)
		refuse(w, code, sentence)
		return
	}
	defer release()
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	tick := time.NewTicker(frameEvery)
	defer tick.Stop()
	for err = t.next(); err == nil; err = t.next() {
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
	if !errors.Is(err, errEnded) && r.Context().Err() == nil {
		_, sentence := told(err)
		t.event("failed", sentence)
	}
}

// stream opens the stream of what an address asks for of a run or a series. Whoever has it calls release.
func (s *watched) stream(w http.ResponseWriter, r *http.Request, name string) (t *stream, release func(), err error) {
	v, err := sightOf(r)
	if err != nil {
		return nil, nil, err
	}
	var compared *comparedRun
	if v.against != "" {
		if compared, err = s.baselines.of(v.against); err != nil {
			return nil, nil, err
		}
	}
	run, isRecorded, err := s.resolve(name)
	if err != nil {
		return nil, nil, err
	}
	l, release, err := s.acquire(r.Context(), run, isRecorded)
	if err != nil {
		return nil, nil, err
	}
	s.critical.on(r.Context(), &v.ask, run, isRecorded)
	t = &stream{model: s.model, baseline: compared, w: w, flush: http.NewResponseController(w).Flush, sight: v, look: l, watcher: l.Watch(), run: run, resolved: time.Now()}
	t.resolve = func() (string, error) {
		run, _, err := s.resolve(name)
		return run, err
	}
	return t, release, nil
}

var errEnded = errors.New("the recording has ended")

// stream is the stream of a page.
type stream struct {
	*sight
	w              http.ResponseWriter
	flush          func() error
	look           *live.Look
	watcher        *live.Watcher
	number         int64
	before         [3]int64 // what the last frame showed: how far the view reached, rows, the reference point
	linked, spoken time.Time
	baseline       *comparedRun // nil: nothing is compared
	compared       bool         // a frame has the baseline
	components     int
	functions      int
	model          *componentmodel.Model // nil: none is drawn
	run            string                // of a series the one that is shown
	page           string                // stands before what is for one of several pages
	resolve        func() (run string, err error)
	resolved       time.Time
}

// current reports whether the stream still shows what its name stands for: a recording ends, and the next one of a series begins.
func (t *stream) current(now time.Time) (bool, error) {
	if !t.look.Current() {
		return false, nil
	}
	if now.Sub(t.resolved) < linksEvery {
		return true, nil
	}
	t.resolved = now
	run, err := t.resolve()
	return run == t.run, err
}

// next writes a frame if there is anything new to show.
func (t *stream) next() error {
	now := time.Now()
	if is, err := t.current(now); err != nil {
		return err
	} else if !is {
		t.event("ended", "")
		return errEnded
	}
	if err := t.look.Refresh(); err != nil {
		return err
	}
	// Rows arrive in batches, and so does the time that is seen by them: it does not run back.
	e := t.look.Extent(now)
	nowNs := max(e.NowNs(), min(t.before[0], e.NowNs()+int64(200*time.Millisecond)))
	shown := [3]int64{nowNs, e.LastNs, t.reference(nowNs, now)}
	ready := t.baseline != nil && t.baseline.on(t.ask.Against)
	if t.number > 0 && ready == t.compared && (shown == t.before || !t.follow && t.speed == 0 && now.Sub(t.linked) < linksEvery) {
		if now.Sub(t.spoken) < quietAfter {
			return nil
		}
		t.spoken = now
		if _, err := t.w.Write([]byte(": there\n\n")); err != nil {
			return err
		}
		return t.flush()
	}
	slow := now.Sub(t.linked) >= linksEvery
	if ready {
		t.ask.Against.Judge, t.compared = slow || !t.compared, true
	}
	t.ask.Unlinked = !slow
	f, err := t.frame(t.watcher, nowNs, now)
	if err != nil {
		return err
	}
	t.number++
	f.Number, f.Run, t.before, t.spoken = t.number, t.run, shown, now
	if slow {
		f.declare(t.model)
		t.linked = now
	}
	// What a page knows already is left out.
	if len(f.Components) == t.components {
		f.Components = nil
	}
	if len(f.Functions) == t.functions {
		f.Functions = nil
	}
	t.components, t.functions = max(t.components, len(f.Components)), max(t.functions, len(f.Functions))
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(t.w, "id: %d\ndata: %s%s\n\n", t.number, t.page, text); err != nil {
		return err
	}
	return t.flush()
}

// event writes an event with a sentence.
func (t *stream) event(name, sentence string) {
	text, _ := json.Marshal(sentence)
	fmt.Fprintf(t.w, "event: %s\ndata: %s%s\n\n", name, t.page, text)
	t.flush()
}
