"""*Inherent Biases in Reference-based Evaluation for GEC and Text Simplification* (Choshen & Abend 2018): §2 and §4."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import accumulate

from gecval.corpus import Corpus, System
from gecval.edits.extractors import extractor
from gecval.errors import MissingExtraError
from gecval.formats import load_corpus, read_sentences
from gecval.formats.corrections import Corrections, read_corrections
from gecval.formats.datasets import dataset_file, dataset_files
from gecval.metrics import metric
from gecval.metrics.evaluation import Aggregate
from gecval.runtime.run import HERE, Run
from gecval.stats import Interval, Resampling
from gecval.stats.unseen_corrections import Histogram
from gecval.studies.coverage.crowd import (
    accuracy_distributions,
    coverage_curve,
    estimate,
    published_histogram,
    thresholds,
)
from gecval.studies.coverage.perfect_system import Cut, Simulation, perfect_scores
from gecval.studies.coverage.result import Coverage, PerfectScore, VariantEstimate, people_who_gave
from gecval.studies.coverage.validity import load_judgements, measure_validity
from gecval.studies.reproduce.conll14 import load_outputs, load_ten_references, load_two_references
from gecval.studies.reproduce.result import MANY, Curve, Figure, PaperChart, PaperItem, PaperTable, Point
from gecval.studies.scores.study import score
from gecval.studies.undercorrection.reranking import Reranked, rerank
from gecval.studies.undercorrection.study import (
    Changes,
    TypeRatio,
    find_typed_edits,
    frequency_correlation,
    type_ratios,
    undercorrection,
)

TABLE_1 = ((1351.24, 1.0), (74.34, 0.75), (8.72, 0.58), (1.35, 0.37))
TABLE_4 = ((2636.29, 1.0), (111.19, 0.42), (4.68, 0.14), (0.13, 0.02))
PERFECT = (0.42, Interval(0.400, 0.433))
SYSTEMS = {"AMU": Interval(0.327, 0.371), "JMGR": Interval(0.477, 0.522), "RoRo": Interval(0.431, 0.479)}
REFERENCES = (1, 2, 5, 10, 20)
SIMPLIFIED = "simplifications.tsv"


def metrics() -> dict[str, str]:
    """The metrics of Figures 1b and 1c."""
    return {"F0.5": "m2", "GLEU": "gleu", "SARI": "sari", "MAX-SARI": "max-sari"}


def parts(skip: Collection[str] = ()) -> dict[str, Callable[[Run], list[PaperTable]]]:
    """All tables and figures, on the authors' crowd corrections and the CoNLL-2014 and TurkCorpus test sets."""
    return {
        "estimates": _estimates,
        "perfect system": lambda run: [_perfect_scores(_corrections(), skip, run)],
        "perfect simplification": lambda run: [_simplification(_simplifications(), skip, run)],
        "systems": lambda run: [_systems(_perfect(_corrections(), "m2", cut="matching", references=(2,), run=run))],
        "validity": lambda run: [_validity(), _distributions()],
        **{name: partial(_of_one, part) for name, part in UNDERCORRECTION_PARTS.items()},
    }


def _of_one(part: Callable[[Run], PaperTable], run: Run) -> list[PaperTable]:
    return [part(run)]


def _corrections() -> list[Corrections]:
    return read_corrections(dataset_file("ibgec", "gec_corrections.tsv"))


def _simplifications() -> list[Corrections]:
    return read_corrections(dataset_file("ibgec", SIMPLIFIED))


