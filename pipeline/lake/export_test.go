package lake

import "time"

// SetExpiry sets the time after which a lease of another machine counts as dead, for tests that cannot wait that long.
func (l *Lake) SetExpiry(d time.Duration) { l.leases.expiry = d }
