package etf

import "bytes"

// naming are the attributes that name a claim, an event or a resource, the best first.
var naming = []string{"name", "activity", "action", "task", "function", "operation"}

// named finds the attribute that names a thing, or "" where it has none.
func named(attributes []byte) []byte {
	best := len(naming)
	var name []byte
	each(attributes, func(key, value []byte) {
		for i, word := range naming[:best] {
			if len(value) > 0 && string(key) == word {
				best, name = i, value
				return
			}
		}
	})
	return name
}

// valued finds the value of an attribute.
func valued(attributes []byte, name string) (found []byte) {
	each(attributes, func(key, value []byte) {
		if string(key) == name {
			found = value
		}
	})
	return found
}

// each visits the attributes of a list: k=v, parted by commas, with blanks anywhere around them.
func each(attributes []byte, visit func(key, value []byte)) {
	for len(attributes) > 0 {
		pair := attributes
		if comma := bytes.IndexByte(attributes, ','); comma >= 0 {
			pair, attributes = attributes[:comma], attributes[comma+1:]
		} else {
			attributes = nil
		}
		if equals := bytes.IndexByte(pair, '='); equals >= 0 {
			visit(bytes.TrimSpace(pair[:equals]), bytes.TrimSpace(pair[equals+1:]))
		}
	}
}

// described is a list of attributes as a name, without those that only tell one thing from its like.
func described(attributes []byte) (out []byte) {
	each(attributes, func(key, value []byte) {
		if k := string(key); k == "id" || k == "color" || len(value) == 0 {
			return
		}
		if len(out) > 0 {
			out = append(out, ',')
		}
		out = append(append(append(out, key...), '='), value...)
	})
	return out
}
