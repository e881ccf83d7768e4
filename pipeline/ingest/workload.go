package ingest

import "github.com/tracelake/tracelake/schema"

// workload is what the beginning of a trace shows of its components: how many events each has, and which of
// them share a lifeline and so a call stack, which must not be spread over buckets.
type workload struct {
	events map[string]int64
	group  map[string]string // another component of its group, up to one that is its own
	first  map[string]string // by lifeline: its first component
}

func newWorkload() *workload {
	return &workload{make(map[string]int64), make(map[string]string), make(map[string]string)}
}

// add counts events of a key.
func (w *workload) add(k *schema.EventKey, events int64) {
	w.events[k.Component] += events
	first, known := w.first[k.Lifeline]
	if !known {
		w.first[k.Lifeline] = k.Component
		return
	}
	if a, b := w.leader(first), w.leader(k.Component); a != b {
		w.group[max(a, b)] = min(a, b)
	}
}

// leader is the component that stands for the group of a component: the first of the group by name.
func (w *workload) leader(component string) string {
	for {
		next, ok := w.group[component]
		if !ok {
			return component
		}
		if after, ok := w.group[next]; ok {
			w.group[component] = after
		}
		component = next
	}
}
