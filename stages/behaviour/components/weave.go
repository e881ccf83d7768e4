package components

import "github.com/tracelake/tracelake/stages/behaviour/language"

// weaver makes strands of the terms that represent the word of a path.
type weaver struct {
	*graph
	path   path
	accept []bool // by letter: whether a word may end behind it
	data   bool
}

// replace puts a representation of the word of a path in its place.
func (g *graph) replace(p path, repeats term, data bool) {
	w := weaver{g, p, make([]bool, len(p.steps)), data}
	for i, t := range p.steps {
		w.accept[i] = g.places[g.arrows[t].target].accepting
	}
	from, to := int(p.from), g.cut(p)
	woven := g.join(strand{nowhere, nowhere, from, from}, w.weave(repeats), false)
	g.join(woven, strand{nowhere, nowhere, to, to}, false)
}

func (w *weaver) weave(t term) strand {
	switch {
	case t.letter >= 0:
		return w.letter(t.letter)
	case t.repeated == nil:
		return w.sequence(len(t.sequence), func(i int) strand { return w.weave(t.sequence[i]) })
	case t.count == 0:
		return w.loop(*t.repeated)
	case t.count == 1 || !w.data:
		return w.sequence(t.count, func(int) strand { return w.weave(*t.repeated) })
	}
	return w.counted(*t.repeated, t.count)
}

// letter is an arrow, and the accepting place behind it unless what follows has it.
func (w *weaver) letter(i int) strand {
	n := w.arrow(w.arrows[w.path.steps[i]].label)
	if !w.accept[i] || i == len(w.accept)-1 {
		return strand{n, n, nowhere, nowhere}
	}
	p := w.place(true)
	w.aim(n, p)
	return strand{n, nowhere, nowhere, p}
}

func (w *weaver) sequence(length int, part func(int) strand) strand {
	all := part(0)
	for i := 1; i < length; i++ {
		all = w.join(all, part(i), true)
	}
	return all
}

// loop is a term any number of times. It begins and ends at one place.
func (w *weaver) loop(t term) strand {
	s := w.weave(t)
	at := s.start
	switch {
	case s.first != nowhere && s.last != nowhere:
		at = w.place(false)
		w.leave(at, s.first)
		w.aim(s.last, at)
	case s.first != nowhere:
		at = s.end
		w.leave(at, s.first)
	case s.last != nowhere:
		w.aim(s.last, at)
	case s.start != s.end:
		w.merge(s.end, at)
	}
	return strand{nowhere, nowhere, at, at}
}

// counted is a term so many times: a loop that a variable counts. Silent steps lead into it and, when the count is full,
// out of it.
func (w *weaver) counted(t term, count int) strand {
	at := w.loop(t).start
	v, full := w.counter(count), int32(count)
	for _, n := range w.places[at].out {
		w.arrows[n].step.When = append(w.arrows[n].step.When, Guard{v, true, full})
	}
	for _, n := range w.into(at) {
		w.arrows[n].step.Do = append(w.arrows[n].step.Do, Update{v, true, 1})
	}
	in, out := w.arrow(language.Tau), w.arrow(language.Tau)
	w.aim(in, at)
	w.leave(at, out)
	w.arrows[out].step = Step{[]Guard{{v, false, full}}, []Update{{v, false, 0}}}
	return strand{in, out, nowhere, nowhere}
}
