"""The CoNLL-2014 test set: 1312 sentences, two annotators, outputs of 13 systems."""

from gecval.corpus import Corpus, System
from gecval.formats import load_corpus, load_systems, read_sentences
from gecval.formats.datasets import data_folder

DATA = data_folder()
FOLDER = DATA / "conll14"
GOLD = FOLDER / "official-2014.combined.m2"


def with_edits() -> Corpus:
    """References as annotated: the edits of both annotators."""
    return load_corpus(None, [GOLD])


def with_texts() -> Corpus:
    """References as two corrected texts of every sentence."""
    names = [DATA / "references" / name for name in ("NUCLEA", "NUCLEB")]
    return load_corpus(FOLDER / "source.txt", names)


def systems(corpus: Corpus) -> list[System]:
    return load_systems([FOLDER / "systems"], corpus)


def amu() -> list[str]:
    """One system's output."""
    return read_sentences(FOLDER / "systems" / "AMU")


def outputs() -> list[str]:
    """All outputs, one after the other."""
    return [line for path in sorted((FOLDER / "systems").iterdir()) for line in read_sentences(path)]
