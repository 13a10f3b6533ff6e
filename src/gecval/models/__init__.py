"""Models: what metrics lean on that is slow to ask, and the cache that asks it once."""
