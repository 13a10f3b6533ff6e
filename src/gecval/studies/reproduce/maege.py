"""Tables 2, 3 and 4 of *Automatic Metric Validation for Grammatical Error Correction* (Choshen & Abend 2018).

CoNLL-14's two official annotations make the lattices; the other eight of Bryant & Ng are the references. M² finds its
edits with ERRANT, as the authors did. I-measure's run had not finished in the paper. LT is checked by lingotweaker,
where that is installed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from itertools import combinations
from math import log10, prod

import numpy as np

from gecval.corpus.edit import Edit
from gecval.formats import load_corpus
from gecval.formats.datasets import dataset_file
from gecval.metrics import metric
from gecval.runtime.run import HERE, Run
from gecval.studies.maege.lattices import MaegeSettings, Source
from gecval.studies.maege.result import Maege, ReplicateMean
from gecval.studies.maege.study import maege
from gecval.studies.reproduce.result import Curve, Figure, PaperChart, PaperItem, PaperTable, Point

REPLICATES = 4
CHAINS, IN_CHAINS, RISE = "§6.1: chains", "§6.1: corrections in them", "§6.1: mean difference of GLEU"
METRICS = {
    "iBLEU": "ibleu",
    "M2": "m2(ignore_whitespace_casing=True)",
    "BLEU": "bleu",
    "MinLD O→R": "min-ld",
    "GLEU": "gleu",
    "MAX-SARI": "max-sari",
    "SARI": "sari",
    "LD S→O": "ld",
    "I-measure": "imeasure",
    "LT": "lt",
}

# Corpus-level ρ, sentence-level r, sentence-level τ.
TABLE_2 = {
    "iBLEU": (0.418, 0.230, 0.050),
    "M2": (0.060, -0.025, 0.213),
    "BLEU": (0.564, 0.214, 0.111),
    "MinLD O→R": (-0.867, 0.011, -0.183),
    "GLEU": (0.736, 0.189, -0.028),
    "MAX-SARI": (-0.809, 0.027, -0.070),
    "SARI": (-0.545, 0.061, -0.039),
    "LD S→O": (-0.118, 0.109, 0.094),
    "LT": (0.973, 0.167, 0.222),
}
TABLE_4 = {
    "iBLEU": (-0.872, 0.235, 0.053),
    "M2": (0.882, -0.014, 0.223),
    "BLEU": (0.845, 0.217, 0.115),
    "MinLD O→R": (-0.909, 0.022, -0.180),
    "GLEU": (0.945, 0.208, 0.003),
    "MAX-SARI": (0.772, 0.053, 0.004),
    "SARI": (0.800, 0.084, 0.022),
    "LD S→O": (-0.972, 0.025, 0.070),
    "LT": (0.836, 0.175, 0.184),
}
# p of corpus-level ρ, sentence-level r, sentence-level τ; the paper prints a dagger below 0.001, here None.
P_VALUES: dict[str, dict[str, tuple[float | None, float | None, float | None]]] = {
    "Table 2": {
        "iBLEU": (0.200, None, None),
        "M2": (0.853, 0.024, None),
        "BLEU": (0.071, None, None),
        "MinLD O→R": (None, 0.327, None),
        "GLEU": (0.001, None, None),
        "MAX-SARI": (0.003, 0.015, None),
        "SARI": (0.080, None, None),
        "LD S→O": (0.729, None, None),
    },
    "Table 4": {
        "M2": (None, 0.223, None),
        "LT": (0.001, 0.019, None),
        "BLEU": (0.001, None, None),
        "MAX-SARI": (0.005, None, 0.6),
        "SARI": (0.003, None, 0.001),
        "LD S→O": (None, 0.027, None),
    },
}
NOTE_P = "p: ours is the median over replicates, uncorrected as in the paper; a dagger there (below 0.001) is no figure"
TABLE_3_METRICS = ("iBLEU", "M2", "BLEU", "MinLD O→R", "GLEU", "MAX-SARI", "SARI", "LD S→O", "LT")
TABLE_3 = {
    "WOinc": (0.016, -0.000, -0.005, -0.026, -0.051, -0.075, -0.046, 0.063, -0.002),
    "Nn": (0.033, -0.001, 0.029, -0.007, 0.025, 0.043, 0.037, 0.017, 0.004),
    "Npos": (-0.001, 0.001, -0.011, -0.007, -0.030, -0.023, -0.009, 0.014, -0.004),
    "Sfrag": (-0.025, -0.003, -0.067, -0.068, -0.143, -0.177, -0.142, 0.076, -0.000),
    "Wtone": (-0.013, -0.002, -0.024, -0.021, -0.026, -0.086, -0.055, 0.018, -0.008),
    "Srun": (-0.027, -0.004, -0.048, -0.014, -0.078, -0.039, -0.030, 0.020, -0.004),
    "ArtOrDet": (0.028, -0.001, 0.019, -0.006, -0.003, -0.022, -0.003, 0.024, 0.001),
    "Vt": (0.054, -0.001, 0.046, -0.002, 0.011, 0.003, 0.018, 0.025, 0.005),
    "Wa": (0.041, -0.002, -0.013, 0.006, -0.028, -0.073, -0.090, 0.071, -0.002),
    "Wform": (0.049, -0.001, 0.044, -0.003, 0.010, 0.004, 0.020, 0.022, 0.002),
    "WOadv": (0.007, 0.000, 0.011, 0.012, 0.006, 0.088, 0.054, -0.014, 0.009),
    "V0": (0.015, -0.001, 0.005, -0.003, -0.006, -0.010, -0.004, 0.015, 0.019),
    "Trans": (-0.011, 0.000, -0.022, -0.029, -0.031, -0.019, -0.004, 0.013, 0.005),
    "Pform": (0.021, -0.001, 0.011, -0.012, -0.019, -0.003, 0.005, 0.030, 0.003),
    "Smod": (-0.052, 0.001, -0.093, -0.072, -0.126, -0.062, -0.043, 0.055, 0.004),
    "Ssub": (-0.005, 0.000, -0.024, -0.027, -0.052, -0.072, -0.038, 0.026, -0.011),
    "Wci": (-0.008, -0.001, -0.022, -0.029, -0.045, -0.049, -0.032, 0.017, 0.004),
    "Vm": (-0.007, -0.001, -0.029, -0.027, -0.075, -0.070, -0.059, 0.030, -0.001),
    "Pref": (-0.003, -0.001, -0.015, -0.022, -0.045, -0.048, -0.035, 0.018, 0.002),
    "Mec": (0.012, 0.001, 0.004, -0.013, -0.014, 0.000, 0.002, 0.018, 0.014),
    "Vform": (0.043, -0.001, 0.044, 0.000, 0.030, 0.033, 0.043, 0.013, 0.006),
    "Prep": (0.018, -0.000, 0.011, -0.008, -0.001, -0.010, 0.005, 0.014, 0.004),
    "Um": (-0.038, -0.001, -0.043, -0.100, -0.037, -0.046, -0.032, 0.009, -0.007),
    "Others": (-0.048, -0.000, -0.063, -0.054, -0.060, -0.040, -0.024, -0.000, 0.007),
    "Rloc-": (0.004, -0.001, -0.006, -0.027, -0.023, -0.028, -0.019, 0.022, -0.004),
    "Spar": (0.041, 0.001, 0.035, -0.012, -0.003, 0.008, 0.026, 0.024, 0.003),
    "SVA": (0.045, -0.001, 0.037, -0.005, -0.002, 0.012, 0.015, 0.021, -0.001),
}
NOTES = (
    f"ours: {REPLICATES} replicates, intervals hold the middle 95% of them; the paper has one sample",
    "LT: LanguageTool 3.7 in the paper, lingotweaker's port of its rules in ours; empty where that is not installed",
    "the paper's own code differs from its text (docs/maege.md); preset code follows it",
)


def metrics() -> dict[str, str]:
    """The metrics of the tables."""
    return METRICS


def parts(skip: Collection[str] = ()) -> dict[str, Callable[[Run], list[PaperTable]]]:
    """Both settings of the source, under the paper's definitions and as its code did it."""
    return {
        "random source": partial(_random_source, skip),
        "as the code did it": partial(_code, skip),
        "original as source": partial(_original, skip),
        "references": make_reference_tables,
    }


