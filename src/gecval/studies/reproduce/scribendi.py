"""The Scribendi paper (Islam & Magnani 2021): Tables 2, 3 and 5, and the reference-less rows of the 2016 paper.

The paper quotes older metrics next to its own. Its language model was GPT-2; ours is named below each table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics import Metric, metric
from gecval.metrics.grammaticality import LT, Grammaticality
from gecval.metrics.perplexity import Perplexity
from gecval.metrics.scribendi import Scribendi
from gecval.models.checkers import checker
from gecval.runtime.run import HERE, Run, announce
from gecval.stats.correlation import Coefficient, correlate
from gecval.stats.resampling import Array
from gecval.studies.human.ranking import Ranker, rank
from gecval.studies.human.system_scores import (
    Evaluations,
)
from gecval.studies.reproduce.conll14 import (
    load_judgment_sets,
    load_participants,
    load_two_references,
)
from gecval.studies.reproduce.lfm import lfm_or_reason
from gecval.studies.reproduce.no_comparison import TABLE_1 as NAPOLES_TABLE_1
from gecval.studies.reproduce.result import Figure, PaperTable

# What the paper prints: Pearson's r, Spearman's ρ.
TABLE_2: dict[str, tuple[str | None, tuple[float, float]]] = {
    "M2": ("m2", (0.429, 0.358)),
    "GLEU": ("gleu", (0.555, 0.542)),
    "Scribendi": ("scribendi", (0.780, 0.812)),
    "SOME": (None, (0.824, 0.824)),
}
TABLE_3: dict[str, tuple[str | None, tuple[float, float]]] = {
    "M2": ("m2", (0.674, 0.720)),
    "GLEU": ("gleu", (0.846, 0.816)),
    "Asano et al. 2017": (None, (0.878, 0.874)),
    "Scribendi": ("scribendi", (0.951, 0.940)),
    "SOME": (None, (0.975, 0.978)),
}
# Systems from best to worst; Source is INPUT.
TABLE_5: dict[str, tuple[str | None, str]] = {
    "Human": ("people", "CAMB AMU RAC CUUI INPUT POST UFC SJTU IITB PKU UMC NTHU IPN"),
    "BLEU": ("bleu", "UFC INPUT IITB SJTU UMC CUUI PKU AMU IPN NTHU CAMB RAC POST"),
    "I-measure": ("imeasure", "UFC INPUT IITB SJTU CUUI PKU AMU UMC IPN POST RAC CAMB NTHU"),
    "M2": ("m2", "CUUI CAMB AMU POST UMC NTHU PKU RAC SJTU UFC IPN IITB INPUT"),
    "GLEU": ("gleu", "CUUI AMU UFC CAMB INPUT IITB SJTU PKU UMC NTHU POST RAC IPN"),
    "Scribendi": ("scribendi", "CAMB AMU CUUI RAC PKU UMC POST INPUT IITB UFC SJTU NTHU IPN"),
}

OURS: dict[str, Metric] = {
    "scribendi": Scribendi(),
    "lt": LT(),
    "harper": Grammaticality("harper"),
    "perplexity": Perplexity(),
}
MEANS = ("lt", "harper")  # as in the 2016 paper; all others as scores of the corpus

Published = Mapping[str, tuple[str | None, tuple[float | None, float | None]]]
REFERENCE_LESS: Published = {
    label: (name, NAPOLES_TABLE_1[label][::-1]) for label, name in (("ER", None), ("LT", "lt"), ("LFM", "lfm"))
}
UNPUBLISHED: Published = {
    "LT": ("lt", (None, None)),
    "Harper": ("harper", (None, None)),
    "LFM": ("lfm", (None, None)),
    "perplexity, negated": ("perplexity", (None, None)),
}
COEFFICIENTS: tuple[tuple[str, Coefficient], ...] = (("r", "pearson"), ("ρ", "spearman"))

SETTING = "NUCLE's two references, all sentences, corpus scores; refmix1 is ranked by people but not correlated"
TABLE_2_NOTES = (
    SETTING,
    "published M2 and GLEU are those of Napoles et al. 2016 with r and ρ exchanged, GLEU in its first form of 2015; "
    "the human ranking there is NSPT15's own, of which only the order is known",
)
TABLE_3_NOTES = (SETTING, "neither references nor form of the published GLEU are named")


def metrics() -> dict[str, str]:
    """The metrics of the tables that can be computed."""
    tables = (TABLE_2, TABLE_3, TABLE_5, UNPUBLISHED)
    return {label: name for table in tables for label, (name, _) in table.items() if name not in (None, "people")}


def make_tables(run: Run = HERE, *, skip: Collection[str] = ()) -> list[PaperTable]:
    corpus = load_two_references()
    outputs = load_participants(corpus)
    lfm, why_not = lfm_or_reason(run) if "LFM" not in skip else (None, [])
    scores = _scores(corpus, outputs, OURS | ({"lfm": lfm} if lfm else {}), skip=skip, run=run)
    names = [system.name for system in outputs]
    people: dict[str, Array] = {}
    for judgments in load_judgment_sets()[:2]:
        standing = rank(judgments, "trueskill", Ranker.preset("tools"), run=run).scores
        people[judgments.name] = np.array([standing[name] if name in standing else standing["src"] for name in names])
    models = (
        f"Scribendi and perplexity by {OURS['scribendi'].parameters()['model']}; the paper's by GPT-2",
        f"LT and Harper are means of sentence scores, by {checker('lingotweaker').signature} and "
        f"{checker('harper').signature}",
        *(why_not or ["LFM is trained on the GUG data with the judges that `gecval reproduce lfm` names"]),
    )
    nspt15, gjg15 = people["NSPT15"], people["GJG15"]
    return [
        _correlations(
            "Scribendi paper, Table 2: NSPT15",
            {**TABLE_2, **UNPUBLISHED},
            people=nspt15,
            scores=scores,
            notes=TABLE_2_NOTES + models,
        ),
        _correlations(
            "Scribendi paper, Table 3: GJG15",
            {**TABLE_3, **UNPUBLISHED},
            people=gjg15,
            scores=scores,
            notes=TABLE_3_NOTES + models,
        ),
        _table_5(names, scores | {"people": nspt15}, models[:1]),
        _correlations(
            "Napoles et al. 2016, Table 1: metrics without references",
            REFERENCE_LESS,
            people=gjg15,
            scores=scores,
            notes=models[1:],
        ),
    ]


def _scores(
    corpus: Corpus, outputs: Sequence[System], ours: Mapping[str, Metric], *, skip: Collection[str] = (), run: Run
) -> dict[str, Array]:
    """One score a system, by every metric that a table names."""
    named = {name for name, _ in (TABLE_2 | TABLE_3 | TABLE_5).values() if name}
    judges = {name: metric(name) for name in sorted(named - ours.keys() - {"people"})} | dict(ours)
    wanted = judges.keys() - {name for label, name in metrics().items() if label in skip}
    everything = np.arange(len(corpus), dtype=np.int64)
    scores = {}
    for number, (name, judge) in enumerate((name, judge) for name, judge in judges.items() if name in wanted):
        run.progress(number, len(wanted))
        announce(run.progress, repr(judge))
        judge.prepare(corpus, outputs, run=run)
        evaluations = Evaluations.of(judge, corpus, outputs, run=HERE)
        scores[name] = evaluations.scores(everything, "mean" if name in MEANS else "corpus")
    return {name: -values if name == "perplexity" else values for name, values in scores.items()}


def _correlations(
    title: str, table: Published, *, people: Array, scores: Mapping[str, Array], notes: tuple[str, ...]
) -> PaperTable:
    rows: dict[str, dict[str, Figure]] = {}
    for label, (name, published) in table.items():
        rows[label] = {}
        for (sign, coefficient), value in zip(COEFFICIENTS, published, strict=True):
            ours = correlate(people, scores[name], coefficient) if name and name in scores else None
            rows[label][sign] = Figure(
                published=value, ours=ours.value if ours else None, interval=ours.interval if ours else None
            )
    return PaperTable(title=title, columns=("r", "ρ"), rows=rows, notes=notes)


def _table_5(names: Sequence[str], scores: Mapping[str, Array], notes: tuple[str, ...]) -> PaperTable:
    """Places from 1 to 13, by people and by each metric."""
    rows: dict[str, dict[str, Figure]] = {name: {} for name in TABLE_5["Human"][1].split()}
    for label, (name, order) in TABLE_5.items():
        published = {system: place for place, system in enumerate(order.split(), start=1)}
        ranked = np.argsort(-scores[name], kind="stable") if name is not None and name in scores else ()
        ours = {names[i]: place for place, i in enumerate(ranked, start=1)}
        for system, cells in rows.items():
            cells[label] = Figure(published=published[system], ours=ours.get(system))
    return PaperTable(
        title="Scribendi paper, Table 5: places by people (NSPT15) and by metrics",
        columns=tuple(TABLE_5),
        rows=rows,
        notes=("the published columns but Scribendi's are of Napoles et al. 2015, with the GLEU of that year", *notes),
        row_name="system",
    )
