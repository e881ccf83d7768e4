package claims

import (
	"strings"
	"testing"

	"github.com/tracelake/tracelake/pipeline/runs"
	"github.com/tracelake/tracelake/testdata/expect"
)

// TestSelect sees that a filtered view of a pipeline is the trace without the claims, events and dependencies that it leaves out.
func TestSelect(t *testing.T) {
	for name, files := range cases(t) {
		left := make(map[string]bool) // claims and events that are left out, by their number in the trace
		var lines []string
		for _, line := range strings.Split(files["etf"], "\n") {
			fields := strings.Fields(strings.SplitN(line, ";", 2)[0])
			switch {
			case len(fields) > 1 && (fields[0] == "C" || fields[0] == "E"):
				if !strings.Contains(line, "name=A") && !strings.Contains(line, "name=E") {
					left[fields[1]] = true
					continue
				}
			case len(fields) > 4 && fields[0] == "D" && (left[fields[3]] || left[fields[4]]):
				continue
			}
			lines = append(lines, line)
		}
		s := load(t, files["etf"], strings.Join(lines, "\n"))
		s.Select(expect.Value(runs.ParseFilter([]string{"name=A", "name=E"}))(t))
		a, b := s.Runs[0], s.Runs[1]
		expect.Deep(t, a.ID, b.ID, "%s: claims", name)
		expect.Equal(t, len(a.Dependency), len(b.Dependency), "%s: dependencies", name)
		expect.Equal(t, len(a.EventNs), len(b.EventNs), "%s: events", name)
		d := expect.Value(s.Distance(a, b, nil, true))(t)
		expect.Equal(t, d.D(), int64(0), "%s: distance", name)
		p, q := s.CriticalByEnds(a, 1e6), s.CriticalByEnds(b, 1e6)
		expect.Equal(t, p.WeightNs, q.WeightNs, "%s: weight", name)
		expect.Deep(t, p.Claims, q.Claims, "%s: critical claims", name)
		expect.Equal(t, p.Count, q.Count, "%s: critical edges", name)
		if len(a.Dependency) > 0 && len(a.ID) > 0 {
			p, q := expect.Value(s.CriticalByDependencies(a, Weight{}))(t), expect.Value(s.CriticalByDependencies(b, Weight{}))(t)
			expect.Equal(t, p.WeightNs, q.WeightNs, "%s: weight of dependencies", name)
		}
	}
}