def _random_source(skip: Collection[str], run: Run) -> list[PaperTable]:
    study = _study("paper", "random", skip, run)
    return [_levels("Table 2: random source, preset paper", study, TABLE_2), _types(study), _findings(study)]


def _original(skip: Collection[str], run: Run) -> list[PaperTable]:
    return [_levels("Table 4: original as source, preset paper", _study("paper", "original", skip, run), TABLE_4)]


def _code(skip: Collection[str], run: Run) -> list[PaperTable]:
    return [_levels("Table 2: random source, preset code", _study("code", "random", skip, run), TABLE_2)]


def _study(preset: str, source: Source, skip: Collection[str], run: Run) -> Maege:
    gold = load_corpus(None, [dataset_file("conll14", "official-2014.combined.m2")])
    references = load_corpus(gold, [dataset_file("references", f"BN{i}") for i in (1, 2, 4, 5, 6, 8, 9, 10)])
    return maege(
        gold,
        references,
        [metric(METRICS[name]) for name in METRICS if name not in skip and (name != "LT" or find_spec("lt_py"))],
        settings=MaegeSettings.preset(preset, source=source),
        replicates=REPLICATES,
        by_type=True,
        edits="errant",
        run=run,
    )


def _findings(study: Maege) -> PaperTable:
    """The numbers in the text of §6."""
    gleu = next((summary.rise for summary in study if summary.metric == repr(metric("gleu"))), None)
    return PaperTable(
        title="Findings in the text: what is sampled",
        columns=("value",),
        rows={
            CHAINS: {"value": Figure(published=1312, ours=study.chains)},
            IN_CHAINS: {"value": Figure(published=7936, ours=study.corrections)},
            RISE: {"value": _figure(gleu, -0.00025)},
        },
        row_name="finding",
    )