def _estimates(run: Run) -> list[PaperTable]:
    """How many corrections there are, and a perfect system's accuracy."""
    corrections = _corrections()
    histograms = dataset_files("ibgec", "histograms/*_exact_output_hist.txt")
    published = [published_histogram(path) for path in histograms.values()]
    estimates = estimate(corrections, run=run)
    exact, simple, index = (
        [sentence.histogram for sentence in listed]
        for listed in (estimates, estimate(_simplifications(), run=run), estimate(corrections, unit="index", run=run))
    )
    return [
        _thresholds("Table 1, from the 48 published histograms", TABLE_1, published),
        _thresholds("Table 1, from our estimates", TABLE_1, exact, notes=(WHY_TABLE_1,)),
        _thresholds("Table 4, from our estimates", TABLE_4, simple, notes=(WHY_TABLE_4,)),
        _accuracy(published, estimates, index),
    ]


WHY_TABLE_1 = (
    "ours: the released corrections of all 52 sentences. The authors' files are named by six letters, so that four "
    "were overwritten, and some stored outputs belong to older inputs: on the 48 stored inputs the original tool gives "
    "1335.58 variants today"
)
WHY_TABLE_4 = (
    "ours: the released simplifications of 47 sentences. On the same fingerprints the original tool gives 2535.53, "
    "128.52, 4.78 and 0.18 variants, as we do; the published table was made from other inputs"
)


def _thresholds(
    title: str,
    published: Sequence[tuple[float, float]],
    histograms: Sequence[Histogram],
    *,
    notes: tuple[str, ...] = (),
) -> PaperTable:
    rows = {
        f"γ = {ours.frequency:g}": {
            "variants": Figure(published=variants, ours=ours.variants),
            "mass": Figure(published=mass, ours=ours.mass),
        }
        for (variants, mass), ours in zip(published, thresholds(histograms), strict=True)
    }
    return PaperTable(title=title, columns=("variants", "mass"), rows=rows, notes=notes, row_name="frequency")


def _accuracy(
    published: Sequence[Histogram], estimates: Sequence[VariantEstimate], index: Sequence[Histogram]
) -> PaperTable:
    theirs, by_index = coverage_curve(published), coverage_curve(index)
    ours = coverage_curve(
        [sentence.histogram for sentence in estimates], counts=[sentence.counts for sentence in estimates]
    )
    slope = ours[19].with_replacement - ours[18].with_replacement
    figures = {
        "accuracy, M = 20, published histograms": (0.5, theirs[19].with_replacement, theirs[19].interval),
        "accuracy, M = 20": (0.5, ours[19].with_replacement, ours[19].interval),
        "accuracy, M = 20, observed": (0.5, ours[19].observed, None),
        "accuracy, M = 2": (None, ours[1].with_replacement, ours[1].interval),
        "accuracy, M = 2, observed": (None, ours[1].observed, None),
        "slope of accuracy, M = 20": (0.004, slope, None),
        "accuracy, M = 10, different references": (0.47, ours[9].without_replacement, None),
        "exact index match, M = 10": (0.54, by_index[9].with_replacement, by_index[9].interval),
    }
    rows = {
        name: {"score": Figure(published=known, ours=value, interval=interval)}
        for name, (known, value, interval) in figures.items()
    }
    return PaperTable(
        title="Figure 1a: a perfect system's accuracy",
        columns=("score",),
        rows=rows,
        notes=(
            "computed, not sampled. The paper says “around 0.5” and, for different references, “over 0.47”: there its "
            "simulation lets a fraction of a variant use up a fraction of a reference, ours has whole variants only",
            "observed: counted in the corrections themselves, without bias. UnseenEst overestimates how frequent the "
            "frequent corrections are, and so overestimates coverage for small M",
        ),
        row_name="figure",
        chart=PaperChart(
            x=MANY,
            y="accuracy of a perfect system",
            curves=(
                _coverage_curve("published histograms", theirs),
                _coverage_curve("our estimates", ours),
                _coverage_curve("exact index match", by_index),
            ),
        ),
    )


def _coverage_curve(name: str, curve: Sequence[Coverage]) -> Curve:
    points = (Point(x=point.references, y=point.with_replacement, interval=point.interval) for point in curve)
    return Curve(name=name, points=tuple(points))


