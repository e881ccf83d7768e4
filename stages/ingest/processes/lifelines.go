package processes

import (
	"strconv"
	"strings"
)

// lifelines are the names of lifelines that are given out, name/number. Those of threads are numbered one after the other, so that for each name two
// numbers say which are in use, and nothing is kept of the thousands of threads that a trace may have. CPUs are numbered as the trace does.
type lifelines struct {
	of   map[string]*numbers
	cpus map[string]bool // lifelines of names that CPUs have: by threads, too
}

// numbers are those of the lifelines of a name: first to last, but for those whose lifeline is a name itself.
type numbers struct {
	first, last int
	sparse      bool // CPUs are called so
}

// newLifelines returns lifelines of which none is in use.
func newLifelines() lifelines { return lifelines{make(map[string]*numbers), make(map[string]bool)} }

// next returns the next lifeline of a name that is not in use.
func (l *lifelines) next(name string) string {
	n := l.numbers(name)
	return l.give(name, n, n.last+1)
}

// from returns the lifeline of a name for a CPU, or one of a higher number where that is in use.
func (l *lifelines) from(name string, cpu int) string { return l.give(name, l.numbers(name), cpu) }

// cpuName is what all CPUs are called, behind their host.
const cpuName = "cpu"

// numbers returns those of a name. A name that is a lifeline itself begins with 2.
func (l *lifelines) numbers(name string) *numbers {
	n := l.of[name]
	if n == nil {
		n = &numbers{first: 1, sparse: name == cpuName || strings.HasSuffix(name, "/"+cpuName)}
		if l.given(name) {
			n.first = 2
		}
		n.last = n.first - 1
		l.of[name] = n
	}
	return n
}

// given reports whether a name is a lifeline.
func (l *lifelines) given(name string) bool {
	if l.cpus[name] {
		return true
	}
	at := strings.LastIndexByte(name, '/')
	if at < 0 {
		return false
	}
	of, number := l.of[name[:at]], name[at+1:]
	if of == nil || of.sparse {
		return false
	}
	i, err := strconv.Atoi(number)
	return err == nil && of.first <= i && i <= of.last && strconv.Itoa(i) == number
}

// give gives out the lifeline of the lowest number from the given one on that is neither in use nor a name.
func (l *lifelines) give(name string, n *numbers, number int) string {
	for ; ; number++ {
		lifeline := name + "/" + strconv.Itoa(number)
		if l.of[lifeline] != nil || n.sparse && l.cpus[lifeline] {
			continue
		}
		if n.sparse {
			l.cpus[lifeline] = true
		}
		n.last = max(n.last, number)
		return lifeline
	}
}
