package schema

import "sync"

// maxCached bounds a cache; a client with all its servers has fewer tools.
const maxCached = 1024

// Cache keeps compiled schemas. It may be used by several goroutines.
type Cache struct {
	mu      sync.Mutex
	schemas map[cacheKey]cacheEntry
}

type cacheKey struct{ text, draft string }

type cacheEntry struct {
	schema  *Schema
	invalid *Error
}

// NewCache makes an empty cache.
func NewCache() *Cache { return &Cache{schemas: map[cacheKey]cacheEntry{}} }

// Compile is [Compile], done once for the same text.
func (c *Cache) Compile(text []byte, options Options) (*Schema, *Error) {
	key := cacheKey{string(text), options.Draft}
	c.mu.Lock()
	defer c.mu.Unlock()
	entry, known := c.schemas[key]
	if !known {
		entry.schema, entry.invalid = Compile(text, options)
		if len(c.schemas) >= maxCached { // starting over is simpler than ageing, and as good
			clear(c.schemas)
		}
		c.schemas[key] = entry
	}
	return entry.schema, entry.invalid
}