def _score_curve(name: str, curve: Sequence[PerfectScore]) -> Curve:
    points = (Point(x=point.references, y=point.score, interval=point.interval) for point in curve)
    return Curve(name=name, points=tuple(points))


def _perfect(
    corrections: Sequence[Corrections],
    name: str,
    *,
    cut: Cut = "plain",
    once: bool = False,
    references: Sequence[int] = REFERENCES,
    run: Run = HERE,
) -> list[PerfectScore]:
    simulation = Simulation(corrections=corrections, cut=cut, replacement=not once)
    aggregate: Aggregate = "mean" if name == "gleu" else "corpus"
    return perfect_scores(simulation, metric(name), references, aggregate=aggregate, run=run)


def _perfect_scores(corrections: Sequence[Corrections], skip: Collection[str], run: Run) -> PaperTable:
    curves: dict[str, list[PerfectScore]] = {}
    if "F0.5" not in skip:
        curves["F0.5, edits by word matching"] = _perfect(corrections, "m2", cut="matching", run=run)
        curves["F0.5, edits by plain rules"] = _perfect(corrections, "m2", run=run)
        curves["F0.5, by matching, each person once"] = _perfect(corrections, "m2", cut="matching", once=True, run=run)
    if "GLEU" not in skip:
        curves["GLEU, mean over sentences"] = _perfect(corrections, "gleu", run=run)
    rows = {}
    for name, curve in curves.items():
        for point in curve:
            known = point.references == 2 and name == next(iter(curves)) and name.startswith("F0.5")
            rows[f"{name}, M = {point.references}"] = {
                "score": Figure(published=PERFECT[0] if known else None, ours=point.score),
                "low": Figure(published=PERFECT[1].low if known else None, ours=point.interval.low),
                "high": Figure(published=PERFECT[1].high if known else None, ours=point.interval.high),
            }
    return PaperTable(
        title="Figure 1b: a perfect system's F0.5 and GLEU, N = 1312, 136 correct",
        columns=("score", "low", "high"),
        rows=rows,
        notes=(
            "F0.5 depends on how the crowd's texts are cut into edits. The paper calls its way heuristic and does not "
            "give it: the ways that we tried gave .47 to .57 at M = 2, none the published .42. The published interval "
            "is from the authors' files, not from the paper",
            "drawn with replacement from 50 answers, a system is now and then scored against its own answer; each "
            "person once is free of that",
            "GLEU averages over references, so more of them leave its mean where it is; 136 correct sentences score 1",
        ),
        row_name="score",
        chart=PaperChart(x=MANY, y="score", curves=tuple(map(_score_curve, curves, curves.values()))),
    )


def _simplification(simplifications: Sequence[Corrections], skip: Collection[str], run: Run) -> PaperTable:
    simulation = Simulation(corrections=simplifications, correct=0)
    curves = {
        label: perfect_scores(simulation, metric(name), REFERENCES, lucky=lucky, run=run)
        for label, name, lucky in (
            ("SARI", "sari", False),
            ("MAX-SARI", "max-sari", False),
            ("SARI, lucky", "sari", True),
        )
        if label.partition(",")[0] not in skip
    }
    rows = {
        f"M = {count}": {
            name: Figure(
                published=0.45 if name == "SARI" and at == 0 else None,
                ours=curve[at].score,
                interval=curve[at].interval,
            )
            for name, curve in curves.items()
        }
        for at, count in enumerate(REFERENCES)
    }
    return PaperTable(
        title="Figure 1c: perfect simplification",
        columns=tuple(curves),
        rows=rows,
        notes=("the paper: SARI about 0.45 whatever M; a lucky system's falls with M, though it returns a reference",),
        row_name="references",
        chart=PaperChart(x=MANY, y="score", curves=tuple(map(_score_curve, curves, curves.values()))),
    )


