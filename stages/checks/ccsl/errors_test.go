package ccsl

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracelake/tracelake/schema"
	"github.com/tracelake/tracelake/testdata/expect"
)

// The mark ✗ stands where the error must be; it is cut out before reading.
func TestErrors(t *testing.T) {
	block := func(lines string) string {
		return "ClockConstraintSystem s { entryBlock m Block m {\n" + lines + "\n} }"
	}
	light := func(lines string) string { return "Specification s {\n Clock a b c [\n" + lines + "\n] }" }
	library := func(body string) string {
		return `ClockConstraintSystem s { imports { import "x.ccslLib" as x; } entryBlock m Block m { Clock a Clock b
			Relation r[D](p -> a, n -> 1) } }` + "\x00" + body
	}
	for _, c := range []struct{ text, want string }{
		{"✗Block m {}", "expected ClockConstraintSystem or Library"},
		{"ClockConstraintSystem ✗s { }", "with a block was expected"},
		{"ClockConstraintSystem s { imports { import ✗kernel as k } }", "path of a file in quotes"},
		{"ClockConstraintSystem s { ✗Relation }", "expected imports, a block"},
		{"ClockConstraintSystem s { Block m {} } ✗x", "expected the end of the file"},
		{block("✗Relation2 r"), "expected Clock, Integer"},
		{block("Clock ✗[x]"), "expected a name, found \"[\""},
		{block("Clock a Clock ✗a"), "a is declared twice"},
		{block("Relation r ✗Precedes"), `expected "[" after the name of the relation`},
		{block("Clock a Relation r [Precedes] (LeftClock ✗= a)"), `expected "->"`},
		{block("Clock a Relation r [Precedes] (LeftClock -> a ✗RightClock -> a)"), `expected "," or ")"`},
		{block("Clock a Relation r [Precedes] (LeftClock -> a, RightClock -> ✗b)"), "expected a clock, found b, which is not declared"},
		{block("Clock a Integer n = 1 Relation r [Precedes] (LeftClock -> a, RightClock -> ✗n)"), "expected a clock, found n, which is an integer"},
		{block("Clock a Relation r [Precedes] (LeftClock -> a, RightClock -> ✗1)"), "expected a clock, found an integer"},
		{block("Clock a Relation r [Precedes] (LeftClock -> a, ✗Clock2 -> a)"), "Precedes has no parameter Clock2: it has LeftClock, RightClock"},
		{block("Clock a Relation r [Precedes] (LeftClock -> a, ✗LeftClock -> a)"), "parameter LeftClock of Precedes is given twice"},
		{block("Clock a Relation r [✗Precedes] (LeftClock -> a)"), "Precedes lacks its parameter RightClock"},
		{block("Clock a Relation r [✗Follows] (LeftClock -> a)"), "expected a relation, found Follows, which is not defined"},
		{block("Clock a Expression e = ✗Precedes(LeftClock -> a, RightClock -> a)"), "expected an expression, found Precedes"},
		{block("Sequence s = ✗Clock a"), "expected integers"},
		{block("Integer n = ✗99999999999999999999"), "an integer of at most"},
		{block("Integer n = ✗x"), "expected an integer, found x, which is not declared"},
		{block("Clock a Sequence s = 0(1) Expression ✗e = FilterBy(FilterByClock -> a, FilterBySeq -> s)"), "a gap of 0"},
		{block("Clock a Expression ✗e = Periodic(PeriodicBaseClock -> a, PeriodicPeriod -> 0, PeriodicOffset -> 0)"), "a period of 0"},
		{block("Clock a Expression ✗e = DelayFor(DelayForClockToDelay -> a, DelayForClockForCounting -> a, DelayForDelay -> 0)"), "choose one"},
		{block("Clock a Expression ✗e = DelayFor(DelayForClockToDelay -> a, DelayForClockForCounting -> a, DelayForDelay -> -1)"), "a delay of -1"},
		{block("✗blockTransition t"), "transitions between blocks"},
		{block("Clock ✗\x01"), "expected a name"},
		{block(`Clock a -> e ( ✗"x` + "\n"), "a string that does not end in its line"},
		{library("Library L { RelationLibrary R { ✗RelationDef } }"), "expected the declaration or definition of a relation"},
		{library("Library L { RelationLibrary R { RelationDefinition ✗DDef[D] {} } }"), "which its library does not declare"},
		{library("Library L { ExpressionLibrary R { ExpressionDeclaration E():clock ExpressionDefinition ✗EDef[E] {} } }"), "says no root"},
		{library("Library L { RelationLibrary R { RelationDeclaration D(p:clock, n:int) RelationDefinition F[D] { Relation ✗r[D](p -> p, n -> n) } } }"), "uses itself"},
		{library("Library L { RelationLibrary R { RelationDeclaration D(p:clock, n:int) ConditionalRelationDefinition F[D] { switch { case ✗Int { } } } } }"), "expected IntInf"},
		{"✗Clock a", "expected \"Specification\""},
		{"Specification s { ✗a }", "expected Clock"},
		{light("Precedence a ✗= b"), `expected "<" and another clock`},
		{light("Precedence a < ✗d"), "expected a clock, found d, which is not declared"},
		{light("Precedence a < (max:✗n) b"), "expected an integer, found n, which is not declared"},
		{light("Precedence a ✗< (init:3 max:2) b"), "expected 0 <= init <= max"},
		{light("Clock ✗a"), "a is declared twice"},
		{light("d = a ✗$ 0"), "choose one"},
		{light("✗repeat d every 0 a"), "a period of 0"},
		{light("repeat d every 2 a ✗upTo 7"), "upTo is not read"},
		{light("call ✗f(a)"), "expected the name of a definition, found f"},
		{light("d = ✗inf()"), "inf of no clocks"},
		{light("d = " + strings.Repeat("(", 64) + "✗(a"), "more than 64 levels"},
		{light("d = a" + strings.Repeat(" $ 1", 62) + " $ 1 $ ✗1"), "more than 64 levels"},
		{block(strings.Repeat("Block b { ", 63) + "✗Block b {"), "more than 64 levels"},
		{light("✗7"), "expected a relation, Let, repeat, call"},
		{"Specification s def f(Clock c) [ call ✗f(c) ] { Clock a [ call f(a) ] }", "f calls itself"},
		{"Specification s def f(Clock c) [ ] { Clock a [ call ✗f(a, a) ] }", "f is called with 2 clocks and 0 integers: it has 1 and 0"},
	} {
		errorAt(t, c.text, c.want)
	}
}

