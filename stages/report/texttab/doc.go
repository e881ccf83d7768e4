// Package texttab writes numbers and tables for people who read them in a terminal or a log.
//
// Every report and every command takes its columns, units and plurals from here, so that one duration looks the same in
// a verdict, in a list of runs and in a picture:
//
//	table.go    Table collects rows and aligns their columns; Columns aligns rows that arrive one by one
//	width.go    how many columns of a terminal a text takes, and where a long line breaks
//	duration.go the units of time, and durations with three digits or with all of them
//	printable.go names of a trace without what acts on a terminal
//	number.go   counts with thousands, plurals, percentages, sizes in bytes
//
// Numbers are formatted alike in every locale: a comma groups thousands, a point begins decimals, one space separates
// a number from its unit. Units of time are written in ASCII ("us"), in terminals, pictures and pages alike.
// All functions are pure and safe for concurrent use; a Table or Columns belongs to one goroutine.
package texttab
