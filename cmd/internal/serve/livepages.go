package serve

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// mostPages bounds the pages of a browser that share a stream.
const mostPages = 64

// pages streams frames for several pages at once, as a browser opens at most six connections to a server. Each parameter page is the number of a
// page, a blank, and its address below /api/live/ with what it asks for; all that is sent begins with the number of the page that it is for.
// What ends, or cannot be shown, ends for its page alone.
func (s *watched) pages(w http.ResponseWriter, r *http.Request) {
	asked := r.URL.Query()["page"]
	if len(asked) == 0 || len(asked) > mostPages {
		refuse(w, http.StatusBadRequest, fmt.Sprintf("A stream is for 1 to %d pages.", mostPages))
		return
	}
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	var all []*stream
	for _, page := range asked {
		t, release, err := s.page(w, r, page)
		if err != nil {
			_, sentence := told(err)
			t.event("failed", sentence)
			continue
		}
		defer release()
		all = append(all, t)
	}
	tick := time.NewTicker(frameEvery)
	defer tick.Stop()
	for {
		kept := all[:0]
		for _, t := range all {
			err := t.next()
			switch {
			case r.Context().Err() != nil:
				return
			case err == nil:
				kept = append(kept, t)
			case !errors.Is(err, errEnded):
				_, sentence := told(err)
				t.event("failed", sentence)
			}
		}
		all = kept
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return
		}
	}
}

// page opens the stream of one of several pages. Where that fails there is one all the same, to say so.
func (s *watched) page(w http.ResponseWriter, r *http.Request, page string) (t *stream, release func(), err error) {
	number, address, _ := strings.Cut(page, " ")
	t = &stream{w: w, flush: http.NewResponseController(w).Flush, page: number + " "}
	if strings.ContainsAny(number, "\r\n") {
		t.page = ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return t, nil, badRequest("page: " + err.Error())
	}
	own := r.Clone(r.Context())
	own.URL = u
	opened, release, err := s.stream(w, own, u.Path)
	if err != nil {
		return t, nil, err
	}
	opened.page = t.page
	return opened, release, nil
}
