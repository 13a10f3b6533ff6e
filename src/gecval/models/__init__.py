"""Models that metrics ask, and the cache that keeps their answers: no question is asked twice."""
