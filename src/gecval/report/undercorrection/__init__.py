"""The views of ``studies/undercorrection``."""
