"""Better Evaluation for Grammatical Error Correction (Dahlmeier & Ng 2012): the paper that defines M².

Its experiments are on the HOO 2011 data, which are given to registered participants only. In their place, the two ways
to find edits are compared on the twelve systems of CoNLL-2014: that of the official HOO scorer, which takes the blocks
in which GNU wdiff finds changes, and max-match.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np
from rapidfuzz.distance import Indel

from gecval.corpus import Corpus, System
from gecval.corpus.edit import Edit
from gecval.corpus.references import Reference
from gecval.metrics import metric
from gecval.metrics.base import Statistics
from gecval.metrics.evaluation import Evaluation
from gecval.runtime.run import HERE, Run
from gecval.studies.reproduce.conll14 import load_participants, load_two_references
from gecval.studies.reproduce.result import Figure, LatticeEdge, PaperChart, PaperItem, PaperTable

NO_HOO = "it needs the HOO 2011 data, which are given out after registration only"
ITEMS = (
    PaperItem("§1", "the edit of the HOO script is not in the gold annotation, though the text is", part="example"),
    PaperItem("Figure 1", "the Levenshtein matrix of the example", part="example"),
    PaperItem("Figure 2", "the edit lattice of the example", part="example"),
    PaperItem("Table 1", "scores of five systems by two scorers", status="data not public", why=NO_HOO),
    PaperItem("Table 2", "edits that two scorers find", part="example"),
    PaperItem("§3", "valid edits that two scorers find", status="data not public", why=NO_HOO),
)


def parts() -> dict[str, Callable[[Run], list[PaperTable]]]:
    return {"example": make_examples, "CoNLL-2014": compare_scorers}


SOURCE = "Our baseline system feeds word into PB-SMT pipeline ."
HYPOTHESIS = "Our baseline system feeds a word into PB-SMT pipeline ."
GOLD = (Edit(4, 5, ("a word", "words")),)
MAX_UNCHANGED = 2

# As printed: the rows of the words of the source, below that of no word.
FIGURE_1 = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10),
    (1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    (2, 1, 0, 1, 2, 3, 4, 5, 6, 7, 8),
    (3, 2, 1, 0, 1, 2, 3, 4, 5, 6, 7),
    (4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6),
    (5, 4, 3, 2, 1, 1, 1, 2, 3, 4, 5),
    (6, 5, 4, 3, 2, 2, 2, 1, 2, 3, 4),
    (7, 6, 5, 4, 3, 3, 3, 2, 1, 2, 3),
    (8, 7, 6, 5, 4, 4, 4, 3, 2, 1, 2),
    (9, 8, 7, 6, 5, 5, 5, 4, 3, 2, 1),
)
# The cost of each edge, as printed.
FIGURE_2 = {
    "Our": 1,
    "baseline": 1,
    "system": 1,
    "system feeds → system feeds a": 3,
    "feeds": 1,
    "feeds → feeds a": 2,
    "feeds word → feeds a word": 3,
    "ε → a": 1,
    "word → a word": -45,
    "word into → a word into": 3,
    "word": 1,
    "into": 1,
    "PB-SMT": 1,
    "pipeline": 1,
    ".": 1,
}
# Source, output, gold edits, and how many edits are right of how many: by the M² scorer and by the HOO scorer.
TABLE_2 = {
    "should basic translational unit be word": (
        "should basic translational unit be a word", (Edit(5, 6, ("a word",)),), (1, 1), (0, 1),
    ),
    "development set similar with test set": (
        "development set similar to the test set", (Edit(3, 4, ("to",)), Edit(4, 4, ("the",))), (2, 2), (0, 1),
    ),
    "Xinhua portion of the English Gigaword3": (
        "The xinhua portion of the English Gigaword3", (Edit(0, 0, ("The",)),), (1, 2), (0, 1),
    ),
}  # fmt: skip
SCORERS = {"M2": "m2(lattice='paper', beta=1.0)", "M2, the tool": "m2(beta=1.0)"}


def make_examples(run: Run = HERE) -> list[PaperTable]:
    """§1, Figures 1 and 2, and Table 2: what can be computed from the paper's text."""
    section_1 = PaperTable(
        title="§1: edits found, and how many of them the gold annotation has",
        columns=("found", "right"),
        rows={
            scorer: {
                "found": Figure(published=1, ours=counts[1]),
                "right": Figure(published=right, ours=counts[0]),
            }
            for scorer, right, counts in (
                ("HOO (wdiff)", 0, _count_wdiff(SOURCE, HYPOTHESIS, GOLD)),
                ("M2", 1, _count_max_match(SOURCE, HYPOTHESIS, GOLD)),
            )
        },
        notes=(f"{SOURCE} → {HYPOTHESIS}; gold: word → a word, or words",),
        row_name="scorer",
    )
    return [section_1, _figure_1(), _figure_2(), _table_2()]


