package spans

// Resource is what a trace says of where its spans were made.
type Resource struct {
	Service, Instance uint32
	rank              int
}

// instanceWords are the attributes that tell one instance of a service from another, the best last.
var instanceWords = [...]string{"ip", "hostname", "host.name", "k8s.pod.name", "service.instance.id"}

// Wants says whether an attribute of this name makes a difference to a resource.
func Wants(attribute []byte) bool {
	return string(attribute) == "service.name" || rankOf(attribute) > 0
}

// Note takes an attribute of a resource.
func (r *Resource) Note(c *Collector, attribute, value []byte) {
	if string(attribute) == "service.name" {
		r.Service = c.Code(value)
	} else if rank := rankOf(attribute); rank > r.rank && len(value) > 0 {
		r.Instance, r.rank = c.Code(value), rank
	}
}

func rankOf(attribute []byte) int {
	for i, word := range instanceWords {
		if word == string(attribute) {
			return i + 1
		}
	}
	return 0
}
