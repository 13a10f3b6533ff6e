"""§3 of the low-coverage paper: systems under-correct, and more references alleviate it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from gecval.corpus import Corpus, System
from gecval.edits.annotate import extractor
from gecval.errors import MissingExtraError
from gecval.formats import load_corpus, read_sentences
from gecval.formats.datasets import dataset_file
from gecval.metrics import metric
from gecval.studies.reproduce.base import Figure, Reproduction
from gecval.studies.reproduce.conll14 import systems_of, ten_references
from gecval.studies.undercorrection.changes import under_correction
from gecval.studies.undercorrection.error_types import TypeRatio, frequency_correlation, type_ratios, typed_edits
from gecval.studies.undercorrection.reranking import Reranked, rerank

LARGE = 6  # words changed, the paper's example
CONLL_REFERENCES = (1, 2, 3, 5, 8, 10)


def run(step: Callable[[], None]) -> list[Reproduction]:
    """Figures 3 and 4, §3.4, and the re-ranking of §4."""
    corpus = load_corpus(None, [dataset_file("conll14", "official-2014.0.m2")])
    systems = [*systems_of("conll14", "systems", corpus), *systems_of("conll14", "systems-later", corpus)]
    tables = [_changes(corpus, systems)]
    step()
    tables.append(_simplification())
    step()
    tables.append(_pool(ten_references(), systems))
    step()
    tables.append(_types([one for one in systems if one.name != "INPUT"]))
    step()
    return tables


def _changes(corpus: Corpus, systems: Sequence[System]) -> Reproduction:
    reference, *others = under_correction(corpus, systems)
    most = max(one.histogram()[LARGE] for one in others)
    rows = {
        f"sentences with {LARGE} words changed: reference": (36, reference.histogram()[LARGE]),
        f"sentences with {LARGE} words changed: most of any system": (5, most),
        "words changed a sentence: reference": (None, float(reference.word_changes.mean())),
        "words changed a sentence: most of any system": (None, max(float(one.word_changes.mean()) for one in others)),
        "sentences reordered: reference": (None, reference.reordered()),
        "sentences reordered: most of any system": (None, max(one.reordered() for one in others)),
        "sentences split: reference": (None, reference.split),
        "sentences split: most of any system": (None, max(one.split for one in others)),
        "sentences joined: reference": (None, reference.joined),
        "sentences joined: most of any system": (None, max(one.joined for one in others)),
    }
    note = "annotator 0; the paper took one “arbitrarily”. Annotator 1 changes more: 2.7 words a sentence"
    return _one_column("Figure 3: changes by the reference and by 15 systems", rows, (note,))


def _simplification() -> Reproduction:
    test = dataset_file("turkcorpus", "test.8turkers.tok.norm")
    corpus = load_corpus(test, [dataset_file("turkcorpus", f"test.8turkers.tok.turk.{k}") for k in range(8)])
    lists = [f"result_NTS_epoch11_10.19.t7_12_h{k}" for k in range(1, 13)]
    candidates = [
        corpus.system(name, read_sentences(dataset_file("turkcorpus", f"nts-12best/{name}"))) for name in lists
    ]
    results = rerank(corpus, candidates, metric("max-sari"), range(1, 9), jobs=2)
    note = "the paper names the unchanged at M = 1 and 8 only; ours are means of 10 draws (44 to 88 for single turkers)"
    return _growth("§4: oracle re-ranking of 12-best simplifications by MAX-SARI", results, (50, 29), (note,))


def _pool(corpus: Corpus, systems: Sequence[System]) -> Reproduction:
    changed_by_all = [i for i, listed in enumerate(corpus.references) if all(one.edits for one in listed)]
    errors = Corpus([corpus.sources[i] for i in changed_by_all], [corpus.references[i] for i in changed_by_all])
    pool = [errors.system(one.name, [one.hypotheses[i] for i in changed_by_all]) for one in systems]
    everything = rerank(corpus, systems, metric("m2"), CONLL_REFERENCES, repetitions=3, jobs=2)
    certain = rerank(errors, pool, metric("m2"), CONLL_REFERENCES, repetitions=3, jobs=2)
    rows = {}
    for all_sentences, sure in zip(everything, certain, strict=True):
        rows[f"M = {all_sentences.references}"] = {
            "words changed": Figure(None, all_sentences.word_changes),
            "unchanged": Figure(None, all_sentences.unchanged),
            f"words changed, {len(errors)} errors": Figure(None, sure.word_changes),
            f"unchanged, {len(errors)} errors": Figure(None, sure.unchanged),
        }
    return Reproduction(
        "Figure 4: oracle re-ranking of a pool of 16 outputs by F0.5, ten annotators",
        tuple(rows["M = 1"]),
        rows,
        (
            "the paper's 100-best list of RoRo is not public. Over all sentences changes grow up to M = 2, then "
            "shrink: the more annotators, the likelier one who leaves the sentence alone, whom the oracle follows (as "
            "the paper's Table 3 has it where both are valid)",
            "errors: sentences that all ten annotators change",
        ),
        row_name="references",
    )


def _types(systems: Sequence[System]) -> Reproduction:
    title = "§3.4: under-correction by error type (ERRANT)"
    corpus = load_corpus(None, [dataset_file("conll14", "official-2014.combined.m2")], missing="agreed")
    shared_task = [one for one in systems if one.name not in ("JMGR", "RoRo", "char")]
    try:
        edits = typed_edits(corpus, shared_task, extractor("en_core_web_sm"), jobs=2)
    except MissingExtraError as error:
        return Reproduction(title, ("ratio",), {}, (str(error),), row_name="type")
    ratios = type_ratios(*edits)
    rho, p = frequency_correlation(ratios)
    rows = {f"{one.type} ({one.word_class})": {"ratio": Figure(None, one.ratio)} for one in ratios}
    rows["frequency against ratio, ρ"] = {"ratio": Figure(-0.29, rho)}
    rows["frequency against ratio, p"] = {"ratio": Figure(0.16, p)}
    return Reproduction(title, ("ratio",), rows, (_quarters(ratios),), row_name="type")


def _quarters(ratios: Sequence[TypeRatio]) -> str:
    quarter = len(ratios) // 4
    most, least = ratios[:quarter], ratios[-quarter:]
    closed = sum(one.word_class == "closed" for one in most)
    return (
        f"of the {quarter} types that are corrected most, {closed} are closed-class; the {quarter} least: "
        + ", ".join(one.type for one in least)
    )


def _growth(
    title: str, results: Sequence[Reranked], unchanged: tuple[int, int], notes: tuple[str, ...]
) -> Reproduction:
    published = {results[0].references: unchanged[0], results[-1].references: unchanged[1]}
    rows = {
        f"M = {one.references}": {
            "unchanged": Figure(published.get(one.references), one.unchanged),
            "words changed": Figure(None, one.word_changes),
            "MAX-SARI": Figure(None, one.score),
        }
        for one in results
    }
    return Reproduction(title, ("unchanged", "words changed", "MAX-SARI"), rows, notes, row_name="references")


def _one_column(title: str, rows: Mapping[str, tuple[float | None, float]], notes: tuple[str, ...]) -> Reproduction:
    figures = {name: {"value": Figure(published, ours)} for name, (published, ours) in rows.items()}
    return Reproduction(title, ("value",), figures, notes, row_name="figure")