def _levels(title: str, study: Maege, published: Mapping[str, Sequence[float]]) -> PaperTable:
    by_metric = {summary.metric: summary for summary in study}
    rows = {}
    for name, spelling in METRICS.items():
        summary = by_metric.get(repr(metric(spelling)))
        rho, r, tau = published.get(name, (None, None, None))
        rows[name] = {
            "corpus ρ": _figure(summary.corpus_spearman if summary else None, rho),
            "sentence r": _figure(summary.sentence_pearson if summary else None, r),
            "sentence τ": _figure(summary.sentence_tau if summary else None, tau),
            "p of ρ": Figure(ours=summary.corpus_spearman_p.p if summary else None),
            "p of r": Figure(ours=summary.sentence_pearson_p.p if summary else None),
            "p of τ": Figure(ours=summary.sentence_tau_p.p if summary else None),
        }
        p_values = P_VALUES.get(title.partition(":")[0], {}).get(name, (None, None, None))
        for column, known in zip(("p of ρ", "p of r", "p of τ"), p_values, strict=True):
            rows[name][column] = Figure(published=known, ours=rows[name][column].ours)
    return PaperTable(title=title, columns=tuple(rows["LT"]), rows=rows, notes=(*NOTES, NOTE_P))


def _figure(ours: ReplicateMean | None, published: float | None) -> Figure:
    return Figure(published=published, ours=ours.mean, interval=ours.interval) if ours else Figure(published=published)


def _types(study: Maege) -> PaperTable:
    deltas = {(row.type, row.metric): row.delta for row in study.types}
    rows = {
        kind: {
            name: _figure(deltas.get((kind, repr(metric(METRICS[name])))), number)
            for name, number in zip(TABLE_3_METRICS, theirs, strict=True)
        }
        for kind, theirs in TABLE_3.items()
    }
    return PaperTable(
        title="Table 3: Δ by type of edit, preset paper",
        columns=TABLE_3_METRICS,
        rows=rows,
        notes=NOTES,
        row_name="type",
    )


