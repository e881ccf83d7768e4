package lake

import "sync"

// keptInventories is how many inventories a process keeps: those of the runs that it works on. One of a run of 16 buckets
// takes about 100 kB.
const keptInventories = 64

// inventoryCache keeps inventories with the stamps of their files. It may be used by several goroutines.
type inventoryCache struct {
	mu   sync.Mutex
	kept map[Partition]stampedInventory
}

// stampedInventory is what a file held when it had a stamp.
type stampedInventory struct {
	stamp     string
	inventory *Inventory
}

// get returns the inventory of a partition if its file still has the stamp, else nil.
func (c *inventoryCache) get(p Partition, stamp string) *Inventory {
	c.mu.Lock()
	defer c.mu.Unlock()
	if have := c.kept[p]; have.stamp == stamp {
		return have.inventory
	}
	return nil
}

// put keeps an inventory. When there are too many all others go, since who reads that many reads each once.
func (c *inventoryCache) put(p Partition, stamp string, v *Inventory) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.kept == nil || len(c.kept) >= keptInventories {
		c.kept = make(map[Partition]stampedInventory)
	}
	c.kept[p] = stampedInventory{stamp, v}
}
