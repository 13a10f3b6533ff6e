"""One file per style: each draws a grid of texts, or for programs the tables themselves."""
