"""A history of scores, commit by commit."""