def _systems(perfect: Sequence[PerfectScore]) -> PaperTable:
    corpus = load_two_references()
    systems = [*load_outputs("conll14", "systems", corpus), *load_outputs("conll14", "systems-later", corpus)]
    recased = [_recase(corpus, system) if system.name == "RoRo" else system for system in systems]
    rows = {}
    for result in score(corpus, recased, ["m2"], confidence=Resampling()):
        assert result.interval is not None
        rows[result.system] = _interval_cells(SYSTEMS.get(result.system), result.score, result.interval)
    rows = dict(sorted(rows.items(), key=lambda row: row[1]["score"].ours or 0.0))
    [at_two] = perfect
    rows["perfect (edits by matching)"] = _interval_cells(PERFECT[1], at_two.score, at_two.interval)
    return PaperTable(
        title="Figure 2: systems and a perfect system, F0.5, M = 2",
        columns=("score", "low", "high"),
        rows=rows,
        notes=(
            "RoRo's file lacks capitals at the start of sentences; here it has the source's (without: 0.279)",
            "published intervals are from the authors' files: the paper draws them, and prints no number",
        ),
        row_name="system",
    )


def _interval_cells(published: Interval | None, ours: float, interval: Interval) -> dict[str, Figure]:
    return {
        "score": Figure(ours=ours),
        "low": Figure(published=published.low if published else None, ours=interval.low),
        "high": Figure(published=published.high if published else None, ours=interval.high),
    }


def _recase(corpus: Corpus, system: System) -> System:
    """With a capital at the start wherever the source has one."""
    pairs = zip(corpus.sources, system.hypotheses, strict=True)
    return corpus.system(
        system.name,
        [output[:1].upper() + output[1:] if source[:1].isupper() else output for source, output in pairs],
    )


# §3 of the low-coverage paper: systems under-correct, and more references alleviate it.


LARGE = 6  # words changed, the paper's example
CONLL_REFERENCES = (1, 2, 3, 5, 8, 10)
UNCHANGED = {1: 50, 8: 29}  # sentences that the oracle leaves alone with so many references, in the paper


def _first_annotator() -> tuple[Corpus, list[System]]:
    corpus = load_corpus(None, [dataset_file("conll14", "official-2014.0.m2")])
    return corpus, [*load_outputs("conll14", "systems", corpus), *load_outputs("conll14", "systems-later", corpus)]


def _changes(run: Run) -> PaperTable:
    reference, *others = undercorrection(*_first_annotator(), run=run)
    figures: dict[str, tuple[float | None, float]] = {
        f"sentences with {LARGE} words changed: reference": (36, reference.sentences[LARGE]),
        f"sentences with {LARGE} words changed: most of any system": (5, max(row.sentences[LARGE] for row in others)),
        "words changed a sentence: reference": (None, reference.word_changes),
        "words changed a sentence: most of any system": (None, max(row.word_changes for row in others)),
        "sentences reordered: reference": (None, reference.reordered),
        "sentences reordered: most of any system": (None, max(row.reordered for row in others)),
        "sentences split: reference": (None, reference.split),
        "sentences split: most of any system": (None, max(row.split for row in others)),
        "sentences joined: reference": (None, reference.joined),
        "sentences joined: most of any system": (None, max(row.joined for row in others)),
    }
    return PaperTable(
        title="Figure 3: changes by the reference and by 15 systems",
        columns=("value",),
        rows={name: {"value": Figure(published=known, ours=ours)} for name, (known, ours) in figures.items()},
        notes=(
            "annotator 0; the paper took one “arbitrarily”. Annotator 1 changes more: 2.7 words a sentence",
            "not reproduced: with the paper's own alignment 49 sentences of annotator 0 have 6 words changed, and 57 "
            "of annotator 1, not 36",
        ),
        row_name="figure",
        chart=PaperChart(
            x="words changed, at least",
            y="sentences",
            curves=(_more_changes(reference, people=True), *map(_more_changes, others)),
        ),
    )


