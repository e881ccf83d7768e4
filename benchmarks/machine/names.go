package machine

import "strconv"

var (
	subsystems = []string{"ws", "rs", "illum", "lens", "align", "level", "dose", "laser", "metro", "reticle",
		"wafer", "track", "air", "temp", "vib", "vac", "ilp", "focus", "overlay", "stream", "diag", "recipe",
		"matching", "immersion"}
	roles = []string{"ctrl", "drv", "calc", "model", "mon", "io", "srv", "seq", "cal", "data", "sync",
		"sensor", "act", "safety", "filter", "map", "gw"}
	utilities = []string{"log", "params", "clock", "events", "store", "stats", "alarms", "config"}
	verbs     = []string{"get", "set", "compute", "update", "apply", "check", "read", "prepare", "collect",
		"report", "select", "convert", "merge", "reset", "estimate"}
	nouns = []string{"position", "offsets", "setpoint", "profile", "state", "limits", "correction", "sample",
		"profile_map", "gradient", "status", "trajectory", "budget", "reference", "table", "window",
		"coefficients", "history", "mode", "error", "grid", "phase"}
)

// componentName names the i-th ordinary component.
func componentName(i int) string {
	n := len(subsystems) * len(roles)
	name := subsystems[i%len(subsystems)] + "_" + roles[i/len(subsystems)%len(roles)]
	if i >= n {
		name += strconv.Itoa(i/n + 1)
	}
	return name
}

// utilityName names the i-th of the components that everybody calls.
func utilityName(i int) string { return "util_" + numbered(utilities, i) }

// schedulerName names the i-th of the components that start sporadic activities.
func schedulerName(i int) string { return "sched_" + strconv.Itoa(i) }

// numbered returns a word, with a number behind it once all words are in use.
func numbered(words []string, i int) string {
	if i < len(words) {
		return words[i]
	}
	return words[i%len(words)] + strconv.Itoa(i/len(words)+1)
}

// actions hands out names such as get_position, each once, in an order of its own.
type actions struct{ at, used int }

// newActions begins somewhere in the list, so that components do not all have the same first function.
func newActions(s *source) actions { return actions{at: s.below(len(verbs) * len(nouns))} }

// next returns a name that it has not returned before.
func (a *actions) next() string {
	n := len(verbs) * len(nouns)
	k := (a.at + a.used*37) % n // 37 is coprime to the number of names, so all of them come up
	name := verbs[k%len(verbs)] + "_" + nouns[k/len(verbs)]
	if a.used >= n {
		name += strconv.Itoa(a.used/n + 1)
	}
	a.used++
	return name
}
