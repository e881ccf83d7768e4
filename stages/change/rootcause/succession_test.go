package rootcause

import (
	"testing"

	"github.com/tracelake/tracelake/schema"
)

// oneSided adds a step that only one side has, times in ms.
func (s *sheet) oneSided(component, fragment, subject, function string, base, cand float64) {
	c := s.own(component, fragment, subject, function, base, cand)
	row := &(*s)[len(*s)-1]
	runs := row.Base
	if c.Verdict = schema.Appeared; cand == 0 {
		c.Verdict, runs = schema.Vanished, row.Cand
	}
	for i := range runs {
		runs[i].Count = 0
	}
}

// What a function does in one place instead of another is one finding: the net, with the verdict of the net, where it is shown.
func TestSuccessors(t *testing.T) {
	for _, c := range []struct {
		was, is float64
		want    []string
	}{
		{4, 7, []string{"1 regressed slower app.f +3000000 share 1.00, 1 inherited, app.main, moved from app.f"}},
		{7, 4, []string{"1 improved slower app.f -3000000 share 1.00, 1 inherited, app.main, moved from app.f"}},
		{4, 4, nil},
		{4, 4.005, nil}, // 5 us are below the floor
	} {
		var s sheet
		s.fragment("app", "app.main", 20+c.was, 20+c.is)
		s.own("app", "app.main", "enter main", "main", 20, 20)
		s.oneSided("app", "app.main", "enter old", "f", c.was, 0)
		s.oneSided("app", "app.main", "enter new", "f", 0, c.is)
		finds(t, s, c.want...)
	}
}

// Several steps of each side are one successor, whose greatest step that is there names it.
func TestSuccessorsOfSeveralSteps(t *testing.T) {
	var s sheet
	s.fragment("app", "app.main", 30, 34)
	s.own("app", "app.main", "enter main", "main", 20, 20)
	s.oneSided("app", "app.main", "enter a", "f", 9, 0)
	s.oneSided("app", "app.main", "enter b", "f", 1, 0)
	s.oneSided("app", "app.main", "enter c", "f", 0, 5)
	s.oneSided("app", "app.main", "enter d", "f", 0, 9)
	finds(t, s, "1 regressed slower app.f +4000000 share 1.00, 1 inherited, app.main, moved from app.f")
	if f := Find(s, defaults())[0]; f.Subject != "enter d" || f.BaseNs != 10*ms || f.CandNs != 14*ms {
		t.Errorf("the finding is %q, %d -> %d ns", f.Subject, f.BaseNs, f.CandNs)
	}
}

// A function that lies in another component now is one finding; two that it may have become are none, and stand for themselves.
func TestSuccessorsInAnotherComponent(t *testing.T) {
	moved := func(news ...string) (s sheet) {
		s.fragment("app", "app.main", 24, 20+6*float64(len(news)))
		s.own("app", "app.main", "enter main", "main", 20, 20)
		s.oneSided("old", "app.main", "enter f", "f", 4, 0)
		for _, component := range news {
			s.oneSided(component, "app.main", "enter f", "f", 0, 6)
		}
		return s
	}
	finds(t, moved("new"), "1 regressed slower new.f +2000000 share 1.00, 1 inherited, app.main, moved from old.f")
	finds(t, moved("new", "newer"),
		"1 appeared called new.f +6000000 share 0.75, 1 inherited, app.main",
		"2 appeared called newer.f +6000000 share 0.75, 0 inherited, app.main",
		"3 vanished called old.f -4000000 share -0.50, 0 inherited, app.main")
}
