package ccsl

import "strings"

// directory finds clocks by their names.
type directory struct {
	spec  *Spec
	exact map[string]ClockID
	last  map[string]ClockID // by the end of the path; NoClock where several have it
}

func newDirectory(s *Spec) directory {
	d := directory{s, make(map[string]ClockID, len(s.Clocks)), make(map[string]ClockID, len(s.Clocks))}
	for i := range s.Clocks {
		c := &s.Clocks[i]
		if c.Hidden {
			continue
		}
		if _, twice := d.exact[c.Name]; !twice {
			d.exact[c.Name] = ClockID(i)
		}
		end := c.Name[strings.LastIndex(c.Name, ":")+1:]
		if _, twice := d.last[end]; twice {
			d.last[end] = NoClock
		} else {
			d.last[end] = ClockID(i)
		}
	}
	return d
}

// find is as Spec.Find.
func (d directory) find(name string) (ClockID, bool) {
	if id, ok := d.exact[name]; ok {
		return id, true
	}
	if rest, ok := strings.CutPrefix(name, d.spec.Name+"::"); ok {
		if id, ok := d.exact[rest]; ok {
			return id, true
		}
	}
	if id, ok := d.last[name]; ok && id != NoClock {
		return id, true
	}
	return NoClock, false
}
