"""The sample corpus inside the package: learner sentences, three annotators, four systems with different habits."""

from importlib.resources import as_file, files

from gecval.corpus import Corpus, System
from gecval.formats import load_corpus, load_systems

SYSTEMS = ("timid", "thorough", "overeager", "rewriter")


def load_sample() -> tuple[Corpus, list[System]]:
    """The corpus and the outputs of its four systems.

    Examples
    --------
    >>> corpus, systems = load_sample()
    >>> len(corpus), corpus.reference_count, [system.name for system in systems]
    (72, '3', ['timid', 'thorough', 'overeager', 'rewriter'])
    """
    with as_file(files("gecval") / "sample") as folder:
        corpus = load_corpus(None, [folder / "learners.m2"])
        return corpus, load_systems([folder / f"{name}.txt" for name in SYSTEMS], corpus)


def sample_files() -> dict[str, str]:
    """The files of the sample by name, as text."""
    folder = files("gecval") / "sample"
    names = ["learners.m2", *(f"{name}.txt" for name in SYSTEMS)]
    return {name: (folder / name).read_text("utf-8") for name in names}
