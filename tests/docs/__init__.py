"""Runs what the documentation shows: every command and every Python block, and compares what they print.

How to write a page, which marks there are, and how to refresh what a page shows: CONTRIBUTING.md, "Documentation".
"""
