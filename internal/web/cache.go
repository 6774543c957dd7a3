package web

// This file keeps finished answers for as long as the snapshot that they were
// made from is served, the least recently used ones leaving first.

import (
	"container/list"
	"sync"
)

// cache holds answers up to a number of bytes. It is safe for concurrent use.
type cache struct {
	most int

	mu    sync.Mutex
	bytes int
	order *list.List // of *cached, most recently used first
	items map[string]*list.Element
}

type cached struct {
	key   string
	value *stored
	bytes int
}

func newCache(most int) *cache {
	return &cache{most: most, order: list.New(), items: map[string]*list.Element{}}
}

// get finds an answer.
func (c *cache) get(key string) (*stored, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.items[key]
	if !ok {
		return nil, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*cached).value, true
}

// put keeps an answer, unless it alone would take a large part of the room.
func (c *cache) put(key string, v *stored) { c.keep(key, v, v.size()+len(key)) }

// alias lets an answer that is kept be found under another key too.
func (c *cache) alias(key string, v *stored) { c.keep(key, v, storedOverhead/4+len(key)) }

func (c *cache) keep(key string, v *stored, bytes int) {
	if bytes > c.most/cacheShare {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if old, ok := c.items[key]; ok {
		c.drop(old)
	}
	c.items[key] = c.order.PushFront(&cached{key, v, bytes})
	for c.bytes += bytes; c.bytes > c.most; {
		c.drop(c.order.Back())
	}
}

func (c *cache) drop(e *list.Element) {
	item := c.order.Remove(e).(*cached)
	delete(c.items, item.key)
	c.bytes -= item.bytes
}