def _more_changes(corrector: Changes, *, people: bool = False) -> Curve:
    """How many sentences have 1, 2, … words changed, or more."""
    at_least = reversed(list(accumulate(reversed(corrector.sentences))))
    points = [Point(x=words, y=float(count)) for words, count in enumerate(at_least)]
    return Curve(name=corrector.corrector, points=tuple(points[1:]), people=people)


def _simplified_changes(run: Run) -> PaperTable:
    test = dataset_file("turkcorpus", "test.8turkers.tok.norm")
    corpus = load_corpus(test, [dataset_file("turkcorpus", f"test.8turkers.tok.turk.{k}") for k in range(8)])
    lists = [f"result_NTS_epoch11_10.19.t7_12_h{k}" for k in range(1, 13)]
    candidates = [
        corpus.system(name, read_sentences(dataset_file("turkcorpus", f"nts-12best/{name}"))) for name in lists
    ]
    rows = {
        f"M = {choice.references}": {
            "unchanged": Figure(published=UNCHANGED.get(choice.references), ours=choice.unchanged),
            "words changed": Figure(ours=choice.word_changes),
            "MAX-SARI": Figure(ours=choice.score),
        }
        for choice in rerank(corpus, candidates, "max-sari", run=run)
    }
    return PaperTable(
        title="§4: oracle re-ranking of 12-best simplifications by MAX-SARI",
        columns=("unchanged", "words changed", "MAX-SARI"),
        rows=rows,
        notes=(
            "the paper names the unchanged at M = 1 and 8 only; ours are means of 10 draws (44 to 88 for single "
            "turkers)",
        ),
        row_name="references",
    )


def _pool(run: Run) -> PaperTable:
    corpus, (_, systems) = load_ten_references(), _first_annotator()
    changed_by_all = [i for i, listed in enumerate(corpus.references) if all(reference.edits for reference in listed)]
    errors = Corpus([corpus.sources[i] for i in changed_by_all], [corpus.references[i] for i in changed_by_all])
    pool = [errors.system(system.name, [system.hypotheses[i] for i in changed_by_all]) for system in systems]
    everything = rerank(corpus, systems, "m2", references=CONLL_REFERENCES, repetitions=3, run=run)
    certain = rerank(errors, pool, "m2", references=CONLL_REFERENCES, repetitions=3, run=run)
    rows = {}
    for all_sentences, sure in zip(everything, certain, strict=True):
        rows[f"M = {all_sentences.references}"] = {
            "words changed": Figure(ours=all_sentences.word_changes),
            "unchanged": Figure(ours=all_sentences.unchanged),
            f"words changed, {len(errors)} errors": Figure(ours=sure.word_changes),
            f"unchanged, {len(errors)} errors": Figure(ours=sure.unchanged),
        }
    return PaperTable(
        title="Figure 4: oracle re-ranking of a pool of 16 outputs by F0.5, ten annotators",
        columns=tuple(rows["M = 1"]),
        rows=rows,
        notes=(
            "the paper's 100-best list of RoRo is not public. Over all sentences changes grow up to M = 2, then "
            "shrink: the more annotators, the likelier one of them leaves the sentence alone, and the oracle follows "
            "that one (as in the paper's Table 3, where both are valid)",
            "errors: sentences that all ten annotators change",
        ),
        row_name="references",
        chart=PaperChart(
            x=MANY,
            y="words changed a sentence by the oracle",
            curves=(_oracle("all sentences", everything), _oracle(f"{len(errors)} errors", certain)),
        ),
    )


def _oracle(name: str, choices: Iterable[Reranked]) -> Curve:
    points = (Point(x=choice.references, y=choice.word_changes) for choice in choices)
    return Curve(name=name, points=tuple(points))


