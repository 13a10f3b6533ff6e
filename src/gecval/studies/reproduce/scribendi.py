"""The Scribendi paper (Islam & Magnani 2021): Tables 2, 3 and 5, and the reference-less rows of the 2016 paper.

The paper quotes older metrics next to its own. Its language model was GPT-2; ours is named below each table.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

import numpy as np

from gecval.corpus import Corpus, System
from gecval.metrics import Metric, metric
from gecval.metrics.evaluation import Evaluation
from gecval.metrics.grammaticality import LT, Grammaticality
from gecval.metrics.perplexity import Perplexity
from gecval.metrics.scribendi import Scribendi, levenshtein_ratios, token_sort_ratios
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
from gecval.studies.reproduce.result import Figure, PaperItem, PaperTable
from gecval.studies.scores.preparation import prepare

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
    "SOME": (None, "AMU CAMB RAC POST CUUI UMC PKU INPUT UFC IITB SJTU NTHU IPN"),
}

# In tokens: as text, Levenshtein ratios are others (97.56 in place of the printed 97.67).
EXAMPLES = {
    "Table 1, Src 1": (
        "Once the test is done , whether the results should be open to his or her relatives has caused social "
        "extensive controversy .",
        "Once the test is done , whether the results should be open to his or her relatives has caused extensive "
        "social controversy .",
        100.0, 94.308, 0,
    ),
    "Table 1, Src 2": ("We can not let it go .", "We cannot let it go .", 82.05, 97.67, 0),
    "§5": (
        "More and more illness are discovered to be related to some genes with the development of the medical "
        "technology .",
        "With the development of medical technology , more and more illnesses have been discovered to be related to "
        "some genes .",
        0.929, 0.554, 2,
    ),
}  # fmt: skip
TABLE_4 = ("He is going school .", "He is going to school .", "He He He He He He .")
TABLE_4_SCORES = {"M2": ("m2", 0.37), "GLEU": ("gleu", 0.22), "SOME": (None, 0.87), "Scribendi": (None, -1)}

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
    "published M2 and GLEU are those of Napoles et al. 2016 (GLEU without tuning, arXiv:1605.02592) with r and ρ "
    "exchanged, GLEU in its first form of 2015; "
    "the human ranking there is NSPT15's own, of which only the order is known",
)
TABLE_3_NOTES = (SETTING, "neither references nor form of the published GLEU are named")


def metrics() -> dict[str, str]:
    """The metrics of the tables that can be computed."""
    tables = (TABLE_2, TABLE_3, TABLE_5, UNPUBLISHED)
    return {label: name for table in tables for label, (name, _) in table.items() if name not in (None, "people")}


def parts(skip: Collection[str] = ()) -> dict[str, Callable[[Run], list[PaperTable]]]:
    return {"correlations": lambda run: make_tables(run, skip=skip), "examples": lambda _: example_tables()}


def example_tables() -> list[PaperTable]:
    """Tables 1 and 4, and the ratios of §5, without a language model."""
    ratios = {}
    for name, (source, output, tsr, ldr, digits) in EXAMPLES.items():
        scale = 10.0 ** (2 - digits)
        ratios[name] = {
            "token sort": Figure(published=tsr, ours=scale * float(token_sort_ratios([source], [output])[0])),
            "Levenshtein": Figure(published=ldr, ours=scale * float(levenshtein_ratios([source], [output])[0])),
        }
    source, reference, output = TABLE_4
    corpus = Corpus.from_texts([source], [[reference]])
    system = corpus.system("prediction", [output])
    shown = {}
    for label, (spelling, value) in TABLE_4_SCORES.items():
        ours = None
        if spelling is not None:
            [prepared] = prepare(corpus, [system], [metric(spelling)], run=HERE)
            ours = Evaluation.of(metric(spelling), prepared, system, aggregate="mean", run=HERE).score()
        shown[label] = {"score": Figure(published=value, ours=ours)}
    return [
        PaperTable(
            title="Scribendi paper, Table 1 and §5: ratios",
            columns=("token sort", "Levenshtein"),
            rows=ratios,
            notes=("the perplexities printed there are GPT-2's, whose exact form is not given",),
            row_name="sentence",
        ),
        PaperTable(
            title="Scribendi paper, Table 4: He He He He He He.",
            columns=("score",),
            rows=shown,
            notes=("M2 of .37 does not come out: nothing of the prediction is in the reference, so F0.5 is 0",),
        ),
    ]


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


MODEL = "our language model is SmolLM2-135M, not GPT-2; SOME's weights are missing"
ITEMS = (
    PaperItem(
        "Table 1", "ratios and perplexities of two sentences", part="examples", table="Scribendi paper, Table 1",
        rows=("Table 1, Src 1", "Table 1, Src 2"), status="explained",
        why="100, 82.05 and 97.67 come out; Levenshtein 94.35 where 94.308 is printed; perplexities are GPT-2's",
    ),
    PaperItem(
        "Table 2", "correlation with NSPT15", part="correlations", table="Scribendi paper, Table 2", status="explained",
        why=f"{MODEL}; M2 and GLEU are quoted with r and ρ exchanged",
    ),
    PaperItem(
        "Table 3", "correlation with GJG15", part="correlations", table="Scribendi paper, Table 3", status="explained",
        why=f"{MODEL}; references and form of GLEU are not named",
    ),
    PaperItem(
        "Table 4", "repeated words", part="examples", table="Scribendi paper, Table 4", status="open",
        why="GLEU comes out; M2 does not: nothing of the prediction is in the reference, so F0.5 cannot be .37",
    ),
    PaperItem(
        "Table 5", "places of 13 systems", part="correlations", table="Scribendi paper, Table 5", status="explained",
        why=f"{MODEL}; older columns are quoted from Napoles et al. 2015",
    ),
    PaperItem(
        "Listing 1", "the metric", status="explained", why="its code was not found; ours follows the listing",
        command="gecval score -m scribendi",
    ),
    PaperItem(
        "§5: ratios", ".929 and .554", part="examples", table="Scribendi paper, Table 1", rows=("§5",),
        status="explained", why="token sort .929 comes out; Levenshtein is .552",
    ),
    PaperItem(
        "§5: perplexities", "of three pairs of sentences", status="data not public",
        why="GPT-2's perplexity in a form that is not given",
    ),
)  # fmt: skip
