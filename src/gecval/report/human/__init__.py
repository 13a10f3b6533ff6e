"""The views of ``studies/human``."""
