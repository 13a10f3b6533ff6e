"""The CoNLL-2014 test set as the papers on human rankings use it: outputs, references, judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.annotate import annotate
from gecval.edits.extractors import extractor
from gecval.errors import InputError
from gecval.formats import load_corpus, load_systems
from gecval.formats.datasets import dataset_file, dataset_files
from gecval.formats.judgments import Judgments, combine, read_judgments
from gecval.formats.loading import system_name
from gecval.metrics import metric, metric_names
from gecval.progress import Progress, silent
from gecval.studies.human.system_scores import Evaluations

SAKAGUCHI = tuple(f"{who}_{how}{x}" for who in ("expert", "turker") for how in ("fluency", "minimal") for x in "AB")


def systems(corpus: Corpus, *, repaired: bool = False) -> list[System]:
    """The twelve participants and INPUT; repaired: with the shifted lines of three of them put right."""
    mended = dataset_files("conll14", "systems-repaired/*") if repaired else {}
    return _named(dataset_files("conll14", "systems/*") | mended, corpus)


def systems_of(name: str, folder: str, corpus: Corpus) -> list[System]:
    """The systems in a folder of a data set."""
    return _named(dataset_files(name, f"{folder}/*"), corpus)


def _named(files: Mapping[str, Path], corpus: Corpus) -> list[System]:
    """Under our names: upstream calls the files of some systems otherwise."""
    loaded = {name: load_systems([path], corpus)[0] for name, path in files.items()}
    return [replace(system, name=system_name(Path(name))) for name, system in loaded.items()]


def two_references() -> Corpus:
    """NUCLE's two annotators, as the official scorer sees them."""
    return load_corpus(None, [dataset_file("conll14", "official-2014.combined.m2")])


def ten_references() -> Corpus:
    """Bryant & Ng's ten annotators; those without a line changed nothing."""
    return load_corpus(None, [dataset_file("bryant-ng-2015", "BN.m2")], missing="unchanged")


def twenty_references() -> Corpus:
    """NUCLE's two, Bryant & Ng's ten, and Sakaguchi et al.'s eight, for which plain edits are extracted."""
    edits = [dataset_file("conll14", f"official-2014.{a}.m2") for a in (0, 1)]
    edits += [dataset_file("bryant-ng-2015", f"A{a}.m2") for a in range(1, 11)]
    texts = [dataset_file("sakaguchi-2016", name) for name in SAKAGUCHI]
    corpus = load_corpus(dataset_file("conll14", "source.txt"), [*edits, *texts], missing="unchanged")
    return annotate(corpus, extractor("plain"))


def judgment_sets() -> tuple[Judgments, Judgments, Judgments]:
    """GJG15, NSPT15, and both combined."""
    gjg15 = read_judgments(dataset_file("gjg15", "judgments.xml"), name="GJG15")
    nspt15 = read_judgments(dataset_file("nspt15", "all_judgments.xml"), name="NSPT15")
    return gjg15, nspt15, combine("combined", [gjg15, nspt15])


def evaluate(
    labels: Mapping[str, str | None], corpus: Corpus, outputs: Sequence[System], *, progress: Progress = silent
) -> tuple[dict[str, Evaluations], list[str]]:
    """The metrics at hand over all systems. What keeps a metric from running is a note."""
    evaluations, notes = {}, []
    for label, name in labels.items():
        if name is None or name.partition("(")[0] not in metric_names():
            continue
        try:
            judge = metric(name)
            judge.prepare(corpus, outputs, jobs=cores(), progress=progress)
            evaluations[label] = Evaluations.of(judge, corpus, outputs, jobs=cores())
        except InputError as error:
            notes.append(f"{label} is left out: {error}")
    return evaluations, notes
