"""The CoNLL-2014 test set as the papers on human rankings use it: outputs, references, judgments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gecval.cores import cores
from gecval.corpus import Corpus, System
from gecval.edits.annotate import annotate, extractor
from gecval.errors import InputError
from gecval.formats import load_corpus, load_systems
from gecval.formats.datasets import dataset
from gecval.formats.judgments import Judgments, combine, read_judgments
from gecval.metrics import metric, metric_names
from gecval.studies.human.system_scores import Evaluations

SAKAGUCHI = tuple(f"{who}_{how}{x}" for who in ("expert", "turker") for how in ("fluency", "minimal") for x in "AB")


def systems(corpus: Corpus, *, repaired: bool = False) -> list[System]:
    """The twelve participants and INPUT; repaired: with the shifted lines of three of them put right."""
    folder = dataset("conll14")
    mended = {path.name: path for path in (folder / "systems-repaired").iterdir()} if repaired else {}
    return load_systems([mended.get(path.name, path) for path in sorted((folder / "systems").iterdir())], corpus)


def two_references() -> Corpus:
    """NUCLE's two annotators, as the official scorer sees them."""
    return load_corpus(None, [dataset("conll14") / "official-2014.combined.m2"])


def ten_references() -> Corpus:
    """Bryant & Ng's ten annotators; those without a line changed nothing."""
    return load_corpus(None, [dataset("bryant-ng-2015") / "BN.m2"], missing="unchanged")


def twenty_references() -> Corpus:
    """NUCLE's two, Bryant & Ng's ten, and Sakaguchi et al.'s eight, for which plain edits are extracted."""
    conll, bryant_ng, sakaguchi = dataset("conll14"), dataset("bryant-ng-2015"), dataset("sakaguchi-2016")
    edits = [conll / f"official-2014.{a}.m2" for a in (0, 1)] + [bryant_ng / f"A{a}.m2" for a in range(1, 11)]
    texts = [sakaguchi / name for name in SAKAGUCHI]
    corpus = load_corpus(conll / "source.txt", [*edits, *texts], missing="unchanged")
    return annotate(corpus, extractor("plain"))


def judgment_sets() -> tuple[Judgments, Judgments, Judgments]:
    """GJG15, NSPT15, and both combined."""
    gjg15 = read_judgments(dataset("gjg15") / "judgments.xml", name="GJG15")
    nspt15 = read_judgments(dataset("nspt15") / "all_judgments.xml", name="NSPT15")
    return gjg15, nspt15, combine("combined", [gjg15, nspt15])


def evaluate(
    labels: Mapping[str, str | None], corpus: Corpus, outputs: Sequence[System]
) -> tuple[dict[str, Evaluations], list[str]]:
    """The metrics at hand over all systems; what keeps a metric from running is a note."""
    found, notes = {}, []
    for label, name in labels.items():
        if name is None or name.partition("(")[0] not in metric_names():
            continue
        try:
            found[label] = Evaluations.of(metric(name), corpus, outputs, jobs=cores())
        except InputError as error:
            notes.append(f"{label} is left out: {error}")
    return found, notes
