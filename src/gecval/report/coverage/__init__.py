"""The views of ``studies/coverage``."""