func errorAt(t *testing.T, text, want string) {
	t.Helper()
	main, library, _ := strings.Cut(text, "\x00")
	file, marked := "main.extendedCCSL", main
	if strings.Contains(main, "Specification") || strings.HasSuffix(main, "Clock a") {
		file = "main.lc"
	}
	name := file
	if strings.Contains(library, "✗") {
		file, marked = "x.ccslLib", library
	}
	before, _, _ := strings.Cut(marked, "✗")
	line := 1 + strings.Count(before, "\n")
	col := len(before) - strings.LastIndex(before, "\n")
	fsys := fstest.MapFS{
		name:        {Data: []byte(strings.ReplaceAll(main, "✗", ""))},
		"x.ccslLib": {Data: []byte(strings.ReplaceAll(library, "✗", ""))},
	}
	_, err := readMain(fsys, Dialect{})
	var at *schema.SyntaxError
	if !errors.As(err, &at) {
		t.Errorf("%s: got error %v, want one with a place and %q", text, err, want)
		return
	}
	if at.File != file || at.Line != int64(line) || at.Col != int64(col) || !strings.Contains(at.Error(), want) {
		t.Errorf("%s: got %v, want %s:%d:%d and %q", text, at, file, line, col, want)
	}
}

// A library that is missing matters only where its words are used.
func TestMissingLibrary(t *testing.T) {
	system := func(use string) fstest.MapFS {
		return fstest.MapFS{"main.extendedCCSL": {Data: []byte(`ClockConstraintSystem s { imports { import "gone.ccslLib" as g; }
			entryBlock m Block m { Clock a ` + use + ` } }`)}}
	}
	if _, err := readMain(system(""), Dialect{}); err != nil {
		t.Error(err)
	}
	_, err := readMain(system("Relation r[Gone](x -> a)"), Dialect{})
	expect.Refused(t, err, "libraries that were not found: gone.ccslLib", "a missing library")
	if _, err := readMain(fstest.MapFS{}, Dialect{}); err == nil {
		t.Error("a file that is not there was read")
	}
}
