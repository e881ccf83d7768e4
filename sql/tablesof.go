package sql

import (
	"regexp"
	"slices"
	"strings"

	"github.com/tracelake/tracelake/schema"
)

// identifierWord is a word of SQL that may name a table.
var identifierWord = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)

// TablesOf returns which of some tables a question may read, sorted: those that its text names, or that the views and macros read that it
// names. The question is SQL or the name of a query. Tables that schema does not describe are always among them, since their views
// are made of their files. A word may name a table without being one, so that there may be too many; a table whose name a question puts
// together of pieces is missed.
func TablesOf(question string, tables []string) []string {
	for _, q := range Queries() {
		if q.Name == question {
			question = q.SQL
		}
	}
	reads := derivedTexts()
	seen := make(map[string]bool)
	var look func(text string)
	look = func(text string) {
		for _, word := range identifierWord.FindAllString(text, -1) {
			if word = strings.ToLower(word); !seen[word] {
				seen[word] = true
				look(reads[word])
			}
		}
	}
	look(question)
	var of []string
	for _, table := range tables {
		if _, described := schema.Table(table); !described || seen[strings.ToLower(table)] {
			of = append(of, table)
		}
	}
	slices.Sort(of)
	return of
}

// derivedTexts returns the definitions of the views and macros that come with the program, by their names.
func derivedTexts() map[string]string {
	texts := make(map[string]string)
	statements, _ := derivedViews() // what is embedded is whole, or nothing works
	for _, s := range statements {
		if m := createdObject.FindStringSubmatch(s); m != nil {
			name := strings.ToLower(strings.Trim(m[2], `"`))
			texts[name] += s + "\n"
		}
	}
	return texts
}
