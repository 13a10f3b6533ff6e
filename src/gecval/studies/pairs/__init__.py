"""Pairs by the million: score and filter files of any size."""
