"""Slow, obviously right restatements of the metrics; the native kernels are checked against them."""
