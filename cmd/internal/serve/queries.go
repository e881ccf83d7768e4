package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tracelake/tracelake/cmd/internal/views"
	"github.com/tracelake/tracelake/sql"
)

// queryTime is how long a query may take.
const queryTime = time.Minute

// mostAnswer is how many bytes of JSON an answer may have that a browser is to show as a table.
const mostAnswer = 16 << 20

// query answers a named query.
func (s *site) query(r *http.Request) (any, error) {
	name := r.PathValue("name")
	queries := sql.Queries()
	at := slices.IndexFunc(queries, func(q sql.NamedQuery) bool { return q.Name == name })
	if at < 0 {
		return nil, notFound(fmt.Sprintf("there is no query %s: analyze query --list lists them", strconv.Quote(name)))
	}
	params := make(map[string]string)
	for key, values := range r.URL.Query() {
		if !slices.ContainsFunc(queries[at].Params, func(p sql.Param) bool { return p.Name == key }) {
			return nil, badRequest(fmt.Sprintf("the query %s has no parameter %s", name, strconv.Quote(key)))
		}
		if len(values) != 1 {
			return nil, badRequest(fmt.Sprintf("the parameter %s is given more than once", strconv.Quote(key)))
		}
		if values[0] != "" {
			params[key] = values[0]
		}
	}
	return s.asked(r, name, func(ctx context.Context, db *sql.DB, out io.Writer) error {
		return db.Named(ctx, out, name, params, sql.JSON)
	})
}

// mostSQL is how many bytes a question may have.
const mostSQL = 32 << 10

// sql answers the question q, which must be one that only selects rows. Without --sql none is answered.
func (s *site) sql(r *http.Request) (any, error) {
	q := r.URL.Query().Get("q")
	switch {
	case !s.free:
		return nil, notFound("this server answers named queries alone: analyze serve --sql answers any that only selects rows")
	case strings.TrimSpace(q) == "":
		return nil, badRequest("q is empty: write a SELECT")
	case len(q) > mostSQL:
		return nil, badRequest(fmt.Sprintf("q has %d bytes, of %d that are allowed", len(q), mostSQL))
	}
	answer, err := s.asked(r, q, func(ctx context.Context, db *sql.DB, out io.Writer) error { return db.Query(ctx, out, q, sql.JSON) })
	var refused *sql.RefusedError
	var known badRequest
	if err != nil && !errors.As(err, &refused) && !errors.As(err, &known) && r.Context().Err() == nil {
		err = badRequest(err.Error()) // what DuckDB says of the question
	}
	return answer, err
}

// asked opens the lake as a database in a sandbox and asks it something: the question is SQL or the name of a query. There is one question at a time, so that together they keep within the
// memory.
func (s *site) asked(r *http.Request, question string, ask func(context.Context, *sql.DB, io.Writer) error) (any, error) {
	ctx, cancel := context.WithTimeoutCause(r.Context(), queryTime, fmt.Errorf("the query took longer than %s: analyze query has no limit", queryTime))
	defer cancel()
	release, err := s.alone(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	catalog, err := views.Catalog(ctx, s.lake, question)
	if err != nil {
		return nil, err
	}
	notes := []string{}
	db, err := sql.Open(ctx, catalog, sql.Options{MemoryBytes: s.memory / 4, Threads: s.jobs, Sandbox: true, Note: func(text string) { notes = append(notes, text) }})
	if err != nil {
		return nil, err
	}
	out := &bounded{most: mostAnswer}
	err = ask(ctx, db, out)
	if err = errors.Join(err, db.Close()); err != nil {
		return nil, err
	}
	return struct {
		Notes []string        `json:"notes"`
		Rows  json.RawMessage `json:"rows"`
	}{notes, out.text.Bytes()}, nil
}

// alone waits until no other query is computed. The function that is returned lets the next one begin.
func (s *site) alone(ctx context.Context) (release func(), err error) {
	select {
	case s.querying <- struct{}{}:
		return func() { <-s.querying }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// bounded keeps what is written up to a size.
type bounded struct {
	text bytes.Buffer
	most int
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.text.Len()+len(p) > b.most {
		return 0, badRequest("the answer is too large for a page: ask for fewer rows, or use analyze query")
	}
	return b.text.Write(p)
}