def _count_max_match(source: str, hypothesis: str, gold: Sequence[Edit]) -> tuple[int, int]:
    """Right and proposed edits, by the paper's lattice."""
    corpus = Corpus([source], [[Reference(edits=tuple(gold))]])
    parts = Evaluation.of(metric(SCORERS["M2"]), corpus, corpus.system("h", [hypothesis])).parts()
    return int(parts["correct"]), int(parts["proposed"])


def _count_wdiff(source: str, hypothesis: str, gold: Sequence[Edit]) -> tuple[int, int]:
    edits = find_wdiff_edits(source.split(), hypothesis.split())
    return sum(any(_same(edit, other) for other in gold) for edit in edits), len(edits)


def _same(edit: Edit, gold: Edit) -> bool:
    return (edit.start, edit.end) == (gold.start, gold.end) and edit.correction in gold.corrections


def find_wdiff_edits(source: Sequence[str], hypothesis: Sequence[str]) -> list[Edit]:
    """The blocks of changed words between which a longest common subsequence runs, as in GNU wdiff.

    >>> find_wdiff_edits("similar with test".split(), "similar to the test".split())
    [Edit(start=1, end=2, corrections=('to the',), type='', required=True)]
    """
    edits: list[Edit] = []
    start = begin = 0  # behind the last block of equal words
    for block in Indel.opcodes(source, hypothesis):
        at_end = (block.src_end, block.dest_end) == (len(source), len(hypothesis))
        if block.tag != "equal" and not at_end:
            continue
        end, stop = (block.src_start, block.dest_start) if block.tag == "equal" else (block.src_end, block.dest_end)
        if (start, begin) != (end, stop):
            edits.append(Edit(start, end, (" ".join(hypothesis[begin:stop]),)))
        start, begin = block.src_end, block.dest_end
    return edits


def _figure_1() -> PaperTable:
    source, hypothesis = SOURCE.split(), HYPOTHESIS.split()
    ours = levenshtein_matrix(source, hypothesis)
    columns = ("–", *hypothesis)
    return PaperTable(
        title="Figure 1: the Levenshtein matrix",
        columns=columns,
        rows={
            word: {
                column: Figure(published=published, ours=number)
                for column, published, number in zip(columns, printed, row, strict=True)
            }
            for word, printed, row in zip(("–", *source), FIGURE_1, ours, strict=True)
        },
        row_name="word",
    )


def levenshtein_matrix(source: Sequence[str], hypothesis: Sequence[str]) -> list[list[int]]:
    """The distance of every beginning of the one to every beginning of the other."""
    cost = [[i + j for j in range(len(hypothesis) + 1)] for i in range(len(source) + 1)]
    for i, word in enumerate(source, start=1):
        for j, other in enumerate(hypothesis, start=1):
            cost[i][j] = min(cost[i - 1][j - 1] + (word != other), cost[i - 1][j] + 1, cost[i][j - 1] + 1)
    return cost


def _figure_2() -> PaperTable:
    source, hypothesis = SOURCE.split(), HYPOTHESIS.split()
    [place] = [j for j, (a, b) in enumerate(zip(source, hypothesis, strict=False)) if a != b][:1]
    # One shortest path: a single word is inserted.
    vertices = [(i, i) for i in range(place + 1)] + [(i, i + 1) for i in range(place, len(source) + 1)]
    runs = list(_list_edges(vertices, source, hypothesis))
    edges = []
    for first, last, steps in runs:
        (i, j), (k, m) = vertices[first], vertices[last]
        before, after = " ".join(source[i:k]), " ".join(hypothesis[j:m])
        right = any(_same(Edit(i, k, (after,)), gold) for gold in GOLD)
        edges.append(
            LatticeEdge(
                start=first,
                end=last,
                label=before if before == after else f"{before or 'ε'} → {after or 'ε'}",
                cost=-(MAX_UNCHANGED + 1) * len(runs) if right else steps,
            )
        )
    rows = {edge.label: {"cost": Figure(published=FIGURE_2.get(edge.label), ours=edge.cost)} for edge in edges}
    names = ", ".join(f"{i},{j}" for i, j in vertices)
    return PaperTable(
        title="Figure 2: the edit lattice",
        columns=("cost",),
        rows=rows,
        notes=(f"{len(vertices)} vertices ({names}), {len(edges)} edges; the right one costs −(u + 1)·|E|, u = 2",),
        row_name="edge",
        chart=PaperChart(x="words of source, words of output", y="", curves=(), edges=tuple(edges)),
    )


