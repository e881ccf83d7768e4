package serve

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/tracelake/tracelake/cmd/internal/console"
	"github.com/tracelake/tracelake/cmd/internal/web"
	"github.com/tracelake/tracelake/pipeline/lake"
	"github.com/tracelake/tracelake/pipeline/memory"
	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/pipeline/views"
	"github.com/tracelake/tracelake/pipeline/workers"
	"github.com/tracelake/tracelake/sql"
	"github.com/tracelake/tracelake/stages/chart/componentmodel"
)

// site is a lake with what its pages share.
type site struct {
	life     context.Context // ends when the server does
	lake     *lake.Lake
	globals  *console.Globals
	memory   int64 // bytes for tasks, of which half is the cache's at most
	jobs     int
	cache    *views.Cache
	querying chan struct{}         // holds one element while a query or a critical path is computed
	free     bool                  // SQL that readers write is answered
	model    *componentmodel.Model // nil: no component model is drawn

	underWay underWay
	verdicts sync.Map // *summary by the fingerprint of the findings of a comparison
}

// routes returns what answers.
func (s *site) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", page)
	mux.HandleFunc("GET /assets/{name}", asset)
	mux.HandleFunc("GET /report/{name}", s.report)
	mux.HandleFunc("GET /api/lake", s.answer(s.contents))
	mux.HandleFunc("GET /api/lake/state", s.answer(s.state))
	mux.HandleFunc("GET /api/comparison/{name}", s.answer(s.comparison))
	mux.HandleFunc("GET /api/comparison/{name}/verdict", s.answer(s.verdict))
	mux.HandleFunc("GET /api/query/{name}", s.answer(s.query))
	mux.HandleFunc("GET /api/sql", s.answer(s.sql))
	mux.HandleFunc("GET /api/run/{name}/lanes", s.answer(s.lanes))
	mux.HandleFunc("GET /api/run/{name}/window", s.answer(s.window))
	mux.HandleFunc("GET /api/run/{name}/attributes", s.answer(s.attributes))
	mux.HandleFunc("GET /api/run/{name}/messages", s.answer(s.messages))
	mux.HandleFunc("GET /api/run/{name}/execution", s.answer(s.execution))
	mux.HandleFunc("GET /api/run/{name}/related", s.answer(s.related))
	mux.HandleFunc("GET /api/run/{name}/path", s.answer(s.path))
	mux.HandleFunc("GET /api/run/{name}/paths", s.answer(s.paths))
	mux.HandleFunc("GET /api/run/{name}/fragments", s.answer(s.fragments))
	mux.HandleFunc("GET /api/run/{name}/signals", s.answer(s.signals))
	mux.HandleFunc("GET /api/run/{name}/behaviours", s.answer(s.behaviours))
	mux.HandleFunc("GET /api/run/{name}/difference", s.answer(s.difference))
	mux.HandleFunc("GET /api/run/{name}/critical", s.answer(s.critical))
	mux.HandleFunc("GET /api/run/{name}/durations", s.answer(s.durations))
	mux.HandleFunc("GET /api/run/{name}/histograms", s.answer(s.histograms))
	mux.HandleFunc("GET /api/run/{name}/checks", s.answer(s.checks))
	mux.HandleFunc("GET /api/run/{name}/stretches", s.answer(s.stretches))
	mux.HandleFunc("GET /api/run/{name}/clocks", s.answer(s.clocks))
	mux.HandleFunc("GET /api/levels/{name}", s.answer(s.levels))
	mux.HandleFunc("GET /api/history/{name}", s.answer(s.history))
	s.liveRoutes(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "There is no such page: begin at /.")
	})
	return mux
}

// page is the document of all pages of the lake, which are told apart by what stands behind #.
func page(w http.ResponseWriter, _ *http.Request) { shell(w, "serve", "") }

// livePage is the document of pages of systems that run. It has nothing of the lake in it.
func livePage(w http.ResponseWriter, _ *http.Request) { shell(w, "live", "") }

