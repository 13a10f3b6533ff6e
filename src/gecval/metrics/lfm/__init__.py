"""LFM, a linguistic-feature model of grammaticality (Heilman et al. 2014)."""
