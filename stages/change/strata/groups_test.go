package strata

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/testdata/expect"
)

// groupsOf makes groups of runs from lines such as "1.0: a server=fast night=1; b server=slow night=2".
func groupsOf(lines ...string) (groups []Group) {
	for _, line := range lines {
		name, runs, _ := strings.Cut(line, ": ")
		g := Group{Name: name}
		for _, run := range strings.Split(runs, "; ") {
			words := strings.Fields(run)
			r := Run{Name: words[0], Labels: make(map[string]string)}
			for _, pair := range words[1:] {
				key, value, _ := strings.Cut(pair, "=")
				r.Labels[key] = value
			}
			g.Runs = append(g.Runs, r)
		}
		groups = append(groups, g)
	}
	return groups
}

func TestPooled(t *testing.T) {
	for _, c := range []struct {
		name   string
		groups []Group
		want   string
	}{
		{"alike", groupsOf("1: a s=fast; b s=fast", "2: c s=fast"), ""},
		{"chosen", groupsOf("1: a release=1; b release=1", "2: c release=2; d release=2", "3: e release=2"), ""},
		{"every run has its own value", groupsOf("1: a night=1; b night=2", "2: c night=3"), ""},
		{"every group has its own value", groupsOf("1: a commit=x; b commit=x", "2: c commit=y; d commit=y", "3: e commit=z; f commit=z"), ""},
		{"within", groupsOf("1: a s=fast; b s=slow; c s=fast", "2: d s=fast; e s=fast"),
			"Runs of release 1 that differ in the label s are pooled: fast (a, c), slow (b). Choose some of them, as with s=slow."},
		{"some lack it", groupsOf("1: a; b s=slow; c", "2: d s=slow"),
			"Runs of release 1 that differ in the label s are pooled: none (a, c), slow (b). Choose some of them, as with s=slow."},
		{"between", groupsOf("1: a k=5; b k=5", "2: c k=5; d k=5", "3: e k=6; f k=6"),
			"The label k differs between releases: 5 (1, 2), 6 (3). What it does looks like a change of the release."},
	} {
		said := append(Pooled("release", c.groups, []string{"release"}), Confounded("release", c.groups, []string{"release"})...)
		expect.Equal(t, strings.Join(said, "\n"), c.want, "%s", c.name)
	}
}
