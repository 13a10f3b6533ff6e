"""What is scored: sources, references, edits and outputs; the one gate that they pass."""

from gecval.corpus.corpus import Corpus, System

__all__ = ["Corpus", "System"]
