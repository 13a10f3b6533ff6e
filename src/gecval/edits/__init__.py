"""Edits: what they are, applying them, finding them."""

from gecval.edits.edit import Edit, apply_edits, overlap
from gecval.edits.plain import plain_edits

__all__ = ["Edit", "apply_edits", "overlap", "plain_edits"]
