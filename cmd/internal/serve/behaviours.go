package serve

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/tracelake/tracelake/cmd/internal/claims"
)

// behaviours returns which items of a run, the values of the attribute item, were treated alike.
func (s *site) behaviours(r *http.Request) (any, error) {
	name := r.PathValue("name")
	if _, err := s.partition("run", name); err != nil {
		return nil, err
	}
	item := r.URL.Query().Get("item")
	if item == "" {
		return nil, badRequest("item is empty: name the attribute whose values are items")
	}
	var by []string
	if text := r.URL.Query().Get("by"); text != "" {
		by = strings.Split(text, ",")
	}
	release, err := s.alone(r.Context())
	if err != nil {
		return nil, err
	}
	defer release()
	found, err := claims.Behaviours(r.Context(), s.globals, s.lake, name, item, by)
	return json.RawMessage(found), err
}
