"""The views of ``studies/scores``."""