// shell writes the document of pages whose style and script have a name, with what it shows until its script does.
func shell(w http.ResponseWriter, name, within string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Write([]byte(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/assets/` + name + `.css">
<title>Tracelake</title>
</head>
<body>
<div id="page">` + within + `</div>
<noscript>These pages need JavaScript. analyze query and analyze compare print the same numbers as text.</noscript>
<script src="/assets/` + name + `.js"></script>
</body>
</html>
`))
}

// asset answers with a script or a style of the program. A browser asks each time, and gets the text when it is another one.
func asset(w http.ResponseWriter, r *http.Request) {
	text, known := web.Asset(r.PathValue("name"))
	if !known {
		refuse(w, http.StatusNotFound, "There is no such file.")
		return
	}
	kind := "text/javascript; charset=utf-8"
	if strings.HasSuffix(r.PathValue("name"), ".css") {
		kind = "text/css; charset=utf-8"
	}
	sum := sha256.Sum256(text)
	tag := `"` + hex.EncodeToString(sum[:8]) + `"`
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Vary", "Accept-Encoding")
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		text = compressed(tag, text)
	}
	w.Write(text)
}

// compressedAssets are the assets that were sent, by their tags.
var compressedAssets sync.Map

// compressed returns an asset with gzip, a third of its bytes.
func compressed(tag string, text []byte) []byte {
	if known, has := compressedAssets.Load(tag); has {
		return known.([]byte)
	}
	packed := gzipped(text, gzip.BestCompression)
	compressedAssets.Store(tag, packed)
	return packed
}

// gzipped compresses a text.
func gzipped(text []byte, level int) []byte {
	var out bytes.Buffer
	z, _ := gzip.NewWriterLevel(&out, level) // the level is one
	z.Write(text)                            // a buffer never fails
	z.Close()
	return out.Bytes()
}

// reportable says why there is no report of a comparison or a run of some name. Where both have it, the report is that of the comparison.
func (s *site) reportable(name string) error {
	comparison, err := s.partition("comparison", name)
	if err == nil {
		if comparison.Table("findings") == nil {
			return notFound(fmt.Sprintf("%s has no findings: make them with analyze compare", name))
		}
		return s.roomFor(comparison, name, timesReport)
	}
	run, unknown := s.partition("run", name)
	switch {
	case unknown != nil:
		return err
	case run.Table("compositions") == nil || run.Table("summaries") == nil:
		return notFound(fmt.Sprintf("run %s has no report yet: make it with analyze run %s", name, name))
	}
	return nil
}

// badRequest is a parameter that cannot be understood.
type badRequest string

// Error implements error.
func (e badRequest) Error() string { return string(e) }

// notFound is something that the lake does not have.
type notFound string

// Error implements error.
func (e notFound) Error() string { return string(e) }

// answer writes what a function returns as JSON, or its error as a sentence. A function that panics answers with an error, too.
// Another process may replace a table between the look at its manifest and the look at its files, which are gone then: the new ones
// are read instead.
func (s *site) answer(do func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		r, end := s.underWay.begin(r)
		defer end()
		var value any
		var err error
		for range 3 {
			value, err = guarded(do, r)
			if !errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
		if err = why(r, err); err != nil {
			code, sentence := told(err)
			refuse(w, code, sentence)
			return
		}
		var out bytes.Buffer
		encoder := json.NewEncoder(&out)
		encoder.SetEscapeHTML(true)
		if columns, is := value.(packed); is {
			w.Header().Set("Content-Type", "application/octet-stream")
			w.Write(columns)
			return
		}
		if text, is := value.(json.RawMessage); is {
			out.Write(text)
		} else if err := encoder.Encode(value); err != nil {
			refuse(w, http.StatusInternalServerError, sentence(err))
			return
		}
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.Write(out.Bytes())
	}
}

// guarded calls a function and makes an error of its panic.
func guarded(do func(*http.Request) (any, error), r *http.Request) (value any, err error) {
	defer workers.Recover(&err)
	return do(r)
}

// told chooses the code and the sentence of an error. What is missing says which command makes it.
func told(err error) (int, string) {
	var usage *console.UsageError
	var name *runs.NameError
	var none *views.NoExecutionError
	var ask *views.AskError
	var missing *lake.NotAnalyzedError
	var short *memory.ExceededError
	switch {
	case errors.As(err, new(badRequest)), errors.As(err, &usage), errors.As(err, &ask), errors.As(err, new(*sql.ParamError)), errors.As(err, new(*sql.UnknownParamError)), errors.As(err, new(*sql.RefusedError)):
		return http.StatusBadRequest, sentence(err)
	case errors.As(err, &missing):
		return http.StatusNotFound, fmt.Sprintf("Run %s has no table %s: make it with analyze run %s", missing.Run, missing.Table, missing.Run)
	case errors.As(err, new(lake.UnknownRunError)), errors.As(err, new(*lake.NotMadeError)), errors.As(err, new(notFound)), errors.As(err, &name), errors.As(err, &none):
		return http.StatusNotFound, sentence(err)
	case errors.As(err, &short):
		return http.StatusServiceUnavailable, sentence(err)
	case errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable, "The request was given up."
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusConflict, "The lake changed while this was read: ask again."
	}
	return http.StatusInternalServerError, sentence(err)
}

// sentence is an error with a capital.
func sentence(err error) string {
	text := err.Error()
	if text == "" {
		return "It failed."
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// number reads an integer parameter within bounds.
func number(r *http.Request, name string, least, most, initial int64) (int64, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return initial, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < least || n > most {
		return 0, badRequest(fmt.Sprintf("%s=%s: a whole number from %d to %d", name, strconv.Quote(text), least, most))
	}
	return n, nil
}

// partition finds a run, a comparison or a baseline by its name. It is looked up among those that there are, never made into a path.
func (s *site) partition(key, name string) (*lake.Inventory, error) {
	all, err := s.lake.Partitions(key)
	if err != nil {
		return nil, err
	}
	for _, p := range all {
		if p.Name == name {
			v, err := s.lake.Inventory(p)
			if err == nil && len(v.Tables) == 0 { // dropped meanwhile
				break
			}
			return v, err
		}
	}
	return nil, notFound(fmt.Sprintf("the lake has no %s %s", key, strconv.Quote(name)))
}
