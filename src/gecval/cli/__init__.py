"""The command line."""

from gecval.cli.program import main

__all__ = ["main"]
