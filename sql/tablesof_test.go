package sql

import (
	"slices"
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// TestTablesOf asks for the tables that questions read: by name, through a view, and through a named query. None of the others is brought.
func TestTablesOf(t *testing.T) {
	all := []string{"runs", "samples", "executions", "events", "transitions", "changes", "unheard"}
	for question, want := range map[string][]string{
		"SELECT count(*) FROM Executions": {"executions", "unheard"},
		`FROM "samples"`:                  {"samples", "unheard"},
		"SELECT 1":                        {"unheard"},
	} {
		if got := TablesOf(question, all); !slices.Equal(got, want) {
			t.Errorf("%s reads %v, and the answer is %v", question, want, got)
		}
	}
	var described []string
	for _, table := range schema.Tables() {
		described = append(described, table.Name)
	}
	for _, q := range Queries() {
		if len(TablesOf(q.Name, described)) == 0 {
			t.Errorf("the query %s reads no table", q.Name)
		}
	}
}
