"""Scores inside other people's programs, where a few lines of their own kind are needed: docs/integrations.md."""
