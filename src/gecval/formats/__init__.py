"""Formats: one reader and writer each, and loading from paths."""

from gecval.formats.files import read_sentences, write_files
from gecval.formats.jsonl import jsonl_lines
from gecval.formats.loading import load_corpus, load_files
from gecval.formats.m2_files import MISSING, M2File, Missing, m2_lines, read_m2
from gecval.formats.outputs import load_systems
from gecval.formats.writing import output_kind, write_corpus

__all__ = [
    "MISSING",
    "M2File",
    "Missing",
    "jsonl_lines",
    "load_corpus",
    "load_files",
    "load_systems",
    "m2_lines",
    "output_kind",
    "read_m2",
    "read_sentences",
    "write_corpus",
    "write_files",
]
