// Package pages makes the data of the pages of a report: of a comparison, or of a run. In come the rows of tables and what reports in
// text say of them; out goes JSON by names, which the scripts of package cmd/internal/web draw.
//
//	comparison.go  the verdict in the words of the text, every change, and what its verdict rests on
//	run.go         what the critical paths of a run consist of, its fragments and functions, its losses
//	choose.go      which fragments a page has, the causes first
//	fragment.go    the difference automaton of a fragment with its place on the page, and the distributions of every step
//	windows.go     the windows of the runs in which a root cause shows
//	budget.go      what fits into a file, and what was left out
//
// Every number is that of a table or of the report in text: the page rounds, sorts and draws, and computes no finding. The same rows give
// the same bytes.
package pages
