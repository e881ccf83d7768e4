package ctf

// threadTable finds threads by their numbers alone. It is asked for most events of a kernel. Numbers of threads are small and lie close together, so that they
// stand in pages, without hashing; those beyond maxPaged are in a map.
type threadTable struct {
	hosts []threadPages
	rest  map[tidKey]threadEntry
}

// threadPages are the threads of a host; a page that is nil has none.
type threadPages []*[pageThreads]threadEntry

const (
	pageThreads = 1 << 10
	maxPaged    = 1 << 22 // what Linux numbers threads up to
)

// find returns the thread of a number, if there is one.
func (t *threadTable) find(k tidKey) (e threadEntry, known bool) {
	if k.tid >= maxPaged {
		e, known = t.rest[k]
		return e, known
	}
	if uint64(k.host) < uint64(len(t.hosts)) {
		if pages, at := t.hosts[k.host], k.tid/pageThreads; at < uint64(len(pages)) && pages[at] != nil {
			e = pages[at][k.tid%pageThreads]
		}
	}
	return e, e.known
}

// put notes the thread of a number.
func (t *threadTable) put(k tidKey, e threadEntry) {
	e.known = true
	if k.tid >= maxPaged {
		if t.rest == nil {
			t.rest = make(map[tidKey]threadEntry)
		}
		t.rest[k] = e
		return
	}
	for len(t.hosts) <= int(k.host) {
		t.hosts = append(t.hosts, nil)
	}
	pages := &t.hosts[k.host]
	for uint64(len(*pages)) <= k.tid/pageThreads {
		*pages = append(*pages, nil)
	}
	page := &(*pages)[k.tid/pageThreads]
	if *page == nil {
		*page = new([pageThreads]threadEntry)
	}
	(*page)[k.tid%pageThreads] = e
}

// remove forgets the thread of a number.
func (t *threadTable) remove(k tidKey) {
	delete(t.rest, k)
	if _, known := t.find(k); known && k.tid < maxPaged {
		t.hosts[k.host][k.tid/pageThreads][k.tid%pageThreads] = threadEntry{}
	}
}
