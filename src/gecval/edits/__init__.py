"""Finding edits between texts, and what can be made of them."""

from gecval.edits.plain import plain_edits

__all__ = ["plain_edits"]
