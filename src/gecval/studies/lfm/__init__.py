"""Train a linguistic-feature model of grammaticality."""
