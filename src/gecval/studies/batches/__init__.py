"""Pairs by the million: one function that scores a batch of rows, for files and for any engine that has batches."""
