// Package views answers what pages ask for: what is to be drawn of a window of a run. It reads manifests and Parquet, writes nothing,
// and keeps what it decodes in a cache of bounded size, so that whoever looks on and on takes no more memory than at first.
//
//	cache.go    decoded parts of files, the last used ones
//	parts.go    the parts: trees of tiles, row groups of executions
//	window.go   executions of a window as boxes: what is a pixel wide or wider exactly, the rest summed up
//	messages.go messages of a window, the slowest ones; of row groups that it covers, sums by lifeline
//	waits.go    what the start and the finish of an execution wait for, and their slack
//	attributes.go what the trace says of executions, or was found of them: names, values, the values of boxes
//	grouped.go  lanes by function or by an attribute, where those of lifelines do not answer the question
//	related.go  what stands around an execution: callees, messages, the same function before and after
package views

import (
	"container/list"
	"sync"
)

// Cache keeps parts of files that are decoded, and forgets the ones that were used longest ago. It may be used by several goroutines;
// one of them decodes at a time, so that what is under way is bounded, too.
type Cache struct {
	mu    sync.Mutex
	most  int64 // bytes
	held  int64
	parts map[string]*list.Element
	used  list.List // of *part, the last used one first
}

// part is something decoded. Nobody changes it.
type part struct {
	key   string
	value any
	bytes int64
}

// NewCache returns a cache of so many bytes. The part that was asked for last is kept even if it is larger.
func NewCache(bytes int64) *Cache { return &Cache{most: bytes, parts: make(map[string]*list.Element)} }

// Keep returns the part with a key, which names a file of the lake and what of it: files are never changed. A part that is not there
// is loaded, with the bytes that it takes. What is found of a run elsewhere is kept here, too, under a key with Run.Inputs.
func Keep[T any](c *Cache, key string, load func() (T, int64, error)) (T, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, has := kept[T](c, key); has {
		return known, nil
	}
	value, bytes, err := load()
	if err != nil {
		var none T
		return none, err
	}
	c.put(key, value, bytes)
	return value, nil
}

// Kept returns the part with a key, and false where it is not there.
func Kept[T any](c *Cache, key string) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return kept[T](c, key)
}

// Put keeps a part that was made while others were decoded, as what takes long is.
func Put[T any](c *Cache, key string, value T, bytes int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.parts[key] == nil {
		c.put(key, value, bytes)
	}
}

// kept is Kept under the lock.
func kept[T any](c *Cache, key string) (value T, has bool) {
	e := c.parts[key]
	if e == nil {
		return value, false
	}
	c.used.MoveToFront(e)
	return e.Value.(*part).value.(T), true
}

// put adds a part that is not there, and forgets others, under the lock.
func (c *Cache) put(key string, value any, bytes int64) {
	c.parts[key] = c.used.PushFront(&part{key, value, bytes})
	c.held += bytes
	for c.held > c.most && c.used.Len() > 1 {
		last := c.used.Remove(c.used.Back()).(*part)
		delete(c.parts, last.key)
		c.held -= last.bytes
	}
}

// Held is how many bytes the parts take that are kept now.
func (c *Cache) Held() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.held
}