SAMPLE = "one sample, whose seed is not published, and another ERRANT; the paper's code differs from its text"
ITEMS = (
    PaperItem(
        "Table 1", "metrics against human rankings", table="MAEGE paper, Table 1", status="explained",
        why="the columns GJG15 and NSPT15 are exchanged: ours differ by 0.43 as printed, by 0.05 exchanged; the "
        "rest is of references that are not named and an output (refmix1) that is not published",
        command='gecval reproduce human --only "GJG15 and NSPT15"',
    ),
    PaperItem(
        "Table 2", "agreement with the lattices, random source", part="random source",
        table="Table 2: random source, preset paper", status="explained", why=SAMPLE,
    ),
    PaperItem(
        "Table 2, by the authors' code", "the same as their program computes it", part="as the code did it",
        table="Table 2: random source, preset code", status="explained", why=SAMPLE,
    ),
    PaperItem("Table 3", "change of score by type of edit", part="random source", status="explained", why=SAMPLE),
    PaperItem("Table 4", "the original as source", part="original as source", status="explained", why=SAMPLE),
    PaperItem(
        "Figure 1", "how many references I-measure combines: mean 3.5 billion, median 512", part="references",
        status="open", why="clusters of overlapping edits of the 8 references give a median of 192; the mean hangs on "
        "a few long texts: 2.6e36, and 3.0 billion without five of them",
    ),
    PaperItem(
        "Figure 2", "lattices, a drawing", status="explained", why="no number is printed",
        command="gecval maege --plot lattice",
    ),
    PaperItem(
        "Figure 3", "a chain of a lattice, a drawing", status="explained", why="no number is printed",
        command="gecval maege --plot lattice",
    ),
    PaperItem(
        "Figure 4", "MAEGE next to human rankings", status="explained", why="drawn from Tables 1 and 2",
        command="gecval maege --plot human",
    ),
    PaperItem(
        "Figure 5", "GLEU of originals by number of errors", status="explained", why="no number is printed",
        command="gecval maege --plot originals",
    ),
    PaperItem(
        "§2: I-measure", "did not end in 140 CPU days", status="explained",
        why="ours ends in minutes; its rows in Tables 2 and 4 stand alone", command="gecval reproduce maege",
    ),
    PaperItem(
        "§3: NTHU", "its outputs are shifted by a line", status="explained", why="repaired in `gecval data`",
        command="gecval reproduce human",
    ),
    PaperItem(
        "§3: deviation of TrueSkill", "about .02", status="explained", why="the interval of TrueSkill spans its runs",
        command="gecval reproduce human",
    ),
    PaperItem(
        "§4: intersecting edits", "26 among about 40,000", part="references", table="§4", status="open",
        why="the ten annotators of Bryant & Ng have 37 pairs in 28 sentences, among 37,667 edits; the "
        "two official ones, of which lattices are made, have none",
    ),
    PaperItem(
        CHAINS, "as many as original sentences", part="random source", table="Findings", rows=(CHAINS,), status="open",
        why="two annotations of each sentence that both edit give more; with the sentences that nobody edits there are "
        "none to draw from",
    ),
    PaperItem(
        IN_CHAINS, "six a chain", part="random source", table="Findings", rows=(IN_CHAINS,), status="open",
        why="annotators make three edits in such a sentence, so a chain has four corrections; no setting gives six",
    ),
    PaperItem(
        RISE, "slightly negative", part="random source", table="Findings", rows=(RISE,), status="explained", why=SAMPLE
    ),
)  # fmt: skip


# How many references I-measure combines, and edits of one annotation that intersect: Figure 1 and §4 of the paper.
#
# I-measure takes edits that overlap for alternatives, and all others for independent. Edits that hang together by
# overlaps are a cluster. An annotator either has edits of a cluster or leaves it as it is; each such choice that some
# annotator makes is an alternative. A sentence has as many references as there are ways to choose one in each cluster.

EIGHT = (1, 2, 4, 5, 6, 8, 9, 10)  # of Bryant & Ng, without the copies of the official ones
LARGEST = 5  # sentences that decide the mean
MEDIAN, MEAN, INTERSECTING = 512, 3.5e9, 26  # as published
MOST_DIGITS = 20  # of a number of references in the picture


def make_reference_tables(run: Run = HERE) -> list[PaperTable]:
    del run  # it takes a second
    numbers = np.array([float(count_combinations(annotations)) for annotations in _annotations(EIGHT)])
    return [_combinations(np.sort(numbers)), _intersections(_annotations(range(1, 11)))]