def _types(run: Run) -> PaperTable:
    title = "§3.4: under-correction by error type (ERRANT)"
    corpus = load_corpus(None, [dataset_file("conll14", "official-2014.combined.m2")], missing="agreed")
    _, systems = _first_annotator()
    shared_task = [system for system in systems if system.name not in ("INPUT", "JMGR", "RoRo", "char")]
    try:
        edits = find_typed_edits(corpus, shared_task, extractor("en_core_web_sm"), run=run)
    except MissingExtraError as error:
        return PaperTable(title=title, columns=("ratio",), rows={}, notes=(str(error),), row_name="type")
    ratios = type_ratios(*edits)
    correlation = frequency_correlation(ratios)
    rows = {f"{row.type} ({row.word_class})": {"ratio": Figure(ours=row.ratio)} for row in ratios}
    rows["frequency against ratio, ρ"] = {"ratio": Figure(published=-0.29, ours=correlation.rho)}
    rows["frequency against ratio, p"] = {"ratio": Figure(published=0.16, ours=correlation.p)}
    return PaperTable(
        title=title, columns=("ratio",), rows=rows, notes=(_quarters(ratios), *_exceptions(ratios)), row_name="type"
    )


SELECTION = ("PREP", "PART", "PRON")  # the paper counts choosing such a word as open, though its class is closed


def _exceptions(ratios: Sequence[TypeRatio]) -> list[str]:
    """How the paper counts classes, and the types that contradict it."""
    quarter = len(ratios) // 4
    least = [row.type for row in ratios[-quarter:] if row.word_class == "closed" and row.type not in SELECTION]
    above = [f"{row.type} ({row.ratio:.3f})" for row in ratios if row.ratio > 1]
    notes = [
        "the paper counts the selection of prepositions, particles and pronouns as open; so counted, closed among the "
        f"{quarter} least corrected are: {', '.join(least) or 'none'} (the paper: punctuation alone)"
    ]
    return [*notes, f"corrected more often than by people: {', '.join(above)} (the paper: none)"] if above else notes


def _validity() -> PaperTable:
    judged = measure_validity(_corrections(), load_judgements(dataset_file("ibgec", "validity_judgements.tsv")))
    rows = {}
    for row in judged:
        known = 0.78 if row.least == row.most == 1 else None
        rows[f"given by {people_who_gave(row)}"] = {
            "share": Figure(published=known, ours=row.share, interval=row.interval),
            "answers": Figure(ours=row.answers),
        }
    return PaperTable(
        title="§2.1, Appendix C: share of answers that call a correction valid",
        columns=("share", "answers"),
        rows=rows,
        row_name="corrections",
    )


def _distributions() -> PaperTable:
    histograms = [sentence.histogram for sentence in estimate(_corrections())]
    shown = [row for row in accuracy_distributions(histograms) if row.references in REFERENCES]
    sentences = len(histograms)
    curves = [
        Curve(
            name=f"M = {row.references}",
            points=tuple(Point(x=k / sentences, y=p) for k, p in enumerate(row.probabilities)),
        )
        for row in shown
    ]
    return PaperTable(
        title="Appendix D: how likely each accuracy of a perfect system is",
        columns=("low", "high", "deviation"),
        rows={
            f"M = {row.references}": {
                "low": Figure(ours=row.interval.low),
                "high": Figure(ours=row.interval.high),
                "deviation": Figure(ours=row.deviation),
            }
            for row in shown
        },
        notes=("a Poisson binomial distribution over the 52 sentences, exact; low and high hold its middle 95%",),
        row_name="references",
        chart=PaperChart(x="accuracy of a perfect system", y="probability", curves=tuple(curves)),
    )


def _quarters(ratios: Sequence[TypeRatio]) -> str:
    quarter = len(ratios) // 4
    most, least = ratios[:quarter], ratios[-quarter:]
    closed = sum(row.word_class == "closed" for row in most)
    return (
        f"of the {quarter} types that are corrected most, {closed} are closed-class; the {quarter} least: "
        + ", ".join(row.type for row in least)
    )


