"""Edits between Chinese texts at the level of characters, as ChERRANT finds them (Zhang & al. 2022)."""