def _annotations(annotators: Iterable[int]) -> list[list[tuple[Edit, ...]]]:
    """The edits of each annotator of each sentence, without types: these do not make an edit another one."""
    corpus = load_corpus(None, [dataset_file("bryant-ng-2015", f"A{number}.m2") for number in annotators])
    return [
        [
            tuple(Edit(edit.start, edit.end, edit.corrections) for edit in reference.edits or ())
            for reference in references
        ]
        for references in corpus.references
    ]


def _combinations(numbers: np.ndarray[tuple[int], np.dtype[np.float64]]) -> PaperTable:
    digits = np.log10(numbers)
    curve = [Point(x=float(x), y=float(np.mean(digits <= x))) for x in np.arange(0, MOST_DIGITS + 0.5, 0.5)]
    return PaperTable(
        title="Figure 1: references of a sentence under I-measure's assumptions",
        columns=("references",),
        rows={
            "median": {"references": Figure(published=MEDIAN, ours=float(np.median(numbers)))},
            "mean, log10": {"references": Figure(published=round(log10(MEAN), 2), ours=log10(numbers.mean()))},
            f"mean without the {LARGEST} largest, log10": {"references": Figure(ours=log10(numbers[:-LARGEST].mean()))},
        },
        notes=(f"{len(numbers):,} sentences, {len(EIGHT)} references; the picture has the share of sentences below",),
        row_name="of all sentences",
        chart=PaperChart(
            x="log10 of the number of references",
            y="share of sentences",
            curves=(Curve(name="combinations of 8 references", points=tuple(curve), people=True),),
        ),
    )


def _intersections(annotations: Sequence[Sequence[Sequence[Edit]]]) -> PaperTable:
    pairs = [sum(map(_count_intersecting, of_sentence)) for of_sentence in annotations]
    edits = sum(len(edits) for of_sentence in annotations for edits in of_sentence)
    return PaperTable(
        title="§4: edits of one annotation that intersect",
        columns=("count",),
        rows={
            "intersecting pairs": {"count": Figure(published=INTERSECTING, ours=sum(pairs))},
            "sentences with such pairs": {"count": Figure(ours=sum(map(bool, pairs)))},
            "edits": {"count": Figure(ours=edits)},
        },
        notes=("the ten annotators of Bryant & Ng; the paper says about 40,000 edits, and not whose they are",),
        row_name="what",
    )


def count_combinations(annotations: Sequence[Sequence[Edit]]) -> int:
    """How many references the annotations of a sentence make, where overlapping edits are alternatives.

    >>> one, other, third = Edit(0, 1, ("a",)), Edit(0, 2, ("b",)), Edit(3, 4, ("c",))
    >>> count_combinations([[one], [other, third]]), count_combinations([[one], [one]]), count_combinations([[], []])
    (4, 1, 1)
    """
    return prod(
        len({tuple(edit for edit in edits if edit in cluster) for edits in annotations})
        for cluster in _clusters({edit for edits in annotations for edit in edits})
    )


def _clusters(edits: Iterable[Edit]) -> list[list[Edit]]:
    """Edits that hang together by overlaps."""
    clusters: list[list[Edit]] = []
    for edit in edits:
        touched = [cluster for cluster in clusters if any(_intersect(edit, other) for other in cluster)]
        clusters = [cluster for cluster in clusters if cluster not in touched]
        clusters.append([edit, *(other for cluster in touched for other in cluster)])
    return clusters


def _count_intersecting(edits: Sequence[Edit]) -> int:
    """Pairs that share a token."""
    return sum(max(a.start, b.start) < min(a.end, b.end) for a, b in combinations(edits, 2))


def _intersect(first: Edit, second: Edit) -> bool:
    """Whether spans overlap. An insertion overlaps another at its place, and a span that it lies within."""
    if (first.start, first.end) == (second.start, second.end):
        return True
    if first.start == first.end:
        return second.start < first.start < second.end
    if second.start == second.end:
        return first.start < second.start < first.end
    return max(first.start, second.start) < min(first.end, second.end)