UNDERCORRECTION_PARTS: dict[str, Callable[[Run], PaperTable]] = {
    "changes": _changes,
    "re-ranked simplifications": _simplified_changes,
    "re-ranked systems": _pool,
    "types of errors": _types,
}


OTHER_INPUTS = "the released data differ from the inputs of the paper; the original tool gives our figures on them"
ITEMS = (
    PaperItem(
        "Table 1", "corrections by frequency", part="estimates", table="Table 1, from the 48 published histograms",
    ),
    PaperItem(
        "Table 1, from the corrections", "the same from all 52 sentences", part="estimates",
        table="Table 1, from our estimates", status="explained", why=OTHER_INPUTS,
    ),
    PaperItem("Table 2", "outputs for one sentence", status="explained", why="an example without a number"),
    PaperItem(
        "Table 3", "expected effect of re-ranking", status="explained",
        why="a derivation without a number; Figure 4 tries it out",
    ),
    PaperItem("Table 4", "simplifications by frequency", part="estimates", status="explained", why=OTHER_INPUTS),
    PaperItem(
        "Figure 1a", "accuracy and exact index match by number of references", part="estimates", status="explained",
        why="“around 0.5” is 0.490; the paper's simulation spends a fraction of a reference on a fraction of a variant",
    ),
    PaperItem(
        "Figure 1b", "F0.5 of a perfect system: .42 at M = 2", part="perfect system", status="open",
        why="the paper does not say how texts are cut into edits; the ways that we tried gave .47 to .57",
    ),
    PaperItem(
        "Figure 1c", "SARI of a perfect system: about .45", part="perfect simplification", status="open",
        why="0.40 to 0.42, whatever M; the tool and its version are not named",
    ),
    PaperItem(
        "Figure 2", "systems and a perfect system, F0.5", part="systems", status="explained",
        why="another draw of the bootstrap; RoRo's file lacks capitals; the perfect system as in Figure 1b",
    ),
    PaperItem(
        "Figure 3", "changes by people and systems: 36 and 5 sentences with 6 words changed", part="changes",
        status="open", why="49 (annotator 0) and 57 (annotator 1) with the paper's alignment, systems 6 at most",
    ),
    PaperItem(
        "Figure 4", "oracle re-ranking of RoRo's 100 best", part="re-ranked systems", status="data not public",
        why="the 100-best list is not public; a pool of 16 outputs stands in",
    ),
    PaperItem("§2.1: validity", "rarest corrections are valid in 78 %", part="validity", table="§2.1"),
    PaperItem(
        "Appendix D", "the distribution of accuracy", part="validity", status="explained",
        why="no number in the text; computed exactly",
    ),
    PaperItem(
        "§2.2: GLEU", "about 2 % higher than F0.5", part="perfect system", table="Figure 1b", rows=("GLEU",),
        status="open", why="0.51 next to 0.48, and flat: GLEU averages over references",
    ),
    PaperItem(
        "§2.3: systems surpass people", "RoRo and JMGR", part="systems", table="Figure 2", rows=("RoRo", "JMGR"),
        status="open", why="0.474 and 0.495 next to 0.483: as good as people, not better, by our perfect system",
    ),
    PaperItem(
        "§3.2: TreeBank of Learner English", "similar trends", status="data not public", why="a licence is needed",
    ),
    PaperItem(
        "§3.4", "under-correction by type: ρ = −.29, p = .16; closed types most, open types least corrected",
        part="types of errors", status="explained", why="another version of ERRANT; ρ = −.35, p = .09",
    ),
    PaperItem(
        "§4: re-ranked simplifications", "50 sentences unchanged with M = 1, 29 with M = 8",
        part="re-ranked simplifications", table="§4", status="explained",
        why="69 and 28: means over turkers, of whom single ones give 44 to 88",
    ),
    PaperItem("§4: Moses", "100 best", status="data not public", why="its lists are not public"),
)  # fmt: skip
