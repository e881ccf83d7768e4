package kieker

import (
	"cmp"
	"strconv"

	"github.com/tracelake/tracelake/schema"
)

// place is the component and the function of a call: what its keys have beside the lifeline.
type place struct{ component, function string }

// placeID is what a place follows from.
type placeID struct {
	name      uint32 // number of the signature; of a message outside all calls: what it does
	host      uint32 // where the host is the component
	component int64  // number of the component + 1, where that counts
	message   kind   // send or receive, of a message outside all calls
}

// calls numbers the places of calls, so that events are sorted without texts.
// Places are few, however long the log is: at most one for each signature, host and number of a component.
type calls struct {
	names  *names
	by     string // what is taken for a component
	host   uint32 // of what has none
	places []place
	known  schema.Numbering[placeID]
	plain  []uint32 // 1 + number of the place, by signature, where it follows from that alone
}

// hostName names a host; that of the log where a record has none.
// Hosts are numbered from 1; a log that names none has the host "host".
func (c *calls) hostName(host uint32) string {
	host = cmp.Or(host, c.host)
	if host == 0 {
		return "host"
	}
	return c.names.hosts[host]
}

// of returns the number of the place of a call.
// The way of nearly all records, whose place follows from the signature alone, is one look into a slice.
func (c *calls) of(r *record, host uint32) uint32 {
	id := placeID{name: r.name}
	switch {
	case c.by == byComponent && (r.kind == startComp || r.kind == endComp || r.kind == failedComp):
		id.component = r.other + 1
	case c.by == byHost || c.names.signatures[r.name].class == "":
		id.host = host
	default:
		for len(c.plain) <= int(r.name) {
			c.plain = append(c.plain, 0)
		}
		if c.plain[r.name] == 0 {
			c.plain[r.name] = c.number(id) + 1
		}
		return c.plain[r.name] - 1
	}
	return c.number(id)
}

// message returns the number of the place of a call that is made for a message outside all calls.
func (c *calls) message(k kind, host uint32) uint32 { return c.number(placeID{host: host, message: k}) }

// number returns the number of a place, which is added when it is new.
func (c *calls) number(id placeID) uint32 {
	i, isNew := c.known.Add(id)
	if isNew {
		c.places = append(c.places, c.place(id))
	}
	return i
}

// place names a place.
// It runs once a place, so names are put together here and nowhere else.
func (c *calls) place(id placeID) place {
	switch id.message {
	case send:
		return place{c.hostName(id.host), "send"}
	case receive:
		return place{c.hostName(id.host), "receive"}
	}
	s := c.names.signatures[id.name]
	switch {
	case id.component != 0:
		return place{"component-" + strconv.FormatInt(id.component-1, 10), s.text}
	case c.by == byHost || s.class == "":
		return place{c.hostName(id.host), s.text}
	case c.by == byPackage:
		return place{packageOf(s.class), s.text}
	}
	return place{s.class, s.text}
}
