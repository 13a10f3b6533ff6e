"""The views of ``studies/maege``."""