def _list_edges(
    path: Sequence[tuple[int, int]], source: Sequence[str], hypothesis: Sequence[str]
) -> Iterator[tuple[int, int, int]]:
    """Edges of a lattice that is one path: where they start and end, and their steps.

    Several steps make an edge if one of them changes a word and at most u keep one.
    """
    kept = [i < k and j < m and source[i] == hypothesis[j] for (i, j), (k, m) in pairwise(path)]
    for first in range(len(kept)):
        for last in range(first + 1, len(kept) + 1):
            unchanged = sum(kept[first:last])
            if last == first + 1 or (unchanged <= MAX_UNCHANGED and unchanged < last - first):
                yield first, last, last - first


def _table_2() -> PaperTable:
    rows = {}
    for source, (hypothesis, gold, by_m2, by_hoo) in TABLE_2.items():
        for scorer, published, ours in (
            ("M2", by_m2, _count_max_match(source, hypothesis, gold)),
            ("HOO (wdiff)", by_hoo, _count_wdiff(source, hypothesis, gold)),
        ):
            rows[f"{source}: {scorer}"] = {
                "found": Figure(published=published[1], ours=ours[1]),
                "right": Figure(published=published[0], ours=ours[0]),
            }
    return PaperTable(
        title="Table 2: edits found, and how many of them are right",
        columns=("found", "right"),
        rows=rows,
        notes=("the gold edits are those that the paper's marks say",),
        row_name="text",
    )


def compare_scorers(run: Run = HERE) -> list[PaperTable]:
    """What Table 1 compares on HOO's data, on CoNLL-2014: edits by wdiff, and by max-match."""
    corpus = load_two_references()
    systems = [system for system in load_participants(corpus) if system.name != "INPUT"]
    rows = {}
    for system in systems:
        evaluations = {"HOO (wdiff)": _evaluate_wdiff(corpus, system)}
        evaluations |= {name: Evaluation.of(metric(spelling), corpus, system) for name, spelling in SCORERS.items()}
        for name, evaluation in evaluations.items():
            parts = evaluation.parts()
            numbers = {
                "found": parts["proposed"],
                "right": parts["correct"],
                "P": parts["precision"],
                "R": parts["recall"],
                "F1": float(evaluation.score()),
            }
            rows[f"{system.name}, {name}"] = {column: Figure(ours=number) for column, number in numbers.items()}
    return [
        PaperTable(
            title="In place of Table 1: CoNLL-2014, edits by wdiff as in HOO's scorer and by max-match",
            columns=("found", "right", "P", "R", "F1"),
            rows=rows,
            notes=(
                f"Table 1: {NO_HOO}",
                "NUCLE's two annotators, chosen as the M2 scorer does, with F1 as in the paper",
                "M2 is the paper's lattice; the tool merges it with a second one (docs/metrics/m2.md)",
            ),
            row_name="system, edits",
        )
    ]


def _evaluate_wdiff(corpus: Corpus, system: System) -> Evaluation:
    """As M² counts, and chooses an annotator, but with the edits of wdiff."""
    rows = []
    for source, hypothesis, references in zip(corpus.sources, system.hypotheses, corpus.references, strict=True):
        edits = find_wdiff_edits(source.split(), hypothesis.split())
        for reference in references:
            gold = reference.edits or ()
            rows.append((sum(any(_same(edit, other) for other in gold) for edit in edits), len(edits), len(gold)))
    statistics = Statistics(np.array(rows, dtype=np.float64), corpus.reference_slots)
    return Evaluation(metric(SCORERS["M2"]), statistics, system=system.name)
